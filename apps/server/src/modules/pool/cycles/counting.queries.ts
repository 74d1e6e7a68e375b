import { int8Column, rowsOf, type Sql, type Statement, timestampColumn } from '../../../platform/db/index.ts';
import { emitFromSql } from '../../../platform/outbox/index.ts';
import { poolUsageCrossed } from '../pool.events.ts';

/** A record of a SIM that is or was in a pool. */
export interface PooledRecord {
  simId: number;
  /** When it ended, milliseconds. */
  at: number;
  up: number;
  down: number;
}

/** Number of shards of a pool's counter; connections may share one by chance, and then only wait for each other. */
export const shards = 16;
/** The shard that this connection's records are counted in. */
export const shard = `(pg_backend_pid() % ${shards})::smallint`;

/*
 * Each record counts for the pool in which the SIM was an active member when the record ended, and for the cycle that
 * contains that time. The counter's rows are written last and return what was decided concurrently: whether a figure
 * was reached, and whether members must be stopped.
 */
const count = `
  with v as (select * from ${rowsOf({ sim_id: 'bigint', at: 'timestamptz', up: 'bigint', down: 'bigint' })} as given),
  placed as materialized (
    select m.pool_id, c.started_at, m.sim_id, date_trunc('hour', v.at, 'UTC') as hour_at, sum(v.up)::bigint as up,
      sum(v.down)::bigint as down, count(*) as records
    from v
    cross join lateral (
      select pool_id, sim_id from pool_members where sim_id = v.sim_id and activated_at <= v.at
        and coalesce(left_at, 'infinity') > v.at offset 0) as m
    cross join lateral (
      select started_at from pool_cycles where pool_id = m.pool_id and started_at <= v.at and ends_at > v.at
      order by started_at desc limit 1) as c
    group by 1, 2, 3, 4),
  members as (
    insert into pool_usage as t (pool_id, cycle_started_at, sim_id, used_bytes)
    select pool_id, started_at, sim_id, sum(up + down) from placed group by 1, 2, 3 order by 1, 2, 3
    on conflict (pool_id, cycle_started_at, sim_id) do update set used_bytes = t.used_bytes + excluded.used_bytes
    returning t.pool_id, t.cycle_started_at, t.sim_id, t.used_bytes),
  hours as (
    insert into pool_usage_hourly as t (pool_id, hour_at, shard, up_bytes, down_bytes, records)
    select pool_id, hour_at, ${shard}, sum(up), sum(down), sum(records) from placed group by 1, 2 order by 1, 2
    on conflict (pool_id, hour_at, shard) do update set up_bytes = t.up_bytes + excluded.up_bytes,
      down_bytes = t.down_bytes + excluded.down_bytes, records = t.records + excluded.records),
  counters as (
    insert into pool_counters as t (pool_id, cycle_started_at, shard, used_bytes, crossed)
    select pool_id, started_at, ${shard}, sum(up + down), true from placed group by 1, 2 order by 1, 2
    on conflict (pool_id, cycle_started_at, shard) do update set used_bytes = t.used_bytes + excluded.used_bytes,
      crossed = coalesce(t.used_bytes + excluded.used_bytes >= t.wake_bytes, false),
      wake_bytes = case when t.used_bytes + excluded.used_bytes >= t.wake_bytes then null else t.wake_bytes end
    returning t.pool_id, t.cycle_started_at, t.crossed, t.stops),
  facts as (
    select c.pool_id, c.cycle_started_at, c.crossed, above.sims from counters c
    cross join lateral (
      select json_agg(m.sim_id) as sims from members m
      where c.stops and m.pool_id = c.pool_id and m.cycle_started_at = c.cycle_started_at
        and m.used_bytes > (
          select coalesce(sum(t.bytes), 0) from pool_terms t
          where t.pool_id = m.pool_id and t.sim_id = m.sim_id and t.from_at <= m.cycle_started_at
            and coalesce(t.until_at, 'infinity') > m.cycle_started_at)) as above
    where c.crossed or above.sims is not null),
  ${emitFromSql(
    poolUsageCrossed,
    `select p.org_id, json_build_object('poolId', p.id, 'cycleStartedAt', f.cycle_started_at, 'isReached', f.crossed,
       'simIds', f.sims)::jsonb from facts f join pools p on p.id = f.pool_id`,
  )}`;

/** Counts records for the pools of their SIMs, in the transaction of the records, after the rows of the SIMs are locked. */
export const countForPools = (records: readonly PooledRecord[]): Statement[] => {
  if (records.length === 0) return [];
  const values = [
    int8Column(records, ({ simId }) => simId),
    timestampColumn(records, ({ at }) => at),
    int8Column(records, ({ up }) => up),
    int8Column(records, ({ down }) => down),
  ];
  return [{ name: 'pool-count', text: count, values }];
};

/** The usage of SIMs since they became active members, before that was recorded. The caller has locked the rows of the SIMs. */
export const listRecordsSince = async (
  tx: Sql,
  since: readonly { simId: number; at: Date }[],
): Promise<PooledRecord[]> => {
  const { rows } = await tx.query<PooledRecord>(
    `select c.sim_id as "simId", (extract(epoch from c.ended_at) * 1000)::float8 as at, c.up_bytes as up, c.down_bytes as down
     from unnest($1::bigint[], $2::timestamptz[]) as v (sim_id, at)
     join cdrs c on c.sim_id = v.sim_id and c.ended_at >= v.at`,
    [since.map(({ simId }) => simId), since.map(({ at }) => at)],
  );
  return rows;
};
