import type { ResetCycle } from '@simcube/contract';
import type pg from 'pg';
import { inTransaction } from '../../platform/db/index.ts';
import { addLiveUsage } from './live-usage.service.ts';
import { cycleOf } from './usage.rules.ts';

/** SIMs in one transaction: intake must not wait long for any of them. */
const chunk = 1000;

interface DueRow {
  simId: number;
  resetCycle: ResetCycle | null;
  activatedAt: number | null;
}

const findDue = `
  select l.sim_id as "simId", b.reset_cycle as "resetCycle",
    (extract(epoch from coalesce(o.activated_at, s.activated_at)) * 1000)::float8 as "activatedAt"
  from sim_live l join sims s on s.id = l.sim_id left join bundles b on b.id = s.bundle_id
  left join lateral (select activated_at from bundle_orders
    where sim_id = s.id and bundle_id = s.bundle_id and status = 'in use' order by id limit 1) o on true
  where l.cycle_ends_at <= $1 order by l.cycle_ends_at limit ${chunk}`;

/**
 * Turns the cycles of SIMs that are silent: those that talk are turned by their own records. A stopped SIM would
 * never talk again without this.
 * @returns how many were turned
 */
export const turnDueCycles = async (options: {
  pool: pg.Pool;
  now: Date;
  signal?: AbortSignal;
}): Promise<number> => {
  const { pool, now, signal } = options;
  for (let total = 0; ; ) {
    const turned = await inTransaction(pool, async (tx) => {
      const { rows } = await tx.query<DueRow>(findDue, [now]);
      const cycles = rows.map(({ simId, resetCycle, activatedAt }) => {
        const { startedAt, endsAt } = cycleOf({ bundle: resetCycle && { resetCycle }, activatedAt }, now);
        return { simId, startedAt: startedAt.getTime(), endsAt: endsAt.getTime(), used: 0, limit: null };
      });
      await addLiveUsage(tx, cycles, now);
      return rows.length;
    });
    total += turned;
    if (turned < chunk || signal?.aborted) return total;
  }
};
