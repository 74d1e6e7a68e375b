import type { PermissionMap, Role } from '@simcube/contract';
import type { MembershipInfo } from '@simcube/contract/identity';
import type { Sql } from '../../../platform/db/index.ts';

/** The sign-in rules of the organisation that the caller does not meet. */
export interface SignInRuleViolations {
  twoFactorMissing: boolean;
  addressRefused: boolean;
  /** An admin of the organisation ended the session in it. */
  sessionEnded: boolean;
}

/** The facts that are compared with the rules. */
export interface SignInFacts {
  userId: string;
  address: string | null;
  /** Null for an API key, which does not end with sessions. */
  sessionBeganAt: Date | null;
}

export interface MembershipRow extends SignInRuleViolations {
  orgId: number;
  code: string;
  tenantId: string;
  role: Role;
  /** Null if none was changed, so that most calls parse nothing. */
  changes: PermissionMap | null;
}

/**
 * SQL that compares two-factor $1, the address $2 and a session begun at $3 with the rules of the organisation
 * `o` and its membership `m`.
 */
const signInRuleViolations = `
  o.two_factor_required
    and not (select totp_enabled_at is not null from users where id = $1) as "twoFactorMissing",
  cardinality(o.allowed_networks) > 0
    and not coalesce($2::inet <<= any (o.allowed_networks), false) as "addressRefused",
  coalesce(m.sessions_ended_at >= $3, false) as "sessionEnded"`;

/**
 * The membership that a call's headers name; queried on every call, so that a revoked permission applies
 * immediately.
 */
export const findMembership = async (
  sql: Sql,
  { userId, address, sessionBeganAt, tenantId }: SignInFacts & { tenantId: string },
): Promise<MembershipRow | undefined> =>
  (
    await sql.query<MembershipRow>({
      name: 'org.find-membership',
      text: `select o.id as "orgId", o.code, o.tenant_id as "tenantId", m.role,
               nullif(m.permission_changes, '{}') as changes, ${signInRuleViolations}
             from organisations o
             join memberships m on m.org_id = o.id and m.user_id = $1 and m.disabled_at is null
             where o.tenant_id = $4`,
      values: [userId, address, sessionBeganAt, tenantId],
    })
  ).rows[0];

/** The same rules for another organisation than that of the call. */
export const findSignInRuleViolations = async (
  sql: Sql,
  { userId, address, sessionBeganAt, orgId }: SignInFacts & { orgId: number },
): Promise<SignInRuleViolations | undefined> =>
  (
    await sql.query<SignInRuleViolations>(
      `select ${signInRuleViolations} from organisations o left join memberships m on m.org_id = o.id and m.user_id = $1
       where o.id = $4`,
      [userId, address, sessionBeganAt, orgId],
    )
  ).rows[0];

/** Memberships for the sign-in response: the default organisation first, then by name, without disabled ones. */
export const listMemberships = async (
  sql: Sql,
  { userId, limit }: { userId: string; limit: number },
): Promise<MembershipInfo[]> => {
  const { rows } = await sql.query<
    Omit<MembershipInfo, 'changes'> & { changes: MembershipInfo['changes'] | null }
  >(
    `select o.code, o.name, m.role, o.tenant_id as "tenantId", m.is_default as default, o.logo,
       nullif(m.permission_changes, '{}') as changes
     from memberships m join organisations o on o.id = m.org_id
     where m.user_id = $1 and m.disabled_at is null
     order by m.is_default desc, lower(o.name), o.id limit $2`,
    [userId, limit],
  );
  return rows.map(({ changes, ...membership }) => ({ ...membership, ...(changes && { changes }) }));
};
