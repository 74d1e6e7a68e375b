import type { PermissionMap, Role } from '@simcube/contract';
import type { Sql } from '../../../platform/db/index.ts';

export interface LockedMembership {
  role: Role;
  changes: PermissionMap;
}

/** The current membership, locked against change and removal until the transaction ends. */
export const lockMembership = async (
  tx: Sql,
  { orgId, userId }: { orgId: number; userId: string },
): Promise<LockedMembership | undefined> =>
  (
    await tx.query<LockedMembership>(
      `select role, permission_changes as changes from memberships
       where org_id = $1 and user_id = $2 and disabled_at is null for share`,
      [orgId, userId],
    )
  ).rows[0];
