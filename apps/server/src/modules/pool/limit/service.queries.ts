import { int8Column, rowsOf, type Sql, timestampColumn } from '../../../platform/db/index.ts';

/** A member whose data service must change. */
export interface ServiceChange {
  poolId: number;
  simId: number;
  orgId: number;
  stops: boolean;
  /** Milliseconds; null to release it. */
  until: number | null;
}

/** A member's contribution to the cycle `c`, as a subquery. */
const own = `(select coalesce(sum(t.bytes), 0) from pool_terms t
  where t.pool_id = m.pool_id and t.sim_id = m.sim_id and t.from_at <= c.started_at
    and coalesce(t.until_at, 'infinity') > c.started_at)`;
/** While a member's order waits, its data belongs to another bundle: it is not stopped and not over. */
const isAbove = `m.activated_at is not null and (select u.used_bytes from pool_usage u
  where u.pool_id = m.pool_id and u.cycle_started_at = c.started_at and u.sim_id = m.sim_id) > ${own}`;

/** Members whose service differs from what it must be now. */
export const listServiceChanges = async (
  sql: Sql,
  { poolIds, now, simIds }: { poolIds: readonly number[]; now: Date; simIds?: readonly number[] | undefined },
): Promise<ServiceChange[]> =>
  (
    await sql.query<ServiceChange>(
      `select m.pool_id as "poolId", l.sim_id as "simId", l.org_id as "orgId", w.until is not null as stops,
         date_part('epoch', w.until) * 1000 as until
       from pool_members m
       join pools p on p.id = m.pool_id
       join pool_cycles c on c.pool_id = p.id and c.started_at <= $2 and c.ends_at > $2
       join sim_live l on l.sim_id = m.sim_id
       cross join lateral (
         select case when c.over_at is not null and p.policy = 'stop overage SIMs' and ${isAbove} then c.ends_at end as until) as w
       where m.pool_id = any($1::bigint[]) and m.left_at is null
         and ($3::bigint[] is null or m.sim_id = any($3::bigint[]))
         and case when l.pool_stopped_until > $2 then l.pool_stopped_until end is distinct from w.until
       order by l.sim_id`,
      [poolIds, now, simIds ?? null],
    )
  ).rows;

/** Writes a new version of the rows, so that intake reads them again. */
export const writeService = async (
  tx: Sql,
  changes: readonly Pick<ServiceChange, 'simId' | 'until'>[],
): Promise<void> => {
  if (changes.length === 0) return;
  await tx.query(
    `update sim_live l set pool_stopped_until = v.until, lifecycle_changes = l.lifecycle_changes + 1
     from ${rowsOf({ sim_id: 'bigint', until: 'timestamptz' })} as v where l.sim_id = v.sim_id`,
    [int8Column(changes, ({ simId }) => simId), timestampColumn(changes, ({ until }) => until)],
  );
};

/** Number of active members that used more than their own contribution in a cycle. */
export const countOverage = async (sql: Sql, poolId: number, cycleStart: Date): Promise<number> =>
  (
    await sql.query<{ sims: number }>(
      `select count(*)::int as sims from pool_members m join pool_cycles c on c.pool_id = m.pool_id and c.started_at = $2
       where m.pool_id = $1 and m.left_at is null and ${isAbove}`,
      [poolId, cycleStart],
    )
  ).rows[0]?.sims ?? 0;

/** Marks SIMs as counted for pools. The caller has locked them; intake reads them again. */
export const markPooled = async (tx: Sql, simIds: readonly number[]): Promise<void> => {
  await tx.query(
    `update sim_live l set pooled = true, lifecycle_changes = l.lifecycle_changes + 1 where l.sim_id = any($1::bigint[])`,
    [simIds],
  );
};

/**
 * From here on the pool's limit applies to these SIMs instead of their own. Intake reads them again. The caller has
 * locked them.
 */
export const applyPoolLimit = async (tx: Sql, simIds: readonly number[]): Promise<void> => {
  await tx.query(
    `update sim_live l set over_limit = false, threshold_bytes = null, lifecycle_changes = l.lifecycle_changes + 1
     where l.sim_id = any($1::bigint[])`,
    [simIds],
  );
};

/**
 * Members that leave and keep their bundle have their own limit again, for what they use from now on: what they used
 * before is the pool's. The caller has locked them.
 */
export const applyOwnLimit = async (tx: Sql, simIds: readonly number[]): Promise<void> => {
  await tx.query(
    `update sim_live l set threshold_bytes = least(l.used_bytes::numeric + l.limit_bytes, ${Number.MAX_SAFE_INTEGER})
     where l.sim_id = any($1::bigint[]) and l.threshold_bytes is null and not l.over_limit and l.limit_bytes is not null`,
    [simIds],
  );
};

/** Locks the rows of SIMs in the order of ids, as intake and transfers do. */
export const lockSimRows = async (tx: Sql, simIds: readonly number[]): Promise<void> => {
  await tx.query('select from sim_live where sim_id = any($1::bigint[]) order by sim_id for update', [
    simIds,
  ]);
};

export const countMembers = async (sql: Sql, poolId: number): Promise<number> =>
  (
    await sql.query<{ sims: number }>(
      'select count(*)::int as sims from pool_members where pool_id = $1 and left_at is null',
      [poolId],
    )
  ).rows[0]?.sims ?? 0;
