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
  await tx.query(
    `update sim_live set held_until = null, held_kbps = null, lifecycle_changes = lifecycle_changes + 1
     where sim_id in (select sim_id from sim_live where sim_id = any($1::bigint[]) order by sim_id for update)`,
    [simIds],
  );
};
