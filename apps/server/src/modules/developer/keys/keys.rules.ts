import { allows, type InputIssue, type PermissionKey, type PermissionMap } from '@simcube/contract';

export interface Account {
  orgId: number;
  userId: string;
}

const judged = ['read', 'operate', 'write'] as const;

/**
 * What is wrong with rights that a new key shall have: those that its maker lacks, and rights to change accounts. Who holds
 * these gives rights to others, so a key has them only together with everything else of its account.
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
