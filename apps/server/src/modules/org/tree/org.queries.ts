import type { Role } from '@simcube/contract';
import type { SmsQuota } from '@simcube/contract/org';
import type { Sql } from '../../../platform/db/index.ts';

export interface OrganisationRow {
  id: number;
  code: string;
  tenantId: string;
  name: string;
  country: string;
  parentId: number | null;
}

const columns = `id, code, tenant_id as "tenantId", name, country, parent_id as "parentId"`;

export const findOrganisation = async (sql: Sql, code: string): Promise<OrganisationRow | undefined> =>
  (
    await sql.query<OrganisationRow>(`select ${columns} from organisations where lower(code) = lower($1)`, [
      code,
    ])
  ).rows[0];

/** @throws Error for the operator if there is none */
export const getOrganisation = async (sql: Sql, code: string): Promise<OrganisationRow> => {
  const found = await findOrganisation(sql, code);
  if (!found) throw new Error(`There is no organisation ${code}`);
  return found;
};

export interface OrganisationToInsert {
  code: string;
  name: string;
  country: string;
  parentId: number | null;
  logo: string | null;
  settlement: boolean;
  quota: SmsQuota;
}

/** @returns undefined when the code is taken, or the name is taken below the same parent */
export const insertOrganisation = async (
  sql: Sql,
  { quota, ...row }: OrganisationToInsert,
): Promise<OrganisationRow | undefined> =>
  (
    await sql.query<OrganisationRow>(
      `insert into organisations
         (code, name, country, parent_id, logo, settlement, sms_quota_kind, sms_quota_messages)
       values ($1, $2, $3, $4, $5, $6, $7, $8)
       on conflict do nothing returning ${columns}`,
      [
        row.code,
        row.name,
        row.country,
        row.parentId,
        row.logo,
        row.settlement,
        quota.kind,
        quota.kind === 'custom' ? quota.messages : null,
      ],
    )
  ).rows[0];

/**
 * Oversight (specification, section 6): accounts with oversight in the first-level organisation above become
 * admins of the new one; a superadmin has it inherently. The first level is directly below the operator, the
 * organisation without a parent; for a new first-level organisation, the operator's accounts become admins. It
 * is the organisation's right and not the person's choice, so these memberships do not count against the maximum
 * number of organisations per person.
 */
export const enrolOverseers = async (sql: Sql, orgId: number): Promise<void> => {
  await sql.query(
    `with recursive above as (
       select id, parent_id, 0 as depth from organisations where id = $1
       union all
       select o.id, o.parent_id, above.depth + 1 from organisations o join above on o.id = above.parent_id
       where above.depth < 50),
     overseeing as (
       select above.id from above left join organisations operator on operator.id = above.parent_id
       where (operator.id is not null and operator.parent_id is null and above.depth > 0)
         or (above.parent_id is null and above.depth = 1))
     insert into memberships (user_id, org_id, role, by_oversight)
     select m.user_id, $1, 'admin', true from memberships m join overseeing on overseeing.id = m.org_id
     where m.disabled_at is null and (m.oversight or m.role = 'superadmin')
     on conflict do nothing`,
    [orgId],
  );
};

export interface NewMembership {
  userId: string;
  orgId: number;
  role: Role;
  oversight: boolean;
}

/**
 * Makes an enabled member a superadmin, for instance one who was an admin only by oversight.
 * @returns the former role; undefined when the person is not an enabled member, or already a superadmin
 */
export const promoteToSuperadmin = async (
  sql: Sql,
  { userId, orgId }: { userId: string; orgId: number },
): Promise<Role | undefined> => {
  const { rows } = await sql.query<{ role: Role }>(
    `with former as (
       select role from memberships
       where user_id = $1 and org_id = $2 and role <> 'superadmin' and disabled_at is null for update)
     update memberships m set role = 'superadmin', oversight = true from former
     where m.user_id = $1 and m.org_id = $2
     returning former.role`,
    [userId, orgId],
  );
  return rows[0]?.role;
};

/** A person's first membership becomes the default one. An existing membership is left unchanged. */
export const insertMembership = async (
  sql: Sql,
  { userId, orgId, role, oversight }: NewMembership,
): Promise<boolean> => {
  const { rowCount } = await sql.query(
    `insert into memberships (user_id, org_id, role, oversight, is_default)
     values ($1, $2, $3, $4, not exists (select 1 from memberships where user_id = $1 and is_default))
     on conflict (org_id, user_id) do nothing`,
    [userId, orgId, role, oversight],
  );
  return rowCount === 1;
};

/** Names of an organisation's people, for the audit trail. */
export const listMemberNames = async (sql: Sql, orgId: number): Promise<string[]> =>
  (
    await sql.query<{ name: string }>(
      `select trim(u.first_name || ' ' || u.last_name) as name
       from memberships m join users u on u.id = m.user_id
       where m.org_id = $1 order by name limit 100`,
      [orgId],
    )
  ).rows.map((row) => row.name);
