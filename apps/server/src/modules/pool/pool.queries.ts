import type { ResetCycle } from '@simcube/contract/bundle';
import type { PoolSpec, poolPolicies } from '@simcube/contract/pool';
import { rowsOf, type Sql } from '../../platform/db/index.ts';
import type { ActivationRule, CycleRow, PoolCycle, Shard, Term } from './pool.rules.ts';

export interface PoolRow {
  id: number;
  orgId: number;
  name: string;
  bundleId: number;
  bundleCode: string;
  /** What one member contributes to a whole cycle. */
  baseBytes: number;
  resetCycle: ResetCycle;
  policy: (typeof poolPolicies)[number];
  optIn: PoolSpec['opt_in'];
  activationRule: ActivationRule;
  createdAt: Date;
}

const poolColumns = `
  p.id, p.org_id as "orgId", p.name, b.id as "bundleId", b.code as "bundleCode", b.quota_bytes as "baseBytes",
  b.reset_cycle as "resetCycle", p.policy, p.opt_in as "optIn", p.activation_rule as "activationRule",
  p.created_at as "createdAt"`;
const pools = 'pools p join bundles b on b.id = p.bundle_id';

/** Serialises changes of a pool: each sees the result of the previous one. */
export const lockPool = async (tx: Sql, poolId: number): Promise<PoolRow | undefined> =>
  (
    await tx.query<PoolRow>(`select ${poolColumns} from ${pools} where p.id = $1 for no key update of p`, [
      poolId,
    ])
  ).rows[0];

/** Finds a pool by the organisation's code and its current name, else by a former one. */
export const findPoolByName = async (
  sql: Sql,
  { organisation, name }: { organisation: string; name: string },
): Promise<PoolRow | undefined> =>
  (
    await sql.query<PoolRow>(
      `select ${poolColumns} from ${pools} join organisations o on o.id = p.org_id
       where lower(o.code) = lower($1) and folded($2) in (select folded(n) from unnest(p.name || p.former_names) as named (n))
       order by folded(p.name) = folded($2) desc, p.id desc limit 1`,
      [organisation, name],
    )
  ).rows[0];

export const findPoolParts = async (
  sql: Sql,
  { organisation, bundle }: { organisation: string; bundle: string },
): Promise<{
  orgId: number | null;
  bundleId: number | null;
  type: string | null;
  quotaBytes: number | null;
  policy: string | null;
  resetCycle: ResetCycle | null;
}> => {
  const { rows } = await sql.query(
    `select o.id as "orgId", b.id as "bundleId", b.type, b.quota_bytes as "quotaBytes", b.overage_policy as policy,
       b.reset_cycle as "resetCycle"
     from (select 1) as one left join organisations o on lower(o.code) = lower($1) left join bundles b on b.code = $2`,
    [organisation, bundle],
  );
  return rows[0];
};

/** @returns undefined if the organisation already has a pool with this name, or one that enrols for the same bundle */
export const insertPool = async (
  tx: Sql,
  pool: { orgId: number; bundleId: number; spec: PoolSpec; at: Date },
): Promise<number | undefined> => {
  const { orgId, bundleId, spec, at } = pool;
  const { rows } = await tx.query<{ id: number }>(
    `insert into pools (org_id, bundle_id, name, policy, opt_in, activation_rule, created_at)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning id`,
    [orgId, bundleId, spec.name, spec.policy, spec.opt_in, spec.activation_rule, at],
  );
  return rows[0]?.id;
};

const maxFormerNames = 50;

/** @returns false if another pool has the name, or enrols for the same bundle */
export const updatePool = async (
  tx: Sql,
  { id, name, policy, optIn, activationRule }: PoolRow,
  at: Date,
): Promise<boolean> => {
  const { rowCount } = await tx.query(
    `update pools p set name = $2, policy = $3, opt_in = $4, activation_rule = $5,
       automatic_since = case when $4 = 'automatic' and opt_in <> $4 then $6 else automatic_since end,
       former_names = case when folded(name) = folded($2) then former_names
         else (array_remove(former_names, name) || name)[greatest(1, cardinality(former_names) + 2 - ${maxFormerNames}) :] end
     where p.id = $1
     and not exists (select from pools o where o.org_id = p.org_id and o.id <> p.id
       and (folded(o.name) = folded($2) or ($4 = 'automatic' and o.opt_in = 'automatic' and o.bundle_id = p.bundle_id)))`,
    [id, name, policy, optIn, activationRule, at],
  );
  return rowCount === 1;
};

export const insertCycles = async (tx: Sql, poolId: number, cycles: readonly PoolCycle[]): Promise<void> => {
  await tx.query(
    `insert into pool_cycles (pool_id, started_at, ends_at)
     select $1, * from unnest($2::timestamptz[], $3::timestamptz[]) on conflict do nothing`,
    [poolId, cycles.map(({ startedAt }) => startedAt), cycles.map(({ endsAt }) => endsAt)],
  );
};

