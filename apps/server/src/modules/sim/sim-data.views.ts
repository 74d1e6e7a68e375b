import type { SimData } from '@simcube/contract/sim';
import type { Db } from '../../platform/db/index.ts';
import { dataOf } from './sim-data.rules.ts';
import type { OwnSim } from './sim-scope.views.ts';

/** Columns of `sim_live` under the alias `l`, as the rule of a SIM's data reads them. */
export const dataColumns = [
  'l.data_state as dataState',
  'l.rate_kbps as rateKbps',
  'l.cycle_ends_at as cycleEndsAt',
  'l.pool_stopped_until as poolStoppedUntil',
  'l.held_until as heldUntil',
  'l.held_kbps as heldKbps',
] as const;

export const findData = async (db: Db, { sim, now }: { sim: OwnSim; now: Date }): Promise<SimData> =>
  dataOf(
    await db
      .selectFrom('sim_live as l')
      .select(dataColumns)
      .where('l.sim_id', '=', sim.id)
      .executeTakeFirstOrThrow(),
    now,
  );
