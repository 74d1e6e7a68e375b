import { effectivePermissions, type PermissionMap, type Role } from '@simcube/contract';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { inRepeatableTransaction, type Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { emit } from '../../../platform/outbox/index.ts';
import { type AuditChange, changedFields, recordAudit } from '../../audit/index.ts';
import {
  listOtherMemberships,
  lockMemberships,
  type Membership,
  noOtherMemberships,
  type OtherMemberships,
  requirePermission,
  updateMembership,
} from '../../org/index.ts';
import { accountChanged } from '../people/accounts.events.ts';
import type { Caller } from '../people/caller.ts';
import { mayManage } from '../people/managing.rules.ts';
import { lockUser, type UserRow, updatePerson } from '../people/people.queries.ts';

/** Called in the transaction that changes what an account may do in an organisation. */
export type OnPermissionsChanged = (
  tx: Sql,
  account: { orgId: number; accountId: string; permissions: PermissionMap },
) => Promise<void>;

export interface AccountChangeDeps {
  pool: pg.Pool;
  clock: Clock;
  onPermissionsChanged: readonly OnPermissionsChanged[];
}

/** An account locked for a change, with its changer's current permissions. */
export interface LockedAccount {
  tx: Sql;
  at: Date;
  own: { role: Role; permissions: PermissionMap };
  isOwn: boolean;
  membership: Membership;
  person: UserRow;
  otherMemberships: OtherMemberships;
  onPermissionsChanged: readonly OnPermissionsChanged[];
}

export interface AccountState {
  membership: Membership;
  person: UserRow;
}

/**
 * Locks an account and decides on current data: the caller's own permission is checked again, and neither it
 * nor the account can change before the transaction ends.
 * @throws Failure CB-07-0008 or CB-00-0403 when the caller lost the permission, CB-07-0028 when the account
 * does not exist, CB-07-0018 when it is a superadmin's, here or above, and the caller is not one here
 */
export const changeAccount = <T>(
  { pool, clock, onPermissionsChanged }: AccountChangeDeps,
  { caller, userId, leaving = false }: { caller: Caller; userId: string; leaving?: boolean },
  work: (locked: LockedAccount) => Promise<T>,
): Promise<T> =>
  inRepeatableTransaction(pool, async (tx) => {
    const { orgId } = caller;
    const userIds = [caller.userId, userId];
    const memberships = await lockMemberships(tx, { orgId, userIds, ...(leaving && { leaving: userId }) });
    const own = await requirePermission(tx, {
      orgId,
      userId: caller.userId,
      key: 'account',
      action: 'write',
    });
    const membership = memberships.get(userId) ?? fail('CB-07-0028');
    const person = (await lockUser(tx, userId)) ?? fail('CB-07-0028');
    // Read after the person's row is locked: no other membership can begin or end until the commit.
    const otherMembershipsOf = await listOtherMemberships(tx, {
      orgId,
      userIds: [userId],
      viewerId: caller.userId,
    });
    const otherMemberships = otherMembershipsOf.get(userId) ?? noOtherMemberships;
    const isOwn = userId === caller.userId;
    if (!isOwn && !mayManage(own.role, membership.role, otherMemberships)) fail('CB-07-0018');
    const at = clock.now();
    return work({ tx, at, own, isOwn, membership, person, otherMemberships, onPermissionsChanged });
  });

/** Writes the new state of a locked account, with its audit entry and event; nothing if nothing changed. */
export const saveAccount = async (
  locked: LockedAccount,
  caller: Caller,
  after: AccountState,
): Promise<void> => {
  const changed = changedFields(factsOf(locked), factsOf(after));
  if (!changed) return;
  await updateMembership(locked.tx, after.membership);
  await updatePerson(locked.tx, after.person.id, after.person);
  if ('role' in changed.after || 'permissions' in changed.after) {
    const { orgId, userId: accountId, role, changes } = after.membership;
    const permissions = effectivePermissions(role, changes);
    for (const handler of locked.onPermissionsChanged)
      await handler(locked.tx, { orgId, accountId, permissions });
  }
  await recordChange(locked, caller, changed);
};

/** Records the change of a locked account, and notifies the organisation's open consoles. */
export const recordChange = async (
  { tx, at, person }: LockedAccount,
  { orgId, actor }: Caller,
  changed: AuditChange,
): Promise<void> => {
  await emit(tx, accountChanged, { orgId, payload: { userId: person.id } });
  const subject = { kind: 'account', id: person.id, name: person.email } as const;
  await recordAudit(tx, { orgId, actor, at, subject, ...changed });
};

/** The facts of an account for the audit trail. */
export const factsOf = ({ membership, person }: AccountState) => ({
  first_name: person.firstName,
  last_name: person.lastName,
  locale: person.locale,
  role: membership.role,
  oversight: membership.oversight,
  status: membership.disabledAt ? 'disabled' : 'active',
  permissions: membership.changes,
  permission_name: membership.changesName,
});
