import { limits } from '@simcube/contract';
import { lifecycleNumbers, type SimFilter, type SimRow, type simSorts } from '@simcube/contract/sim';
import { sql } from 'kysely';
import type { Condition, Fragment, List } from '../../../platform/lists/index.ts';
import { connectionNumbers } from '../sim.rules.ts';
import type { FindCosts, FindOverdue } from '../sim.views.ts';
import { type OrgSims, orgSims, scopedTo } from '../sim-scope.views.ts';
import { keys, usesTextIndex } from './sim-condition.views.ts';
import { conditionsOf } from './sim-filter.views.ts';
import { listRows } from './sim-rows.views.ts';

export type SimSort = (typeof simSorts)[number];

export interface SimListScope {
  orgId: number;
  /** Without it, rows don't show what the network has failed to do. */
  findOverdue?: FindOverdue;
  /** Without it, rows don't show costs. */
  costsOf?: FindCosts;
}

const scopeOf = ({ orgId }: SimListScope) => scopedTo({ id: orgId });

/** In order of entry, which is that of the tables, a row costs a fraction of one in any other order. */
const farRows = { byEntry: 50_000, byKey: 5000 };

/** Each identifier of a list names at most two SIMs: an IMSI of one may be the MSISDN of another. */
const maxIdentifiedSims = 2 * limits.bulkSearch;

/** The SIMs of each connection in the requested order, which an index provides per connection. */
const byConnection =
  (select: (connection: number) => Fragment) =>
  (orderedBy: Fragment): Fragment => {
    const pieces = Object.values(connectionNumbers).map(
      (number) =>
        sql`(select ${select(number)} from sim_live l where connection = ${sql.lit(number)} ${orderedBy})`,
    );
    return sql`(${sql.join(pieces, sql` union all `)}) as l`;
  };

/** The columns of the live state that orders and filters read, with the bytes from the column that the connection's index has. */
const withKnownBytes = (connection: number): Fragment => {
  const bytes = connection === connectionNumbers.online ? sql`used_bytes` : sql`settled_bytes as used_bytes`;
  return sql`org_id, sim_id, connection, last_session_key, usage_step, ${bytes}, limit_bytes, usage_percent, over_limit,
    ip, plmn, radio`;
};

/** The SIMs of an organisation, by default in order of entry. */
export const simList: List<SimListScope, SimFilter, { id: number }, SimRow, SimSort> = {
  name: 'sim.list',
  tables: [
    {
      name: 'sims',
      from: () => sql`sims s`,
      inScope: ({ scope }, beside) => (beside ? scopeOf(scope).simsUnindexed : scopeOf(scope).sims),
    },
    {
      name: 'live',
      from: () => sql`sim_live l`,
      on: sql`l.sim_id = s.id`,
      key: sql`l.sim_id`,
      inScope: ({ scope }) => scopeOf(scope).live,
    },
    {
      name: 'keys',
      from: () => keys,
      on: sql`k.key_sim_id = s.id`,
      key: sql`k.key_sim_id`,
      inScope: ({ scope }) => scopeOf(scope).keys,
    },
  ],
  key: { column: 'id', type: 'integer' },
  sorts: {
    iccid: { column: 'iccid', type: 'text', covers: ['lifecycle'] },
    device_name: { column: 'name_key', type: 'text', covers: ['name_key', 'lifecycle'] },
    lifecycle: { column: 'lifecycle', type: 'integer', covers: ['lifecycle'] },
    activated_at: { column: 'activated_key', type: 'instant', covers: ['activated_key', 'lifecycle'] },
    last_session_at: {
      column: 'last_session_key',
      type: 'instant',
      table: 'live',
      merged: byConnection(() => sql`*`),
      covers: ['last_session_key', 'connection'],
    },
    cycle_usage_bytes: [
      {
        column: 'usage_step',
        type: 'integer',
        table: 'live',
        merged: byConnection(withKnownBytes),
        covers: ['usage_step', 'used_bytes', 'connection'],
      },
      { column: 'used_bytes', type: 'integer', table: 'live' },
    ],
    cost: { column: 'cost', type: 'integer', table: 'keys', covers: ['cost'] },
    expires_at: { column: 'expires_key', type: 'instant', covers: ['expires_key', 'lifecycle'] },
  },
  order: [],
  filters: (db, filter, { scope, now }) => conditionsOf(db, { scope: scopeOf(scope), filter, now }),
  countLimit: limits.countedTotal,
  known: async (db, filter, { scope }) => {
    const org = await orgSims(db, scope);
    // If only the lifecycle is filtered, the counters know the total.
    const total = (conditions: readonly Condition[]) =>
      conditions.every(({ columns: [first, ...more] }) => first === 'lifecycle' && more.length === 0)
        ? countByLifecycle(org, filter)
        : undefined;
    return { rows: org.sims, isMostOfTable: org.isMost, total };
  },
  scopeAsFilter: (conditions, { isMostOfTable: isMost }) => isMost === true && conditions.some(usesTextIndex),
  searchLimits: (sort) => ({
    near: 1000,
    far: sort ? farRows.byKey : farRows.byEntry,
    sample: { few: 2000, many: 20_000, denseShare: 0.06, reducedCountAbove: 40_000, reducedCount: 1000 },
    few: maxIdentifiedSims,
  }),
  show: (rows, { db, scope, filter, now }) =>
    listRows(db, {
      ids: rows.map(({ id }) => id),
      now,
      findOverdue: scope.findOverdue,
      costsOf: (iccids) => scope.costsOf?.({ orgId: scope.orgId, iccids }),
      search: filter.search,
    }),
};

const countByLifecycle = ({ byLifecycle }: OrgSims, filter: SimFilter): number => {
  const numbers = filter.lifecycle?.length
    ? filter.lifecycle.map((name) => lifecycleNumbers[name] as number)
    : undefined;
  return byLifecycle.reduce(
    (sum, row) => (!numbers || numbers.includes(row.lifecycle) ? sum + row.sims : sum),
    0,
  );
};
