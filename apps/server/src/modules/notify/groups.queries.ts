import type { Sql } from '../../platform/db/index.ts';

const columns = 'id, name, addresses, created_at';

interface Group {
  id: number;
  name: string;
  addresses: string[];
  created_at: Date;
}

interface Where {
  orgId: number;
  kind: string;
}

export const countGroups = async (tx: Sql, { orgId, kind }: Where): Promise<number> =>
  (
    await tx.query<{ count: number }>(
      'select count(*)::int as count from address_groups where org_id = $1 and kind = $2',
      [orgId, kind],
    )
  ).rows[0]?.count ?? 0;

export const isNameTaken = async (
  tx: Sql,
  { orgId, kind, name, besides }: Where & { name: string; besides: number | null },
): Promise<boolean> =>
  (
    await tx.query(
      `select from address_groups where org_id = $1 and kind = $2 and folded(name) = folded($3)
         and id is distinct from $4`,
      [orgId, kind, name, besides],
    )
  ).rows.length > 0;

export const insertGroup = async (
  tx: Sql,
  group: Where & { name: string; addresses: readonly string[]; at: Date },
): Promise<Group | undefined> =>
  (
    await tx.query<Group>(
      `insert into address_groups (org_id, kind, name, addresses, created_at) values ($1, $2, $3, $4, $5)
       returning ${columns}`,
      [group.orgId, group.kind, group.name, group.addresses, group.at],
    )
  ).rows[0];

export const lockGroup = async (
  tx: Sql,
  { orgId, kind, id }: Where & { id: number },
): Promise<Group | undefined> =>
  (
    await tx.query<Group>(
      `select ${columns} from address_groups where id = $1 and org_id = $2 and kind = $3 for update`,
      [id, orgId, kind],
    )
  ).rows[0];

export const updateGroup = async (
  tx: Sql,
  group: { id: number; name: string; addresses: readonly string[] },
): Promise<void> => {
  await tx.query('update address_groups set name = $2, addresses = $3 where id = $1', [
    group.id,
    group.name,
    group.addresses,
  ]);
};
