import type { Organisation } from '@simcube/contract/org';
import type { Sql } from '../../platform/db/index.ts';

/** Sort values of a row of `listMine`: default first (0), then the name, then the id. */
export type MinePosition = [notDefault: number, name: string, id: number];

export interface MineRow {
  organisation: Organisation;
  position: MinePosition;
}

interface MineQuery {
  userId: string;
  search: string;
  limit: number;
  offset: number;
  after: MinePosition | undefined;
}

const mine = `from memberships m join organisations o on o.id = m.org_id
  where m.user_id = $1 and m.disabled_at is null
    and (strpos(folded(o.name), folded($2)) > 0 or strpos(lower(o.code), folded($2)) > 0)`;

export const listMine = async (sql: Sql, query: MineQuery): Promise<MineRow[]> => {
  const { rows } = await sql.query(
    `select * from (
       select o.id, o.code, o.name, o.country, o.tenant_id, m.is_default, m.role, o.logo, o.created_at,
         (select code from organisations parent where parent.id = o.parent_id) as parent_code,
         (not m.is_default)::int as not_default, lower(o.name) as sort_name
       ${mine}) as own
     where $3::int is null or (not_default, sort_name, id) > ($3, $4, $5)
     order by not_default, sort_name, id limit $6 offset $7`,
    [
      query.userId,
      query.search,
      query.after?.[0] ?? null,
      query.after?.[1] ?? null,
      query.after?.[2] ?? null,
      query.limit,
      query.offset,
    ],
  );
  return rows.map((row) => ({
    organisation: {
      id: String(row.id),
      code: row.code,
      name: row.name,
      country: row.country,
      tenantId: row.tenant_id,
      default: row.is_default,
      role: row.role,
      logo: row.logo,
      parent_code: row.parent_code,
      created_at: row.created_at.toISOString(),
    },
    position: [row.not_default, row.sort_name, row.id],
  }));
};

export const countMine = async (sql: Sql, { userId, search }: Pick<MineQuery, 'userId' | 'search'>) =>
  (await sql.query<{ count: number }>(`select count(*)::int as count ${mine}`, [userId, search])).rows[0]
    ?.count ?? 0;

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
  sql: Sql,
  { search, limit }: { search: string; limit: number },
): Promise<OrganisationLine[]> =>
  (
    await sql.query<OrganisationLine>(
      `select o.code, o.name, o.country, o.tenant_id as "tenantId", parent.code as parent,
         (select count(*)::int from memberships m where m.org_id = o.id) as members
       from organisations o left join organisations parent on parent.id = o.parent_id
       where strpos(folded(o.name), folded($1)) > 0 or strpos(lower(o.code), folded($1)) > 0
       order by o.code limit $2`,
      [search, limit],
    )
  ).rows;
