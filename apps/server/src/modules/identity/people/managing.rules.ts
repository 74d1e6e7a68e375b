import { type Role, roles } from '@simcube/contract';
import type { Elsewhere } from '../../org/index.ts';

/** Roles stand in order: each has the rights of those before it. */
const rankOf = (role: Role): number => roles.indexOf(role);

/** A role above one's own can't be granted. */
export const mayGive = (own: Role, wanted: Role): boolean => rankOf(wanted) <= rankOf(own);

/**
 * "Everything except managing a superadmin" (specification, section 6): a superadmin of any organisation is protected
 * from the admins of all.
 */
export const mayManage = (own: Role, target: Role, elsewhere?: Elsewhere): boolean =>
  own === 'superadmin' || (target !== 'superadmin' && !elsewhere?.superadmin);

/** The fields that differ, as they were and as they are: what an entry of the audit trail records. */
export const differences = <T extends Record<string, unknown>>(
  before: T,
  after: T,
): { before: Partial<T>; after: Partial<T> } | undefined => {
  const changed = Object.keys(after).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  if (changed.length === 0) return undefined;
  const only = (of: T) => Object.fromEntries(changed.map((field) => [field, of[field]])) as Partial<T>;
  return { before: only(before), after: only(after) };
};
