import { limits } from '@simcube/contract';
import type {
  Pool,
  PoolActivity,
  PoolActivityKind,
  PoolSpec,
  poolSorts,
  poolStates,
} from '@simcube/contract/pool';
import { sql } from 'kysely';
import type { Sql } from '../../platform/db/index.ts';
import type { List } from '../../platform/lists/index.ts';
import { limitOfTerms } from './cycles/cycle.views.ts';

/** The limit of the cycle `c` of the pool `p`, its usage, and the contribution of a member `m` to it. */
const limit = `(select ${limitOfTerms} from pool_terms t
  where t.pool_id = p.id and t.from_at <= c.started_at and coalesce(t.until_at, 'infinity') > c.started_at)`;
const used = `(select coalesce(sum(s.used_bytes), 0)::bigint from pool_counters s
  where s.pool_id = p.id and s.cycle_started_at = c.started_at)`;
const running = 'join pool_cycles c on c.pool_id = p.id and c.started_at <= $1 and c.ends_at > $1';

interface PoolWithFigures extends Omit<Pool, 'id' | 'bundle' | 'cycle_started_at' | 'cycle_ends_at'> {
  id: number;
  bundle_code: string;
  bundle_name: string;
  cycle_started_at: Date;
  cycle_ends_at: Date;
}

