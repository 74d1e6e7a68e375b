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
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { findRights, type Membership, type MembershipRights } from '../../org/index.ts';
import type { Caller } from '../people/caller.ts';
import { changeAccount, type HeldAccount, saveAccount } from './account-change.service.ts';
import { grantRefusal, isChangeable, withChange, withoutChanges } from './accounts.rules.ts';

type RefreshedRights = ResponseOf<typeof endpoints.account.refreshPermissions>;

export type PermissionsService = ReturnType<typeof createPermissions>;

interface PermissionsDeps {
  pool: pg.Pool;
  clock: Clock;
  /** Ids of an organisation's shared pools; provided by the pool module. */
  sharedPools: (orgCode: string) => Promise<string[]>;
}

export const createPermissions = (deps: PermissionsDeps) => {
  const save = async (
    held: HeldAccount,
    caller: Caller,
    rights: Pick<Membership, 'changes' | 'changesName'>,
  ): Promise<AccountPermissions> => {
    const membership = { ...held.membership, ...rights };
    await saveAccount(held, caller, { person: held.person, membership });
    return permissionsOf(membership);
  };

  const rightsOf = async (account: { orgId: number; userId: string }): Promise<MembershipRights> =>
    (await findRights(deps.pool, account)) ?? fail('CB-07-0028');

  return {
    get: async (account: { orgId: number; userId: string }): Promise<AccountPermissions> =>
      permissionsOf(await rightsOf(account)),

    /** The caller's current permissions; requested by a console that is notified of a change. */
    refresh: async (org: { id: number; code: string }, userId: string): Promise<RefreshedRights> => {
      const { role, effective, changes } = permissionsOf(await rightsOf({ orgId: org.id, userId }));
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
      changeAccount(deps, { caller, userId }, async (held) => {
        const { own, isOwn, membership } = held;
        if (isOwn) fail('CB-07-0021');
        const target = membership.role;
        const refusal = grantRefusal({ own: own.permissions, target, key, wanted: actions });
        if (refusal) fail(refusal);
        return save(held, caller, named(membership, withChange(membership, key, actions)));
      }),

    /** Reverts changes: the role's permissions apply again. Unchanged permissions are not affected. */
    remove: (
      caller: Caller,
      { userId, keys }: { userId: string; keys: readonly PermissionKey[] },
    ): Promise<AccountPermissions> =>
      changeAccount(deps, { caller, userId }, async (held) => {
        if (held.isOwn) fail('CB-07-0021');
        return save(held, caller, named(held.membership, withoutChanges(held.membership.changes, keys)));
      }),

    name: (
      caller: Caller,
      { userId, name }: { userId: string; name: string | null },
    ): Promise<AccountPermissions> =>
      changeAccount(deps, { caller, userId }, async (held) => {
        if (held.isOwn) fail('CB-07-0021');
        return save(held, caller, { changes: held.membership.changes, changesName: name || null });
      }),
  };
};

/** A set without changes has no name. */
const named = ({ changesName }: Membership, changes: PermissionMap) => ({
  changes,
  changesName: Object.keys(changes).length > 0 ? changesName : null,
});

const permissionsOf = ({ role, changes, changesName }: MembershipRights): AccountPermissions => ({
  role,
  effective: written(effectivePermissions(role, changes)),
  of_role: written(permissionsByRole[role]),
  changes: written(changes),
  name: changesName,
  changeable: isChangeable(role),
});

/** The map for a response, with copied lists. */
const written = (map: PermissionMap): AccountPermissions['effective'] =>
  Object.fromEntries(Object.entries(map).map(([key, granted]) => [key, [...granted]]));
