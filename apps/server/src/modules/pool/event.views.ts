import { limits } from '@simcube/contract';
import {
  type PoolEvent,
  type PoolEventDetail,
  type PoolEventGroup,
  type PoolEventKind,
  poolEventsOf,
} from '@simcube/contract/pool';
import { sql } from 'kysely';
import type { Sql } from '../../platform/db/index.ts';
import type { List } from '../../platform/lists/index.ts';

interface EventRow {
  id: number;
  pool_id: number;
  pool_name: string;
  at: Date;
  kind: PoolEventKind;
  limit_before_bytes: number;
  limit_after_bytes: number;
  used_bytes: number;
  sims: number;
  actor: string | null;
  task: string | null;
}

const fields = 'at, kind, limit_before_bytes, limit_after_bytes, used_bytes, sims, actor, task';

const toPoolEvent = ({ id, pool_id, pool_name: name, at, actor: by, ...row }: EventRow): PoolEvent => {
  const { kind, limit_before_bytes, limit_after_bytes, used_bytes, sims, task } = row;
  const pool = { id: String(pool_id), name };
  const figures = { limit_before_bytes, limit_after_bytes, used_bytes, sims };
  return { id: String(id), pool, at: at.toISOString(), kind, ...figures, by, task };
};

/** Events of an organisation's pools, latest first. */
export const eventList: List<
  { orgId: number },
  { poolId?: string | undefined; kind?: PoolEventKind | undefined; group?: PoolEventGroup | undefined },
  EventRow,
  PoolEvent
> = {
  name: 'pool.events',
  tables: [
    {
      name: 'events',
      from: () => sql`(select e.*, p.org_id, p.name as pool_name
        from pool_events e join pools p on p.id = e.pool_id) as events`,
      inScope: ({ scope }) => sql`org_id = ${scope.orgId}`,
    },
  ],
  key: { column: 'id', type: 'integer', descending: true },
  order: [{ column: 'at', type: 'instant', descending: true }],
  filters: {
    poolId: (id) => sql`pool_id = ${id}`,
    kind: (kind) => sql`kind = ${kind}`,
    group: (group) => sql`kind = any(${poolEventsOf[group]})`,
  },
  countLimit: limits.countedTotal,
  select: sql`id, pool_id, pool_name, ${sql.raw(fields)}`,
  show: (rows) => rows.map(toPoolEvent),
};

/** One event with its facts; undefined if it belongs to none of the organisation's pools. */
export const findEvent = async (
  db: Sql,
  { orgId, id }: { orgId: number; id: number },
): Promise<PoolEventDetail | undefined> => {
  const { rows } = await db.query<EventRow & Pick<PoolEventDetail, 'facts'>>(
    `select e.id, e.pool_id, p.name as pool_name, ${fields}, e.facts
     from pool_events e join pools p on p.id = e.pool_id where e.id = $1 and p.org_id = $2`,
    [id, orgId],
  );
  const [row] = rows;
  return row && { ...toPoolEvent(row), facts: row.facts };
};
