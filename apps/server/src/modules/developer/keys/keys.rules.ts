import {
  allows,
  type InputIssue,
  isGrantableToKey,
  type PermissionKey,
  type PermissionMap,
} from '@simcube/contract';

export interface Account {
  orgId: number;
  userId: string;
}

const actions = ['read', 'operate', 'write'] as const;

/** The permissions that a new key may not have: those that its maker lacks, and those that no such key may have. */
export const refusedPermissions = (requested: PermissionMap, own: PermissionMap): InputIssue[] =>
  (Object.keys(requested) as PermissionKey[])
    .filter((key) =>
      actions.some(
        (action) =>
          allows(requested, key, action) && (!allows(own, key, action) || !isGrantableToKey(key, action)),
      ),
    )
    .map((key) => ({ path: `rights.${key}`, key: 'notAllowed' }));
