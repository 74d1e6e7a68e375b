import type { PoolActivityKind, PoolEventKind } from '@simcube/contract/pool';
import type { Sql } from '../../../platform/db/index.ts';
import { emitFromSql } from '../../../platform/outbox/index.ts';
import { poolEventRecorded } from '../pool.events.ts';

/** Who changes a pool, as its events record it; empty if the change follows from usage or time. */
export interface PoolCause {
  actor?: string | null;
  task?: string | null;
}

export interface NewPoolEvent {
  poolId: number;
  at: Date;
  kind: PoolEventKind;
  limitBefore: number;
  limitAfter: number;
  used: number;
  sims: number;
  facts: Record<string, unknown>;
}

export const insertPoolEvent = async (tx: Sql, event: NewPoolEvent, by: PoolCause): Promise<void> => {
  const { poolId, at, kind, limitBefore, limitAfter, used, sims, facts } = event;
  await tx.query(
    `with entered as (
       insert into pool_events (pool_id, at, kind, limit_before_bytes, limit_after_bytes, used_bytes, sims, actor, task, facts)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning *),
     ${emitFromSql(
       poolEventRecorded,
       `select p.org_id, jsonb_build_object('poolId', p.id, 'poolName', p.name, 'at', e.at, 'kind', e.kind,
          'limitBefore', e.limit_before_bytes, 'limitAfter', e.limit_after_bytes, 'used', e.used_bytes, 'sims', e.sims)
        from entered e join pools p on p.id = e.pool_id`,
     )}`,
    [poolId, at, kind, limitBefore, limitAfter, used, sims, by.actor ?? null, by.task ?? null, facts],
  );
};

/** Recomputes the usage before each event in its cycle, for events that were entered before usage was counted. */
export const restateUsage = async (tx: Sql): Promise<void> => {
  await tx.query(
    `update pool_events e set used_bytes = (
       select coalesce(sum(u.up_bytes + u.down_bytes), 0) from pool_cycles c
       join pool_usage_hourly u on u.pool_id = c.pool_id and u.hour_at >= c.started_at and u.hour_at < e.at
       where c.pool_id = e.pool_id and c.started_at <= e.at and c.ends_at > e.at)`,
  );
};

export const insertActivity = async (
  tx: Sql,
  {
    poolId,
    simIds,
    at,
    kind,
  }: { poolId: number; simIds: readonly number[]; at: Date; kind: PoolActivityKind },
  by: PoolCause = {},
): Promise<void> => {
  await tx.query(
    `insert into pool_activity (pool_id, sim_id, at, kind, actor, task)
     select $1, sim_id, $3, $4, $5, $6 from unnest($2::bigint[]) as given (sim_id)`,
    [poolId, simIds, at, kind, by.actor ?? null, by.task ?? null],
  );
};
