import { type Role, roles } from '@simcube/contract';
import type { OtherMemberships } from '../../org/index.ts';

/** Roles are ordered: each has the permissions of those before it. */
const rankOf = (role: Role): number => roles.indexOf(role);

/** A role above one's own can't be granted. */
export const mayGrantRole = (own: Role, role: Role): boolean => rankOf(role) <= rankOf(own);

/**
 * "Everything except managing a superadmin" (specification, section 6): superadmins are protected from admins in their
 * organisation and in all below it, where oversight makes them admins.
 */
export const mayManage = (own: Role, target: Role, otherMemberships?: OtherMemberships): boolean =>
  own === 'superadmin' || (target !== 'superadmin' && !otherMemberships?.superadminAbove);
