import {
  type Action,
  allows,
  type ErrorCode,
  effectivePermissions,
  isAdmin,
  type PermissionKey,
  type PermissionMap,
  type Role,
} from '@simcube/contract';
import type pg from 'pg';
import type { AccessControl, OrgContext } from '../../../platform/access/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { isTenantId } from '../tree/org.rules.ts';
import { normaliseAddress } from './admission.addresses.ts';
import { lockMembership } from './admission.queries.ts';
import {
  findMembership,
  findSignInRuleViolations,
  type SignInFacts,
  type SignInRuleViolations,
} from './admission.views.ts';

/** Finds the organisation and membership of a call, on every call and without a cache. */
export const createAdmission = ({ pool }: { pool: pg.Pool }): Pick<AccessControl, 'resolveOrg'> => ({
  /** The code must belong to the tenant id. */
  async resolveOrg(principal, { tenantId, partnerCode, address }): Promise<OrgContext | undefined> {
    if (!tenantId || !isTenantId(tenantId)) return undefined;
    const found = await findMembership(pool, {
      userId: principal.userId,
      sessionBeganAt: principal.sessionBeganAt,
      tenantId,
      address: normaliseAddress(address),
    });
    if (!found || found.code !== partnerCode) return undefined;
    requireSignInRules(found);
    const { orgId: id, code, role, changes } = found;
    return {
      id,
      code,
      tenantId: found.tenantId,
      role,
      permissions: effectivePermissions(role, changes ?? {}),
    };
  },
});

/** @throws Failure CB-00-0502 for the session, CB-07-0026 for the address, CB-07-0024 for two-factor */
const requireSignInRules = (violations: SignInRuleViolations): void => {
  const violation = violationOf(violations);
  if (violation) fail(ownCodes[violation]);
};

/**
 * Requires that a call meets the sign-in rules of another organisation than its own. The codes differ from those
 * of its own: they close nothing in the console, and end no session.
 * @throws Failure CB-07-0038 for the session, CB-07-0037 for the address, CB-07-0036 for two-factor; CB-07-0029 if
 * there is no such organisation
 */
export const requireSignInRulesOf = async (
  sql: Sql,
  { address, organisation, ...facts }: SignInFacts & { organisation: { id: number; name: string } },
): Promise<void> => {
  const violations = await findSignInRuleViolations(sql, {
    ...facts,
    orgId: organisation.id,
    address: address && normaliseAddress(address),
  });
  const violation = violationOf(violations ?? fail('CB-07-0029'));
  if (violation) fail(otherCodes[violation], { values: { name: organisation.name } });
};

/** Codes for the organisation of the call. */
const ownCodes = {
  sessionEnded: 'CB-00-0502',
  addressRefused: 'CB-07-0026',
  twoFactorMissing: 'CB-07-0024',
} as const satisfies Record<keyof SignInRuleViolations, ErrorCode>;

/** Codes for another organisation, which their messages name. */
const otherCodes = {
  sessionEnded: 'CB-07-0038',
  addressRefused: 'CB-07-0037',
  twoFactorMissing: 'CB-07-0036',
} as const satisfies Record<keyof SignInRuleViolations, ErrorCode>;

const violationOf = (violations: SignInRuleViolations): keyof SignInRuleViolations | undefined =>
  (['sessionEnded', 'addressRefused', 'twoFactorMissing'] as const).find((name) => violations[name]);

/** The person's current permissions there, for work that outlives a call; undefined if a call would now be refused. */
export const findPermissions = async (
  sql: Sql,
  { address, ...account }: Omit<SignInFacts, 'address'> & { tenantId: string; address: string },
): Promise<PermissionMap | undefined> => {
  const found = await findMembership(sql, { ...account, address: normaliseAddress(address) });
  if (!found || violationOf(found)) return undefined;
  return effectivePermissions(found.role, found.changes ?? {});
};

export interface RequiredPermission {
  orgId: number;
  userId: string;
  key: PermissionKey;
  action: Exclude<Action, 'all'>;
  /** The call's own error code for a missing permission. */
  refused?: ErrorCode;
}

/** Whether the person is an admin of the organisation, and stays one until the transaction ends. */
export const lockAdmin = async (tx: Sql, account: { orgId: number; userId: string }): Promise<boolean> => {
  const membership = await lockMembership(tx, account);
  return membership !== undefined && isAdmin(membership.role);
};

/**
 * Checks again, inside the transaction that writes, whether the caller may do it: a permission lost since the
 * call arrived is noticed, and none can be lost before the transaction ends. Every writing service calls it
 * first.
 * @throws Failure CB-07-0008 when the membership was removed or disabled; `refused` or CB-00-0403 when the
 * permission is missing
 */
export const requirePermission = async (
  tx: Sql,
  { orgId, userId, key, action, refused = 'CB-00-0403' }: RequiredPermission,
): Promise<{ role: Role; permissions: PermissionMap }> => {
  const membership = (await lockMembership(tx, { orgId, userId })) ?? fail('CB-07-0008');
  const permissions = effectivePermissions(membership.role, membership.changes);
  if (!allows(permissions, key, action)) fail(refused);
  return { role: membership.role, permissions };
};
