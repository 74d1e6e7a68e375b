import { allows, type InputIssue, type PermissionKey, type PermissionMap } from '@simcube/contract';

export interface Account {
  orgId: number;
  userId: string;
}

const judged = ['read', 'operate', 'write'] as const;

/**
 * The permissions that a new key may not have: those that its maker lacks, and changes of accounts. These would
 * let it grant permissions to others, so a key has them only together with all others of its account.
 */
export const refusedRights = (wanted: PermissionMap, held: PermissionMap): InputIssue[] =>
  (Object.keys(wanted) as PermissionKey[])
    .filter((key) =>
      judged.some(
        (action) =>
          allows(wanted, key, action) &&
          (!allows(held, key, action) || (key === 'account' && action !== 'read')),
      ),
    )
    .map((key) => ({ path: `rights.${key}`, key: 'notAllowed' }));
