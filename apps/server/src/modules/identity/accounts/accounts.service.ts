import type { InputIssue, Language, Role } from '@simcube/contract';
import type { Account } from '@simcube/contract/account';
import type { Actor } from '../../../platform/access/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { canOversee, deleteMembership, endSessionsInOrganisation, type Membership } from '../../org/index.ts';
import type { Caller } from '../people/caller.ts';
import { mayGrantRole } from '../people/managing.rules.ts';
import type { UserRow } from '../people/people.queries.ts';
import { type EndReason, endSessionsExcept } from '../sessions/sessions.queries.ts';
import {
  type AccountChangeDeps,
  changeAccount,
  factsOf,
  type LockedAccount,
  recordChange,
  saveAccount,
} from './account-change.service.ts';
import { findAccount } from './accounts.views.ts';

export interface AccountsDeps extends AccountChangeDeps {
  /** Mails the person a link to set a new password. */
  sendReset: (tx: Sql, person: UserRow) => Promise<void>;
  onLeaving: readonly OnLeaving[];
}

/** Called for a person who leaves an organisation, in the transaction that ends the membership. */
export type OnLeaving = (
  tx: Sql,
  leaving: { orgId: number; userId: string; actor: Actor; at: Date },
) => Promise<void>;

export interface AccountUpdate {
  first_name: string;
  last_name: string;
  role: Role;
  locale: Language;
}

export type AccountsService = ReturnType<typeof createAccounts>;

/** The account as shown after the change. */
const readAccount = async ({ tx, at, own }: LockedAccount, caller: Caller, id: string): Promise<Account> => {
  const viewer = { userId: caller.userId, role: own.role };
  return (await findAccount(tx, { orgId: caller.orgId, now: at, viewer, id })) ?? fail('CB-07-0028');
};

export const createAccounts = (deps: AccountsDeps) => ({
  /**
   * Name and language are the person's in every organisation: the person changes them, or an admin of all of
   * them; any admin changes the role.
   * @throws Failure CB-07-0021 for one's own role, CB-07-0019 for a role above one's own, CB-00-0400 for the
   * person's fields
   */
  update: (caller: Caller, userId: string, changes: AccountUpdate): Promise<Account> =>
    changeAccount(deps, { caller, userId }, async (locked) => {
      const { own, isOwn, membership, person } = locked;
      const isNewRole = changes.role !== membership.role;
      if (isNewRole && isOwn) fail('CB-07-0021');
      if (isNewRole && !mayGrantRole(own.role, changes.role)) fail('CB-07-0019');
      const updatedPerson = {
        ...person,
        firstName: changes.first_name,
        lastName: changes.last_name,
        locale: changes.locale,
      };
      refusePersonalChanges(locked, updatedPerson);
      await saveAccount(locked, caller, {
        person: updatedPerson,
        membership: isNewRole ? withRole(membership, changes.role) : membership,
      });
      return readAccount(locked, caller, userId);
    }),

  /** Removes the person from the organisation; sessions end with the last membership. */
  remove: (caller: Caller, userId: string): Promise<void> =>
    changeAccount(deps, { caller, userId, leaving: true }, async (locked) => {
      if (locked.isOwn) fail('CB-07-0021');
      if (locked.membership.role === 'superadmin') fail('CB-07-0018');
      const { orgId, actor } = caller;
      for (const handler of deps.onLeaving) await handler(locked.tx, { orgId, userId, actor, at: locked.at });
      const remaining = await deleteMembership(locked.tx, { orgId, userId });
      if (remaining === 0) await endAllSessions(locked, 'account removed');
      await recordChange(locked, caller, { before: factsOf(locked), after: null });
    }),

  /**
   * A superadmin has oversight inherently.
   * @throws Failure CB-07-0018 when it would be taken from one, CB-07-0035 when it would be given where it has no effect
   */
  setOversight: (caller: Caller, userId: string, oversight: boolean): Promise<Account> =>
    changeAccount(deps, { caller, userId }, async (locked) => {
      const { membership, person } = locked;
      const isInherent = membership.role === 'superadmin';
      if (isInherent && !oversight) fail('CB-07-0018');
      const isGiven = oversight && !isInherent && !membership.oversight;
      if (isGiven && !(await canOversee(locked.tx, caller.orgId))) fail('CB-07-0035');
      if (!isInherent)
        await saveAccount(locked, caller, { person, membership: { ...membership, oversight } });
      return readAccount(locked, caller, userId);
    }),

  changeStatus: (caller: Caller, userId: string, status: 'active' | 'disabled'): Promise<Account> =>
    changeAccount(deps, { caller, userId }, async (locked) => {
      const { at, isOwn, membership, person } = locked;
      if (isOwn) fail('CB-07-0021');
      if (membership.role === 'superadmin') fail('CB-07-0018');
      if (status === (membership.disabledAt ? 'disabled' : 'active')) fail('CB-07-0020');
      const disabledAt = status === 'disabled' ? at : null;
      await saveAccount(locked, caller, { person, membership: { ...membership, disabledAt } });
      return readAccount(locked, caller, userId);
    }),

  /** @throws Failure CB-07-0032 when the person also belongs to an organisation in which the caller may not change the account */
  resetPassword: (caller: Caller, userId: string): Promise<void> =>
    changeAccount(deps, { caller, userId }, async (locked) => {
      // One's own password is changed with the old one.
      if (locked.isOwn) fail('CB-07-0021');
      if (locked.otherMemberships.beyondViewer) fail('CB-07-0032');
      await endAllSessions(locked, 'revoked');
      await deps.sendReset(locked.tx, locked.person);
      await recordChange(locked, caller, { before: null, after: null });
    }),

  /** Ends the person's sessions in this organisation; elsewhere they stay valid. */
  endSessions: (caller: Caller, userId: string): Promise<void> =>
    changeAccount(deps, { caller, userId }, async (locked) => {
      if (locked.isOwn) fail('CB-07-0021');
      await endSessionsInOrganisation(locked.tx, { orgId: caller.orgId, userId, now: locked.at });
      await recordChange(locked, caller, { before: null, after: null });
    }),
});

/**
 * A new role starts without changed permissions, which belonged to the former role. A superadmin's inherent
 * oversight ends, too.
 */
const withRole = (membership: Membership, role: Role): Membership => ({
  ...membership,
  role,
  oversight: membership.oversight && membership.role !== 'superadmin',
  changes: {},
  changesName: null,
});

const endAllSessions = ({ tx, at, person }: LockedAccount, reason: EndReason): Promise<number> =>
  endSessionsExcept(tx, null, { userId: person.id, reason, now: at });

/** @throws Failure CB-00-0400 at each field of the person that would change */
const refusePersonalChanges = (
  { isOwn, person, otherMemberships }: LockedAccount,
  updatedPerson: UserRow,
): void => {
  if (isOwn || !otherMemberships.beyondViewer) return;
  const issues = [
    ['firstName', 'first_name'] as const,
    ['lastName', 'last_name'] as const,
    ['locale', 'locale'] as const,
  ].flatMap(([field, path]): InputIssue[] =>
    updatedPerson[field] === person[field] ? [] : [{ path, key: 'notAllowed' }],
  );
  if (issues.length > 0) fail('CB-00-0400', { issues });
};
