import type { ResetCycle } from '@simcube/contract/bundle';
import type { Sql } from '../../../platform/db/index.ts';
import { type CycleSpan, countsSince } from '../../bundle/index.ts';
import { cycleOf, findLateUsageCycle, spanOf } from '../usage.rules.ts';

const ms = (column: string): string => `(extract(epoch from ${column}) * 1000)::float8`;

interface Row {
  simId: number;
  cycleStartedAt: number | null;
  cycleEndsAt: number | null;
  resetCycle: ResetCycle | null;
  activatedAt: number | null;
  closed: CycleSpan[];
}

/** The cycle of a SIM at an instant (milliseconds); undefined for other SIMs, and before the first cycle. */
export type CycleAt = (simId: number, at: number) => CycleSpan | undefined;

/**
 * Cycles of SIMs, including closed ones that end after an instant. A SIM's counter is turned by its next usage, or
 * minutes after the cycle's end, and begins with the first usage: an instant in no stored cycle gets the one by the
 * bundle's rule.
 */
export const readCyclesAt = async (
  sql: Sql,
  { simIds, after }: { simIds: readonly number[]; after: number },
): Promise<CycleAt> => {
  const { rows } = await sql.query<Row>(
    `select l.sim_id as "simId", ${ms('l.cycle_started_at')} as "cycleStartedAt", ${ms('l.cycle_ends_at')} as "cycleEndsAt",
       b.reset_cycle as "resetCycle", ${ms(countsSince)} as "activatedAt",
       coalesce((
         select json_agg(json_build_object('startedAt', ${ms('c.cycle_started_at')}, 'endsAt', ${ms('c.cycle_ends_at')}))
         from usage_cycles c where c.sim_id = l.sim_id and c.cycle_ends_at > to_timestamp($2::float8 / 1000)), '[]') as closed
     from sim_live l join sims s on s.id = l.sim_id left join bundles b on b.id = s.bundle_id
       left join lateral (select activated_at from bundle_orders
         where sim_id = s.id and bundle_id = s.bundle_id and status = 'in use' order by id limit 1) o on true
     where l.sim_id = any($1::bigint[])`,
    [simIds, after],
  );
  const rowsBySim = new Map(rows.map((row) => [row.simId, row]));
  return (simId, at) => {
    const row = rowsBySim.get(simId);
    return row && cycleIn(row, at);
  };
};

const cycleIn = (row: Row, at: number): CycleSpan | undefined => {
  const { cycleStartedAt: startedAt, cycleEndsAt: endsAt, resetCycle, activatedAt, closed } = row;
  const cycleByRule = (): CycleSpan =>
    spanOf(cycleOf({ bundle: resetCycle && { resetCycle }, activatedAt }, new Date(at)));
  if (startedAt === null || endsAt === null)
    return findLateUsageCycle({ at, closed, cycleByRule, running: row }) ?? cycleByRule();
  if (at < startedAt) return findLateUsageCycle({ at, closed, cycleByRule, running: row }) ?? undefined;
  return at < endsAt ? { startedAt, endsAt } : cycleByRule();
};
