import { allows, type InputIssue, type PermissionKey, type PermissionMap } from '@simcube/contract';

export interface Account {
  orgId: number;
  userId: string;
}

const actions = ['read', 'operate', 'write'] as const;

/**
 * The permissions that a new key may not have: those that its maker lacks, and changes of accounts. These would
 * let it grant permissions to others, so a key has them only together with all others of its account.
 */
export const refusedPermissions = (requested: PermissionMap, own: PermissionMap): InputIssue[] =>
  (Object.keys(requested) as PermissionKey[])
    .filter((key) =>
      actions.some(
        (action) =>
          allows(requested, key, action) &&
          (!allows(own, key, action) || (key === 'account' && action !== 'read')),
      ),
    )
    .map((key) => ({ path: `rights.${key}`, key: 'notAllowed' }));
