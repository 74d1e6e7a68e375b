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
import type { OtherMemberships } from '../../org/index.ts';
import { mayManage } from '../people/managing.rules.ts';

/**
 * The parts of an account that a person with this role can't change. Name, language and password are the person's in all
 * organisations, so only an admin of all of them changes these.
 */
export const fixedPartsOf = ({
  own,
  target,
  otherMemberships,
}: {
  own: Role;
  target: Role;
  otherMemberships: OtherMemberships;
}): FixedPart[] => [
  ...(mayManage(own, target, otherMemberships) ? [] : ['account' as const]),
  ...(otherMemberships.beyondViewer ? (['person', 'password'] as const) : []),
];

/** Permissions of a role that holds everything can't be changed individually. */
export const isChangeable = (role: Role): boolean => permissionsByRole[role]['*'] === undefined;

/** Granted actions in the catalogue's order, without duplicates; `all` includes the others. */
const normaliseActions = (requested: readonly Action[]): Action[] =>
  requested.includes('all') ? ['all'] : actions.filter((action) => requested.includes(action));

/** Why an account with these permissions may not grant those on a key; undefined if it may. */
export const grantRefusal = ({
  own,
  target,
  key,
  requested,
}: {
  own: PermissionMap;
  target: Role;
  key: PermissionKey;
  requested: readonly Action[];
}): ErrorCode | undefined => {
  if (!isChangeable(target)) return 'CB-07-0022';
  if (!requested.every((action) => isGrantable(key, action))) return 'CB-07-0034';
  const has = (action: Action) =>
    action === 'all' ? (own['*'] ?? own[key])?.includes('all') === true : allows(own, key, action);
  return requested.every(has) ? undefined : 'CB-07-0019';
};

/** The changes with one more key; a value equal to the role's permission is not a change. */
export const withChange = (
  { role, changes }: { role: Role; changes: PermissionMap },
  key: PermissionKey,
  requested: readonly Action[],
): PermissionMap => {
  const granted = normaliseActions(requested);
  const ofRole = normaliseActions(permissionsByRole[role][key] ?? []);
  const { [key]: _former, ...others } = changes;
  return granted.join() === ofRole.join() ? others : { ...others, [key]: granted };
};

export const withoutChanges = (changes: PermissionMap, keys: readonly PermissionKey[]): PermissionMap =>
  Object.fromEntries(Object.entries(changes).filter(([key]) => !keys.some((one) => one === key)));

/** Whether a member may read other accounts. */
export const mayRead = (permissions: PermissionMap): boolean => allows(permissions, 'account', 'read');

/** Whether a member may read accounts of organisations below. */
export const maySeeSubOrganisations = (role: Role): boolean => isAdmin(role);
