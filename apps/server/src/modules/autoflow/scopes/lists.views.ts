import type { Sql } from '../../../platform/db/index.ts';

/** Whether a list belongs to a rule of the organisation. */
export const isOwnList = async (
  from: Sql,
  { orgId, listId }: { orgId: number; listId: string },
): Promise<boolean> =>
  (
    await from.query(
      `select from autoflow_lists l join autoflow_rules r on r.id = l.rule_id
       where l.id = $1 and r.org_id = $2 and r.removed_at is null`,
      [listId, orgId],
    )
  ).rows.length > 0;