export const updateCycle = async (
  tx: Sql,
  poolId: number,
  { startedAt, launchedAt, overAt }: CycleRow,
): Promise<void> => {
  await tx.query(
    'update pool_cycles set launched_at = $3, over_at = $4 where pool_id = $1 and started_at = $2',
    [poolId, startedAt, launchedAt, overAt],
  );
};

/** Records the policy of a pool's ended cycles before it changes: what they were charged must not change with it. */
export const keepPolicy = async (
  tx: Sql,
  { id, policy }: Pick<PoolRow, 'id' | 'policy'>,
  at: Date,
): Promise<void> => {
  await tx.query(
    'update pool_cycles set policy = $2 where pool_id = $1 and ends_at <= $3 and policy is null',
    [id, policy, at],
  );
};

/** Pools whose running cycle is not recorded, or whose cycles do not extend far enough ahead. */
export const listPoolsToRollOver = async (
  sql: Sql,
  { now, ahead }: { now: Date; ahead: Date },
): Promise<number[]> =>
  (
    await sql.query<{ id: number }>(
      `select p.id from pools p
       where exists (select from pool_cycles c where c.pool_id = p.id and c.started_at <= $1 and c.ends_at > $1 and c.launched_at is null)
         or not exists (select from pool_cycles c where c.pool_id = p.id and c.ends_at > $2)
       order by p.id`,
      [now, ahead],
    )
  ).rows.map(({ id }) => id);

/** For the sweep: pools with a counter that waits for an evaluation, or that are over their limit. */
export const listPoolsToEvaluate = async (sql: Sql, now: Date): Promise<number[]> =>
  (
    await sql.query<{ id: number }>(
      `select pool_id as id from pool_cycles where over_at is not null and started_at <= $1 and ends_at > $1
       union
       select s.pool_id from pool_counters s
         join pool_cycles c on c.pool_id = s.pool_id and c.started_at = s.cycle_started_at
       where s.wake_bytes is null and s.cycle_started_at <= $1 and c.ends_at > $1
       order by 1`,
      [now],
    )
  ).rows.map(({ id }) => id);

export const insertTerms = async (
  tx: Sql,
  poolId: number,
  terms: readonly (Term & { simId: number | null })[],
  at: Date,
): Promise<void> => {
  if (terms.length === 0) return;
  await tx.query(
    `insert into pool_terms (pool_id, created_at, sim_id, kind, bytes, from_at, until_at)
     select $1, $2, * from unnest($3::bigint[], $4::text[], $5::bigint[], $6::timestamptz[], $7::timestamptz[])`,
    [
      poolId,
      at,
      terms.map(({ simId }) => simId),
      terms.map(({ kind }) => kind),
      terms.map(({ bytes }) => bytes),
      terms.map(({ fromAt }) => fromAt),
      terms.map(({ untilAt }) => untilAt),
    ],
  );
};

/** Ends contributions with the cycle: they remain to its end, but are not in the following ones. */
export const endTerms = async (
  tx: Sql,
  poolId: number,
  simIds: readonly number[],
  cycleEnd: Date,
): Promise<void> => {
  await tx.query(
    'delete from pool_terms where pool_id = $1 and sim_id = any($2::bigint[]) and from_at >= $3',
    [poolId, simIds, cycleEnd],
  );
  await tx.query(
    `update pool_terms set until_at = $3 where pool_id = $1 and sim_id = any($2::bigint[])
     and coalesce(until_at, 'infinity') > $3`,
    [poolId, simIds, cycleEnd],
  );
};

/** The SIMs that contribute to this cycle of the pool. */
export const listContributors = async (
  tx: Sql,
  poolId: number,
  simIds: readonly number[],
  cycleStart: Date,
): Promise<Set<number>> =>
  new Set(
    (
      await tx.query<{ id: number }>(
        `select sim_id as id from pool_terms where pool_id = $1 and sim_id = any($2::bigint[]) and from_at <= $3
           and coalesce(until_at, 'infinity') > $3`,
        [poolId, simIds, cycleStart],
      )
    ).rows.map(({ id }) => id),
  );

/** Locks the shards of a cycle's counter: concurrent counting either commits before, or sees what is decided. */
export const lockShards = async (tx: Sql, poolId: number, cycleStart: Date): Promise<Shard[]> =>
  (
    await tx.query<Shard>(
      `select shard, used_bytes as used from pool_counters where pool_id = $1 and cycle_started_at = $2
       order by shard for update`,
      [poolId, cycleStart],
    )
  ).rows;

/** Sets at which usage each shard triggers the evaluation, and whether members over their own contribution must be stopped. */
export const setShardThresholds = async (
  tx: Sql,
  { poolId, cycleStart, stops }: { poolId: number; cycleStart: Date; stops: boolean },
  thresholds: ReadonlyMap<number, number>,
): Promise<void> => {
  await tx.query(
    `update pool_counters t set wake_bytes = v.wake, stops = $5
     from ${rowsOf({ shard: 'smallint', wake: 'bigint' })} as v
     where t.pool_id = $3 and t.cycle_started_at = $4 and t.shard = v.shard`,
    [[...thresholds.keys()], [...thresholds.values()], poolId, cycleStart, stops],
  );
};
