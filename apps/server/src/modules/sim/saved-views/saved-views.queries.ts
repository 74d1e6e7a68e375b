import type { SimFilter } from '@simcube/contract/sim';
import type { Sql } from '../../../platform/db/index.ts';

export interface ViewOwner {
  orgId: number;
  userId: string;
}

/** The content of a view. */
export interface ViewContent {
  name: string;
  filter: SimFilter;
  sort: string | null;
}

/** Locked until the transaction ends: a person's views are counted, named and added one at a time. */
export const lockViews = async (tx: Sql, { orgId, userId }: ViewOwner): Promise<void> => {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`sim.views:${orgId}:${userId}`]);
};

const countOf = async (tx: Sql, where: string, values: unknown[]): Promise<number> =>
  (await tx.query<{ count: number }>(`select count(*)::int as count from saved_views where ${where}`, values))
    .rows[0]?.count ?? 0;

export const countViews = (tx: Sql, { orgId, userId }: ViewOwner): Promise<number> =>
  countOf(tx, 'org_id = $1 and user_id = $2', [orgId, userId]);

export const countShared = (tx: Sql, orgId: number): Promise<number> =>
  countOf(tx, 'org_id = $1 and shared_at is not null', [orgId]);

/** Whether another view of the person in the organisation has the name. */
export const isNameTaken = async (
  tx: Sql,
  { orgId, userId }: ViewOwner,
  { name, exceptId }: { name: string; exceptId: number | null },
): Promise<boolean> =>
  (
    await tx.query(
      `select from saved_views where org_id = $1 and user_id = $2 and folded(name) = folded($3)
         and id is distinct from $4`,
      [orgId, userId, name, exceptId],
    )
  ).rows.length > 0;

/** @returns the id of the new view */
export const insertView = async (
  tx: Sql,
  { orgId, userId }: ViewOwner,
  { name, filter, sort, at }: ViewContent & { at: Date },
): Promise<string> => {
  const { rows } = await tx.query<{ id: number }>(
    `insert into saved_views (org_id, user_id, name, filter, sort, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6) returning id`,
    [orgId, userId, name, JSON.stringify(filter), sort, at],
  );
  return String(rows[0]?.id);
};

export const updateView = async (
  tx: Sql,
  id: number,
  { name, filter, sort, at }: ViewContent & { at: Date },
): Promise<void> => {
  await tx.query('update saved_views set name = $2, filter = $3, sort = $4, updated_at = $5 where id = $1', [
    id,
    name,
    JSON.stringify(filter),
    sort,
    at,
  ]);
};

/** @param at null: no longer shared */
export const setShared = async (tx: Sql, id: number, at: Date | null): Promise<void> => {
  await tx.query('update saved_views set shared_at = $2 where id = $1', [id, at]);
};

export const deleteView = async (tx: Sql, id: number): Promise<void> => {
  await tx.query('delete from saved_views where id = $1', [id]);
};

/** Turns the person's shared views into the organisation's. */
export const releaseSharedViews = async (
  tx: Sql,
  { orgId, userId }: ViewOwner,
): Promise<{ id: number; name: string }[]> =>
  (
    await tx.query<{ id: number; name: string }>(
      `update saved_views set user_id = null where org_id = $1 and user_id = $2 and shared_at is not null
       returning id, name`,
      [orgId, userId],
    )
  ).rows;

export const storeOrder = async (
  tx: Sql,
  { orgId, userId }: ViewOwner,
  ids: readonly string[],
): Promise<void> => {
  await tx.query(
    `insert into saved_view_orders (org_id, user_id, view_ids) values ($1, $2, $3::bigint[])
     on conflict (org_id, user_id) do update set view_ids = excluded.view_ids`,
    [orgId, userId, ids],
  );
};
