import { addMonths, dashboardDays } from '../../../platform/clock/business-day.ts';
import type { Sql } from '../../../platform/db/index.ts';

/** By SIM: whether an operation has stopped or slowed its data. */
export const findHeldAt =
  (now: Date) =>
  async (sql: Sql, simIds: readonly number[]): Promise<Map<number, boolean>> => {
    const { rows } = await sql.query<{ sim_id: number }>(
      'select sim_id from sim_live where sim_id = any($1::bigint[]) and held_until > $2',
      [simIds, now],
    );
    return new Map(rows.map(({ sim_id }) => [sim_id, true]));
  };

/** What stops (without a rate) or slows the data of a SIM, and until when. */
export interface HeldData {
  until: Date;
  rateKbps: number | null;
}

export const listHeld = async (
  sql: Sql,
  simIds: readonly number[],
  now: Date,
): Promise<Map<number, HeldData>> => {
  const { rows } = await sql.query<HeldData & { sim_id: number }>(
    `select sim_id, held_until as until, held_kbps as "rateKbps" from sim_live
     where sim_id = any($1::bigint[]) and held_until > $2`,
    [simIds, now],
  );
  return new Map(rows.map(({ sim_id, ...held }) => [sim_id, held]));
};

/** Stops or slows the data of SIMs until the given instants. */
export const restoreHeld = async (
  tx: Sql,
  held: readonly (HeldData & { simId: number })[],
): Promise<void> => {
  if (held.length === 0) return;
  await tx.query(
    `update sim_live l set held_until = v.until, held_kbps = v.rate_kbps, lifecycle_changes = l.lifecycle_changes + 1
     from unnest($1::bigint[], $2::timestamptz[], $3::integer[]) as v (sim_id, until, rate_kbps)
     where l.sim_id = v.sim_id
       and l.sim_id in (select sim_id from sim_live where sim_id = any($1::bigint[]) order by sim_id for update)`,
    [held.map(({ simId }) => simId), held.map(({ until }) => until), held.map(({ rateKbps }) => rateKbps)],
  );
};

/** The end of the calendar month, which counts as the cycle of a SIM without one. */
const monthEndOf = (now: Date): Date => dashboardDays.startOfMonth(addMonths(dashboardDays.monthOf(now), 1));

/**
 * Stops (without a rate) or slows the data of SIMs until their cycles end. Data that is stopped already stays so. Intake,
 * which caches SIMs, reads them again.
 * @returns the SIMs that it applies to
 */
export const holdData = async (
  tx: Sql,
  { simIds, now, rateKbps }: { simIds: readonly number[]; now: Date; rateKbps: number | null },
): Promise<Set<number>> => {
  const { rows } = await tx.query<{ sim_id: number }>(
    `update sim_live set held_kbps = $3, lifecycle_changes = lifecycle_changes + 1,
       held_until = case when cycle_ends_at > $2 then cycle_ends_at else $4 end
     where sim_id in (select sim_id from sim_live where sim_id = any($1::bigint[]) order by sim_id for update)
       and ($3::integer is null or held_until is null or held_until <= $2 or held_kbps is not null)
     returning sim_id`,
    [simIds, now, rateKbps, monthEndOf(now)],
  );
  return new Set(rows.map(({ sim_id }) => sim_id));
};

export const releaseData = async (tx: Sql, simIds: readonly number[]): Promise<void> => {
  if (simIds.length === 0) return;
  await tx.query(
    `update sim_live set held_until = null, held_kbps = null, lifecycle_changes = lifecycle_changes + 1
     where sim_id in (select sim_id from sim_live where sim_id = any($1::bigint[]) order by sim_id for update)`,
    [simIds],
  );
};
