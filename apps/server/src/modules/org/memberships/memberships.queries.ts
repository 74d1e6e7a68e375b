import type { PermissionMap, Role } from '@simcube/contract';
import type { Sql } from '../../../platform/db/index.ts';
import { countMemberships, lockPerson, restoreDefaults } from './seats.queries.ts';

/** An account: a person's membership in one organisation. */
export interface Membership {
  userId: string;
  orgId: number;
  role: Role;
  oversight: boolean;
  isDefault: boolean;
  disabledAt: Date | null;
  /** Permissions changed for this account only, and the name of this set of changes. */
  changes: PermissionMap;
  changesName: string | null;
}

const columns = `user_id as "userId", org_id as "orgId", role, oversight, is_default as "isDefault",
  disabled_at as "disabledAt", permission_changes as changes, permission_name as "changesName"`;

/**
 * Locks memberships in a fixed order (by person, then organisation), so that two admins who change each other
 * wait instead of deadlocking. With `leaving`, that person's other memberships are locked in the same order,
 * because the default one may move to them.
 * @returns those of the given organisation
 */
export const lockMemberships = async (
  tx: Sql,
  { orgId, userIds, leaving }: { orgId: number; userIds: readonly string[]; leaving?: string },
): Promise<Map<string, Membership>> => {
  const { rows } = await tx.query<Membership>(
    `select ${columns} from memberships where (org_id = $1 and user_id = any($2)) or user_id = $3
     order by user_id, org_id for update`,
    [orgId, userIds, leaving ?? null],
  );
  return new Map(rows.filter((row) => row.orgId === orgId).map((row) => [row.userId, row]));
};

export const updateMembership = async (tx: Sql, membership: Membership): Promise<void> => {
  const { orgId, userId, role, oversight, disabledAt, changes, changesName } = membership;
  await tx.query(
    `update memberships set role = $3, oversight = $4, disabled_at = $5, permission_changes = $6,
       permission_name = $7
     where org_id = $1 and user_id = $2`,
    [orgId, userId, role, oversight, disabledAt, JSON.stringify(changes), changesName],
  );
};

/**
 * Removes a person from an organisation; if it was the default one, another becomes the default.
 * @returns how many organisations the person still belongs to
 */
export const deleteMembership = async (
  tx: Sql,
  { orgId, userId }: { orgId: number; userId: string },
): Promise<number> => {
  // Adding a membership takes the same lock (`takeMembershipSlot`), so count and default are consistent.
  await lockPerson(tx, userId);
  await tx.query('delete from memberships where org_id = $1 and user_id = $2', [orgId, userId]);
  await restoreDefaults(tx, [userId]);
  return countMemberships(tx, userId);
};

/** Ends the person's sessions in this organisation: those begun until now are no longer valid there. */
export const endSessionsInOrganisation = async (
  tx: Sql,
  { orgId, userId, now }: { orgId: number; userId: string; now: Date },
): Promise<void> => {
  await tx.query('update memberships set sessions_ended_at = $3 where org_id = $1 and user_id = $2', [
    orgId,
    userId,
    now,
  ]);
};
