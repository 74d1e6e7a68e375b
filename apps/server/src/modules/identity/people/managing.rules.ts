import { type Role, roles } from '@simcube/contract';
import type { Elsewhere } from '../../org/index.ts';

/** Roles are ordered: each has the permissions of those before it. */
const rankOf = (role: Role): number => roles.indexOf(role);

/** A role above one's own can't be granted. */
export const mayGive = (own: Role, wanted: Role): boolean => rankOf(wanted) <= rankOf(own);

/**
 * "Everything except managing a superadmin" (specification, section 6): a superadmin of any organisation is protected
 * from the admins of all.
 */
export const mayManage = (own: Role, target: Role, elsewhere?: Elsewhere): boolean =>
  own === 'superadmin' || (target !== 'superadmin' && !elsewhere?.superadmin);
