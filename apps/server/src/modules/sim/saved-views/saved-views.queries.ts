import type { Sql } from '../../../platform/db/index.ts';

export interface ViewOwner {
  orgId: number;
  userId: string;
}

export interface SavedViewRow {
  id: number;
  name: string;
  filter: unknown;
  created_at: Date;
}

/** Held until the transaction ends: a person's views are counted and added one at a time. */
export const lockViews = async (tx: Sql, { orgId, userId }: ViewOwner): Promise<void> => {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`sim.views:${orgId}:${userId}`]);
};

export const countViews = async (tx: Sql, { orgId, userId }: ViewOwner): Promise<number> =>
  (
    await tx.query<{ count: number }>('select count(*) from saved_views where org_id = $1 and user_id = $2', [
      orgId,
      userId,
    ])
  ).rows[0]?.count ?? 0;

/** @returns undefined when the name is taken */
export const insertView = async (
  tx: Sql,
  { orgId, userId }: ViewOwner,
  view: { name: string; filter: object; at: Date },
): Promise<SavedViewRow | undefined> =>
  (
    await tx.query<SavedViewRow>(
      `insert into saved_views (org_id, user_id, name, filter, created_at) values ($1, $2, $3, $4, $5)
       on conflict (org_id, user_id, folded(name)) do nothing returning id, name, filter, created_at`,
      [orgId, userId, view.name, JSON.stringify(view.filter), view.at],
    )
  ).rows[0];

export const deleteView = async (
  tx: Sql,
  { orgId, userId }: ViewOwner,
  id: string,
): Promise<SavedViewRow | undefined> =>
  (
    await tx.query<SavedViewRow>(
      `delete from saved_views where id = $3::bigint and org_id = $1 and user_id = $2
       returning id, name, filter, created_at`,
      [orgId, userId, id],
    )
  ).rows[0];
