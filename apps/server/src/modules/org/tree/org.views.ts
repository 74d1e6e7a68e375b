import type { Role } from '@simcube/contract';
import type { ListedOrganisation } from '@simcube/contract/org';
import { sql } from 'kysely';
import type { Sql } from '../../../platform/db/index.ts';
import type { List } from '../../../platform/lists/index.ts';

interface MineRow {
  id: number;
  code: string;
  name: string;
  country: string;
  tenant_id: string;
  is_default: boolean;
  role: Role;
  logo: string | null;
  created_at: Date;
  parent_code: string | null;
  above: string[];
}

/** Codes of the organisations above `o` to which the person of `m` belongs. */
const above = sql`array(
  with recursive above as (
    select id, parent_id, code, 1 as depth from organisations where id = o.parent_id
    union all
    select next.id, next.parent_id, next.code, above.depth + 1
    from organisations next join above on next.id = above.parent_id where above.depth < 100)
  select above.code from above
  join memberships own on own.org_id = above.id and own.user_id = m.user_id and own.disabled_at is null
  order by above.depth)`;

/** The organisations of a person: the default first, then by name. */
export const myOrganisations: List<
  { userId: string },
  { search?: string | undefined; administered?: 'true' | undefined },
  MineRow,
  ListedOrganisation
> = {
  name: 'org.mine',
  tables: [
    {
      name: 'organisations',
      from: () => sql`memberships m join organisations o on o.id = m.org_id`,
      inScope: ({ scope }) => sql`m.user_id = ${scope.userId} and m.disabled_at is null`,
    },
  ],
  key: { column: sql`o.id`, type: 'integer' },
  order: [
    { column: sql`(not m.is_default)::int`, type: 'integer' },
    { column: sql`lower(o.name)`, type: 'text' },
  ],
  filters: {
    search: (text) =>
      sql`(strpos(folded(o.name), folded(${text})) > 0 or strpos(lower(o.code), folded(${text})) > 0)`,
    administered: () => sql`m.role in ('admin', 'superadmin')`,
  },
  countLimit: 'all',
  select: sql`o.id, o.code, o.name, o.country, o.tenant_id, m.is_default, m.role, o.logo, o.created_at,
    (select code from organisations parent where parent.id = o.parent_id) as parent_code,
    ${above} as above`,
  show: (rows) =>
    rows.map((row) => ({
      id: String(row.id),
      code: row.code,
      name: row.name,
      country: row.country,
      tenantId: row.tenant_id,
      default: row.is_default,
      role: row.role,
      logo: row.logo,
      parent_code: row.parent_code,
      above: row.above,
      created_at: row.created_at.toISOString(),
    })),
};

/** Whether oversight has an effect in the organisation (`enrolOverseers`): in the operator's and those of the first level. */
export const canOversee = async (db: Sql, orgId: number): Promise<boolean> =>
  (
    await db.query<{ can: boolean }>(
      `select parent.parent_id is null as can
       from organisations o left join organisations parent on parent.id = o.parent_id where o.id = $1`,
      [orgId],
    )
  ).rows[0]?.can ?? false;

export interface OrganisationLine {
  code: string;
  name: string;
  country: string;
  tenantId: string;
  parent: string | null;
  members: number;
}

/** For the operator's command line. */
export const listOrganisations = async (
  db: Sql,
  { search, limit }: { search: string; limit: number },
): Promise<OrganisationLine[]> =>
  (
    await db.query<OrganisationLine>(
      `select o.code, o.name, o.country, o.tenant_id as "tenantId", parent.code as parent,
         (select count(*)::int from memberships m where m.org_id = o.id) as members
       from organisations o left join organisations parent on parent.id = o.parent_id
       where strpos(folded(o.name), folded($1)) > 0 or strpos(lower(o.code), folded($1)) > 0
       order by o.code limit $2`,
      [search, limit],
    )
  ).rows;
