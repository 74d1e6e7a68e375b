import {
  type Action,
  actions,
  allows,
  type ErrorCode,
  isAdmin,
  isGrantable,
  type PermissionKey,
  type PermissionMap,
  permissionsByRole,
  type Role,
} from '@simcube/contract';
import type { FixedPart } from '@simcube/contract/account';
import type { Elsewhere } from '../../org/index.ts';
import { mayManage } from '../people/managing.rules.ts';

/**
 * What of an account can't be changed by a person with this role. Name and language are the person's in all organisations:
 * they are for who is an admin of all of these; the password is an admin's only where the person belongs to no other.
 */
export const fixedPartsOf = ({
  own,
  target,
  elsewhere,
}: {
  own: Role;
  target: Role;
  elsewhere: Elsewhere;
}): FixedPart[] => [
  ...(mayManage(own, target, elsewhere) ? [] : ['account' as const]),
  ...(elsewhere.beyondViewer ? ['person' as const] : []),
  ...(elsewhere.belongs ? ['password' as const] : []),
];

/** A role that holds everything can't be changed key by key. */
export const isChangeable = (role: Role): boolean => permissionsByRole[role]['*'] === undefined;

/** Granted actions in the catalogue's order, each once; `all` says the others with it. */
const normalActions = (wanted: readonly Action[]): Action[] =>
  wanted.includes('all') ? ['all'] : actions.filter((action) => wanted.includes(action));

/** Why an account with these rights may not give those on a key; nothing when it may. */
export const grantRefusal = ({
  own,
  target,
  key,
  wanted,
}: {
  own: PermissionMap;
  target: Role;
  key: PermissionKey;
  wanted: readonly Action[];
}): ErrorCode | undefined => {
  if (!isChangeable(target)) return 'CB-07-0022';
  if (!wanted.every((action) => isGrantable(key, action))) return 'CB-07-0034';
  const has = (action: Action) =>
    action === 'all' ? (own['*'] ?? own[key])?.includes('all') === true : allows(own, key, action);
  return wanted.every(has) ? undefined : 'CB-07-0019';
};

/** The changes with one more key; what comes to the same as the role's rights is no change. */
export const withChange = (
  { role, changes }: { role: Role; changes: PermissionMap },
  key: PermissionKey,
  wanted: readonly Action[],
): PermissionMap => {
  const granted = normalActions(wanted);
  const ofRole = normalActions(permissionsByRole[role][key] ?? []);
  const { [key]: _former, ...others } = changes;
  return granted.join() === ofRole.join() ? others : { ...others, [key]: granted };
};

export const withoutChanges = (changes: PermissionMap, keys: readonly PermissionKey[]): PermissionMap =>
  Object.fromEntries(Object.entries(changes).filter(([key]) => !keys.some((one) => one === key)));

/** Whose accounts a member may look at besides the own one. */
export const mayRead = (permissions: PermissionMap): boolean => allows(permissions, 'account', 'read');

/** Whose look reaches into the organisations below. */
export const seesBelow = (role: Role): boolean => isAdmin(role);
