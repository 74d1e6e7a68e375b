import type { PermissionMap, Role } from '@simcube/contract';
import type { MembershipInfo } from '@simcube/contract/identity';
import type { Sql } from '../../../platform/db/index.ts';

/** What the organisation demands of the caller and the caller does not fulfil. */
export interface UnmetDemands {
  twoFactorMissing: boolean;
  addressRefused: boolean;
  /** An admin of the organisation ended the session there. */
  sessionEnded: boolean;
}

/** What the demands are held against. */
export interface Demanded {
  userId: string;
  address: string | null;
  /** Null for an API key: it is not ended with sessions. */
  sessionBeganAt: Date | null;
}

export interface MembershipRow extends UnmetDemands {
  orgId: number;
  code: string;
  tenantId: string;
  role: Role;
  /** Null when none was changed, so that nothing is parsed on most calls. */
  changes: PermissionMap | null;
}

/** Two-factor of $1, the address $2 and a session that began at $3, against the demands of the organisation `o` with its
 * membership `m`. */
const unmetDemands = `
  o.two_factor_required
    and not (select totp_enabled_at is not null from users where id = $1) as "twoFactorMissing",
  cardinality(o.allowed_networks) > 0
    and not coalesce($2::inet <<= any (o.allowed_networks), false) as "addressRefused",
  coalesce(m.sessions_ended_at >= $3, false) as "sessionEnded"`;

/** The membership behind the headers of a call; asked on every call, so that a revoked permission applies immediately. */
export const findMembership = async (
  sql: Sql,
  { userId, address, sessionBeganAt, tenantId }: Demanded & { tenantId: string },
): Promise<MembershipRow | undefined> =>
  (
    await sql.query<MembershipRow>({
      name: 'org.find-membership',
      text: `select o.id as "orgId", o.code, o.tenant_id as "tenantId", m.role,
               nullif(m.permission_changes, '{}') as changes, ${unmetDemands}
             from organisations o
             join memberships m on m.org_id = o.id and m.user_id = $1 and m.disabled_at is null
             where o.tenant_id = $4`,
      values: [userId, address, sessionBeganAt, tenantId],
    })
  ).rows[0];

/** The same demands of any organisation, for a caller who speaks in the name of another one. */
export const findUnmetDemands = async (
  sql: Sql,
  { userId, address, sessionBeganAt, orgId }: Demanded & { orgId: number },
): Promise<UnmetDemands | undefined> =>
  (
    await sql.query<UnmetDemands>(
      `select ${unmetDemands} from organisations o left join memberships m on m.org_id = o.id and m.user_id = $1
       where o.id = $4`,
      [userId, address, sessionBeganAt, orgId],
    )
  ).rows[0];

/** For the sign-in answer: the default organisation first, then by name; disabled memberships are left out. */
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
