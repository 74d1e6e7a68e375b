import type { Sql } from '../../platform/db/index.ts';
import type { CycleRow } from './pool.rules.ts';

/** The cycle that holds an instant. */
export const findCycle = async (sql: Sql, poolId: number, at: Date): Promise<CycleRow | undefined> =>
  (
    await sql.query<CycleRow>(
      `select started_at as "startedAt", ends_at as "endsAt", launched_at as "launchedAt", over_at as "overAt"
       from pool_cycles where pool_id = $1 and started_at <= $2 and ends_at > $2`,
      [poolId, at],
    )
  ).rows[0];

/** The limit of a cycle: the sum of its terms, never below zero. */
export const sumTerms = async (sql: Sql, poolId: number, cycleStart: Date): Promise<number> =>
  (
    await sql.query<{ bytes: number }>(
      `select greatest(coalesce(sum(bytes), 0), 0)::bigint as bytes from pool_terms
       where pool_id = $1 and from_at <= $2 and coalesce(until_at, 'infinity') > $2`,
      [poolId, cycleStart],
    )
  ).rows[0]?.bytes ?? 0;

/** What has been used of a cycle, over all shards of its counter. */
export const sumShards = async (sql: Sql, poolId: number, cycleStart: Date): Promise<number> =>
  (
    await sql.query<{ bytes: number }>(
      `select coalesce(sum(used_bytes), 0)::bigint as bytes from pool_counters
       where pool_id = $1 and cycle_started_at = $2`,
      [poolId, cycleStart],
    )
  ).rows[0]?.bytes ?? 0;
