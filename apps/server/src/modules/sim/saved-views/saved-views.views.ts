import { limits } from '@simcube/contract';
import { type SavedView, savedViewSchema, simFilterSchema } from '@simcube/contract/sim';
import type { Sql } from '../../../platform/db/index.ts';
import { allowedActions, type Viewer } from './saved-views.rules.ts';

export interface StoredView {
  id: number;
  name: string;
  filter: unknown;
  sort: string | null;
  /** Null: the organisation's. */
  userId: string | null;
  owner: string | null;
  shared: boolean;
  createdAt: Date;
  updatedAt: Date;
}

/** The person and the organisation of the call. */
export interface ViewsCaller extends Viewer {
  orgId: number;
}

const columns = `v.id, v.name, v.filter, v.sort, v.user_id as "userId", concat_ws(' ', u.first_name, u.last_name) as owner,
  v.shared_at is not null as shared, v.created_at as "createdAt", v.updated_at as "updatedAt"`;
/** The views of the organisation that the person can see. */
const visible = `from saved_views v left join users u on u.id = v.user_id
  where v.org_id = $1 and (v.user_id = $2 or v.shared_at is not null)`;

/** Own and shared views of an organisation: in the person's order, then by name. */
export const listViews = async (sql: Sql, caller: ViewsCaller): Promise<SavedView[]> => {
  const { perPerson, shared } = limits.savedViews;
  const { rows } = await sql.query<StoredView>(
    `select ${columns} ${visible}
     order by array_position(
         (select view_ids from saved_view_orders where org_id = $1 and user_id = $2), v.id) nulls last,
       folded(v.name), v.id
     limit $3`,
    [caller.orgId, caller.userId, perPerson + shared],
  );
  return rows.map((row) => toSavedView(row, caller));
};

/** Locked until the transaction ends; undefined if the person can see none. */
export const findView = async (
  tx: Sql,
  { orgId, userId }: ViewsCaller,
  id: string,
): Promise<StoredView | undefined> =>
  (
    await tx.query<StoredView>(`select ${columns} ${visible} and v.id = $3::bigint for update of v`, [
      orgId,
      userId,
      id,
    ])
  ).rows[0];

/** The number of these views that the person can see. */
export const countVisible = async (
  tx: Sql,
  { orgId, userId }: ViewsCaller,
  ids: readonly string[],
): Promise<number> =>
  (
    await tx.query<{ count: number }>(
      `select count(*)::int as count ${visible} and v.id = any($3::bigint[])`,
      [orgId, userId, ids],
    )
  ).rows[0]?.count ?? 0;

/** A view saved when filters had other keys or values keeps those that are still valid. */
export const toSavedView = (row: StoredView, viewer: Viewer): SavedView => ({
  id: String(row.id),
  name: row.name,
  ...validFilter(row.filter),
  sort: savedViewSchema.shape.sort.safeParse(row.sort).data ?? null,
  shared: row.shared,
  own: row.userId === viewer.userId,
  owner: row.userId === null ? null : row.owner,
  may: allowedActions({ ownerId: row.userId, shared: row.shared }, viewer),
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});

const validFilter = (filter: unknown): Pick<SavedView, 'filter' | 'outdated'> => {
  const parsed = simFilterSchema.safeParse(filter);
  if (parsed.success) return { filter: parsed.data, outdated: false };
  const fields = Object.entries(filter as Record<string, unknown>).filter(
    ([key, value]) => simFilterSchema.safeParse({ [key]: value }).success,
  );
  return { filter: simFilterSchema.parse(Object.fromEntries(fields)), outdated: true };
};
