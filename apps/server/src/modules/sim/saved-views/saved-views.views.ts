import { limits } from '@simcube/contract';
import { type SavedView, simFilterSchema } from '@simcube/contract/sim';
import type { Sql } from '../../../platform/db/index.ts';

export interface StoredView {
  id: number;
  name: string;
  filter: unknown;
  created_at: Date;
}

/** A person's views in an organisation, by name. */
export const listViews = async (
  sql: Sql,
  { orgId, userId }: { orgId: number; userId: string },
): Promise<SavedView[]> => {
  const { rows } = await sql.query<StoredView>(
    `select id, name, filter, created_at from saved_views where org_id = $1 and user_id = $2
     order by folded(name), id limit $3`,
    [orgId, userId, limits.savedViews.perPerson],
  );
  return rows.map(shownView);
};

/** A view that was saved when filters knew other keys or values still has those that it shares with today's. */
export const shownView = ({ id, name, filter, created_at }: StoredView): SavedView => ({
  id: String(id),
  name,
  ...stillKnown(filter),
  created_at: created_at.toISOString(),
});

const stillKnown = (filter: unknown): Pick<SavedView, 'filter' | 'outdated'> => {
  const whole = simFilterSchema.safeParse(filter);
  if (whole.success) return { filter: whole.data, outdated: false };
  const fields = Object.entries(filter as Record<string, unknown>).filter(
    ([key, value]) => simFilterSchema.safeParse({ [key]: value }).success,
  );
  return { filter: simFilterSchema.parse(Object.fromEntries(fields)), outdated: true };
};
