import type { Role } from '@simcube/contract';
import type { Sql } from '../../platform/db/index.ts';

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

/** @returns undefined when the code is taken */
export const insertOrganisation = async (
  sql: Sql,
  row: { code: string; name: string; country: string; parentId: number | null; logo: string | null },
): Promise<OrganisationRow | undefined> =>
  (
    await sql.query<OrganisationRow>(
      `insert into organisations (code, name, country, parent_id, logo) values ($1, $2, $3, $4, $5)
       on conflict do nothing returning ${columns}`,
      [row.code, row.name, row.country, row.parentId, row.logo],
    )
  ).rows[0];

/**
 * Oversight (specification, section 6): accounts of the first-level organisation above that have it become admins
 * of the new one; a superadmin has it inherently. The first level is the one right below the operator, whose own
 * parent is none.
 */
export const enrolOverseers = async (sql: Sql, orgId: number): Promise<void> => {
  await sql.query(
    `with recursive above as (
       select id, parent_id, 0 as depth from organisations where id = $1
       union all
       select o.id, o.parent_id, above.depth + 1 from organisations o join above on o.id = above.parent_id
       where above.depth < 50),
     first_level as (
       select above.id from above join organisations operator on operator.id = above.parent_id
       where operator.parent_id is null and above.depth > 0)
     insert into memberships (user_id, org_id, role)
     select m.user_id, $1, 'admin' from memberships m join first_level on first_level.id = m.org_id
     where m.oversight or m.role = 'superadmin'
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

/** The first membership of a person becomes the default sign-in organisation. An existing one is left as it is. */
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