/** Pools of an organisation by id, with the figures of the running cycle. */
export const findPools = async (
  db: Sql,
  { orgId, ids, now }: { orgId: number; ids: readonly number[]; now: Date },
): Promise<Pool[]> => {
  const { rows } = await db.query<PoolWithFigures>(
    `select p.id, p.name, b.code as bundle_code, b.name as bundle_name, b.quota_bytes as base_limit_bytes,
       m.sims, m.activated_sims, ${used} as used_bytes, ${limit} as limit_bytes, c.over_at is not null as over,
       p.policy, p.opt_in, p.activation_rule, c.started_at as cycle_started_at, c.ends_at as cycle_ends_at
     from pools p join bundles b on b.id = p.bundle_id ${running}
     cross join lateral (
       select count(*)::int as sims, count(activated_at)::int as activated_sims from pool_members
       where pool_id = p.id and left_at is null) as m
     where p.org_id = $2 and p.id = any($3::bigint[])`,
    [now, orgId, ids],
  );
  const byId = new Map(rows.map((row) => [row.id, toPool(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
};

const toPool = ({ id, bundle_code: code, bundle_name: name, ...row }: PoolWithFigures): Pool => ({
  ...row,
  id: String(id),
  bundle: { code, name },
  cycle_started_at: row.cycle_started_at.toISOString(),
  cycle_ends_at: row.cycle_ends_at.toISOString(),
});

interface PoolSearch {
  search?: string | undefined;
}
interface PoolFilter extends PoolSearch {
  state?: (typeof poolStates)[number] | undefined;
  policy?: Pool['policy'] | undefined;
  opt_in?: Pool['opt_in'] | undefined;
}
type PoolList<Item, Filter extends PoolSearch, Sort extends string = never> = List<
  { orgId: number },
  Filter,
  { id: number; name: string },
  Item,
  Sort
>;

const poolsOf = {
  tables: [
    {
      name: 'pools',
      from: () => sql`pools p`,
      inScope: ({ scope }: { scope: { orgId: number } }) => sql<boolean>`org_id = ${scope.orgId}`,
    },
  ],
  key: { column: 'id', type: 'integer' },
  filters: {
    // The operator creates few enough pools to check each one.
    search: (part: string) =>
      sql<boolean>`strpos(folded(p.name || E'\\n' || (select b.code || E'\\n' || b.name from bundles b where b.id = p.bundle_id)), folded(${part})) > 0`,
  },
  countLimit: 'all',
  select: sql`id, name`,
} as const;
const byName = { column: sql`folded(p.name)`, type: 'text' } as const;

export const poolNames: PoolList<{ id: string; name: string }, PoolSearch> = {
  ...poolsOf,
  name: 'pool.names',
  order: [byName],
  show: (rows) => rows.map(({ id, name }) => ({ id: String(id), name })),
};

/** The caller adds the figures. */
export const poolList: PoolList<number, PoolFilter, (typeof poolSorts)[number]> = {
  ...poolsOf,
  name: 'pool.pools',
  sorts: { name: byName, created_at: { column: 'created_at', type: 'instant' } },
  order: 'name',
  filters: {
    ...poolsOf.filters,
    state: (state, { now }) => {
      const running = sql`pool_cycles c where c.pool_id = p.id and c.started_at <= ${now} and c.ends_at > ${now}`;
      return sql`exists (select from ${running} and (c.over_at is not null) = ${state === 'over'})`;
    },
    policy: (policy) => sql`policy = ${policy}`,
    opt_in: (optIn) => sql`opt_in = ${optIn}`,
  },
  show: (rows) => rows.map(({ id }) => id),
};

interface ActivityRow {
  at: Date;
  iccid: string;
  device_name: string | null;
  kind: PoolActivityKind;
  actor: string | null;
  task: string | null;
}

/** Events of a pool's members, latest first. */
export const activityList: List<{ poolId: number }, object, ActivityRow, PoolActivity> = {
  name: 'pool.activity',
  tables: [
    {
      name: 'activity',
      from: () => sql`(select a.id, a.pool_id, a.at, a.kind, a.actor, a.task, s.iccid,
          -- Of a SIM that has gone to another organisation, the name is that one's.
          case when s.org_id = p.org_id then s.device_name end as device_name
        from pool_activity a join pools p on p.id = a.pool_id join sims s on s.id = a.sim_id) as activity`,
      inScope: ({ scope }) => sql`pool_id = ${scope.poolId}`,
    },
  ],
  key: { column: 'id', type: 'integer', descending: true },
  order: [],
  filters: {},
  countLimit: limits.countedTotal,
  select: sql`at, iccid, device_name, kind, actor, task`,
  show: (rows) =>
    rows.map(({ at, iccid, device_name, kind, actor: by, task }) => ({
      at: at.toISOString(),
      iccid,
      device_name,
      kind,
      by,
      task,
    })),
};

/** Definitions of all pools in the catalogue file's format; of one organisation if its code is given. */
export const listPoolSpecs = async (sql: Sql, organisation?: string): Promise<PoolSpec[]> =>
  (
    await sql.query<PoolSpec>(
      `select o.code as organisation, p.name, b.code as bundle, p.policy, p.opt_in, p.activation_rule
       from pools p join organisations o on o.id = p.org_id join bundles b on b.id = p.bundle_id
       where $1::text is null or lower(o.code) = lower($1) order by o.code, folded(p.name)`,
      [organisation ?? null],
    )
  ).rows;

/** Ids of an organisation's pools by name, up to one page of the list. */
export const listPoolIds = async (sql: Sql, organisation: string): Promise<string[]> =>
  (
    await sql.query<{ id: string }>(
      `select p.id::text from pools p join organisations o on o.id = p.org_id
       where lower(o.code) = lower($1) order by folded(p.name) limit $2`,
      [organisation, limits.page.default],
    )
  ).rows.map(({ id }) => id);

/** A pool of the organisation, with details that lists omit; undefined if it is not the organisation's. */
export const findPool = async (
  sql: Sql,
  { orgId, id, now }: { orgId: number; id: number; now: Date },
): Promise<{ pool: Pool; bundleId: number; createdAt: Date } | undefined> => {
  const [pool] = await findPools(sql, { orgId, ids: [id], now });
  const { rows } = await sql.query<{ bundleId: number; createdAt: Date }>(
    'select bundle_id as "bundleId", created_at as "createdAt" from pools where id = $1 and org_id = $2',
    [id, orgId],
  );
  return pool && rows[0] && { pool, ...rows[0] };
};

/** A row of the operator's list. */
export interface PoolLine extends PoolSpec {
  sims: number;
  used_bytes: number;
  limit_bytes: number;
}

const maxListed = 10_000;

/** Pools of all organisations with the figures of the running cycle. */
export const listPoolLines = async (sql: Sql, now: Date): Promise<PoolLine[]> =>
  (
    await sql.query<PoolLine>(
      `select o.code as organisation, p.name, b.code as bundle, p.policy, p.opt_in, p.activation_rule,
         (select count(*)::int from pool_members where pool_id = p.id and left_at is null) as sims,
         ${used} as used_bytes, ${limit} as limit_bytes
       from pools p join organisations o on o.id = p.org_id join bundles b on b.id = p.bundle_id ${running}
       order by o.code, folded(p.name) limit ${maxListed}`,
      [now],
    )
  ).rows;
