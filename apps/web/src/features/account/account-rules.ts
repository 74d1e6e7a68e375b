import { type Language, type Role, roles } from '@simcube/contract';
import type { Account, AccountStatus } from '@simcube/contract/account';
import { session } from '../../lib/session/index.ts';
import type { Tone } from '../../ui/status/index.ts';

export const statusTones: Record<AccountStatus, Tone> = {
  active: 'teal',
  disabled: 'red',
  pending: 'orange',
};

/** The person's name; an invitation by email has none yet. */
export const nameOf = ({ first_name: first, last_name: last, email }: Account): string =>
  [first, last].filter(Boolean).join(' ') || email;

/** Roles above one's own can't be granted; the server checks it too. */
export const grantableRoles = (): readonly Role[] => {
  const ownRole = session.currentMembership()?.role;
  return ownRole ? roles.slice(0, roles.indexOf(ownRole) + 1) : [];
};

export const userHref = (language: Language, id: string): string =>
  `/${language}/userDetail?id=${encodeURIComponent(id)}`;

export const accountsHref = (language: Language): string => `/${language}/setCard?tab=accounts`;

export const mayWrite = (): boolean => session.can('account', 'write');

export const mayManage = ({ fixed }: Account): boolean => !fixed.includes('account');

export const isOwn = ({ id }: Account): boolean => id === session.get('userId');
