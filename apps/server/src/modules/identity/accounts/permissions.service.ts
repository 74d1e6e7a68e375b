import type { endpoints } from '@simcube/contract';
import {
  type Action,
  allows,
  effectivePermissions,
  type PermissionKey,
  type PermissionMap,
  permissionsByRole,
  type ResponseOf,
} from '@simcube/contract';
import type { AccountPermissions } from '@simcube/contract/account';
import { fail } from '../../../platform/http/index.ts';
import { findMembershipPermissions, type Membership, type MembershipPermissions } from '../../org/index.ts';
import type { Caller } from '../people/caller.ts';
import {
  type AccountChangeDeps,
  changeAccount,
  type LockedAccount,
  saveAccount,
} from './account-change.service.ts';
import { grantRefusal, isChangeable, withChange, withoutChanges } from './accounts.rules.ts';

type RefreshedPermissions = ResponseOf<typeof endpoints.account.refreshPermissions>;

export type PermissionsService = ReturnType<typeof createPermissions>;

interface PermissionsDeps extends AccountChangeDeps {
  /** Ids of an organisation's shared pools; provided by the pool module. */
  sharedPools: (orgCode: string) => Promise<string[]>;
}

export const createPermissions = (deps: PermissionsDeps) => {
  const save = async (
    locked: LockedAccount,
    caller: Caller,
    rights: Pick<Membership, 'changes' | 'changesName'>,
  ): Promise<AccountPermissions> => {
    const membership = { ...locked.membership, ...rights };
    await saveAccount(locked, caller, { person: locked.person, membership });
    return permissionsOf(membership);
  };

  const readPermissions = async (account: {
    orgId: number;
    userId: string;
  }): Promise<MembershipPermissions> =>
    (await findMembershipPermissions(deps.pool, account)) ?? fail('CB-07-0028');

  return {
    get: async (account: { orgId: number; userId: string }): Promise<AccountPermissions> =>
      permissionsOf(await readPermissions(account)),

    /** The caller's current permissions; requested by a console that is notified of a change. */
    refresh: async (org: { id: number; code: string }, userId: string): Promise<RefreshedPermissions> => {
      const { role, effective, changes } = permissionsOf(await readPermissions({ orgId: org.id, userId }));
      const seesPools = allows(effective, 'shared-pool-cube', 'read');
      return { role, effective, changes, sharedPool: seesPools ? await deps.sharedPools(org.code) : [] };
    },

    /**
     * @throws Failure CB-07-0022 for a role that holds everything, CB-07-0019 for a permission that can't be
     * granted
     */
    change: (
      caller: Caller,
      { userId, key, actions }: { userId: string; key: PermissionKey; actions: readonly Action[] },
    ): Promise<AccountPermissions> =>
      changeAccount(deps, { caller, userId }, async (locked) => {
        const { own, isOwn, membership } = locked;
        if (isOwn) fail('CB-07-0021');
        const target = membership.role;
        const refusal = grantRefusal({ own: own.permissions, target, key, requested: actions });
        if (refusal) fail(refusal);
        return save(locked, caller, withName(membership, withChange(membership, key, actions)));
      }),

    /** Reverts changes: the role's permissions apply again. Unchanged permissions are not affected. */
    remove: (
      caller: Caller,
      { userId, keys }: { userId: string; keys: readonly PermissionKey[] },
    ): Promise<AccountPermissions> =>
      changeAccount(deps, { caller, userId }, async (locked) => {
        if (locked.isOwn) fail('CB-07-0021');
        return save(
          locked,
          caller,
          withName(locked.membership, withoutChanges(locked.membership.changes, keys)),
        );
      }),

    /** @throws Failure CB-07-0022 for a role that holds everything */
    name: (
      caller: Caller,
      { userId, name }: { userId: string; name: string | null },
    ): Promise<AccountPermissions> =>
      changeAccount(deps, { caller, userId }, async (locked) => {
        if (locked.isOwn) fail('CB-07-0021');
        const { membership } = locked;
        if (!isChangeable(membership.role)) fail('CB-07-0022');
        return save(
          locked,
          caller,
          withName({ ...membership, changesName: name || null }, membership.changes),
        );
      }),
  };
};

/** A set without changes has no name. */
const withName = ({ changesName }: Membership, changes: PermissionMap) => ({
  changes,
  changesName: Object.keys(changes).length > 0 ? changesName : null,
});

const permissionsOf = ({ role, changes, changesName }: MembershipPermissions): AccountPermissions => ({
  role,
  effective: copyPermissions(effectivePermissions(role, changes)),
  of_role: copyPermissions(permissionsByRole[role]),
  changes: copyPermissions(changes),
  name: changesName,
  changeable: isChangeable(role),
});

/** The map for a response, with copied lists. */
const copyPermissions = (map: PermissionMap): AccountPermissions['effective'] =>
  Object.fromEntries(Object.entries(map).map(([key, granted]) => [key, [...granted]]));
