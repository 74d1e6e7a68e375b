import type { PermissionMap, Role } from '@simcube/contract';
import type { Partner } from '@simcube/contract/account';
import type { Sql } from '../../../platform/db/index.ts';

/** The permissions of an account: its role and what was changed for it alone. */
export interface MembershipPermissions {
  role: Role;
  changes: PermissionMap;
  changesName: string | null;
}

export const findMembershipPermissions = async (
  sql: Sql,
  { orgId, userId }: { orgId: number; userId: string },
): Promise<MembershipPermissions | undefined> =>
  (
    await sql.query<MembershipPermissions>(
      `select role, permission_changes as changes, permission_name as "changesName"
       from memberships where org_id = $1 and user_id = $2`,
      [orgId, userId],
    )
  ).rows[0];

/** Whether the person has accounts, all of which are disabled. */
export const isDisabledEverywhere = async (sql: Sql, userId: string): Promise<boolean> =>
  (
    await sql.query<{ disabled: boolean | null }>(
      'select bool_and(disabled_at is not null) as disabled from memberships where user_id = $1',
      [userId],
    )
  ).rows[0]?.disabled === true;

/** A person's memberships in other organisations; disabled accounts count too. */
export interface OtherMemberships {
  /** Whether the person is a superadmin of an organisation above this one. */
  superadminAbove: boolean;
  /** Whether the person belongs to one in which the viewer may not change their account. */
  beyondViewer: boolean;
}

export const noOtherMemberships: OtherMemberships = {
  superadminAbove: false,
  beyondViewer: false,
};

/** The other memberships of people of an organisation; people without any are left out. */
export const listOtherMemberships = async (
  sql: Sql,
  { orgId, userIds, viewerId }: { orgId: number; userIds: readonly string[]; viewerId: string },
): Promise<ReadonlyMap<string, OtherMemberships>> => {
  const { rows } = await sql.query<{ userId: string } & OtherMemberships>(
    `with recursive above as (
       select parent_id as id from organisations where id = $1
       union
       select o.parent_id from organisations o join above on o.id = above.id)
     select m.user_id as "userId",
       bool_or(m.role = 'superadmin' and exists (select from above where above.id = m.org_id)) as "superadminAbove",
       bool_or(not exists (
         select from memberships a where a.org_id = m.org_id and a.user_id = $3 and a.disabled_at is null
           and (a.role = 'superadmin' or a.role = 'admin' and m.role <> 'superadmin'))) as "beyondViewer"
     from memberships m where m.user_id = any($2::uuid[]) and m.org_id <> $1 group by m.user_id`,
    [orgId, userIds, viewerId],
  );
  return new Map(rows.map(({ userId, ...found }) => [userId, found]));
};

/** More than people belong to by invitation; overseers of a large tree may belong to more. */
const maxPartners = 500;

/**
 * A person's organisations in which the other person is an admin, and those below `orgId`, whose accounts its admins may see;
 * all for the person themselves.
 */
export const listPartners = async (
  sql: Sql,
  { userId, viewerId, orgId }: { userId: string; viewerId: string; orgId: number | null },
): Promise<Partner[]> => {
  const { rows } = await sql.query(
    `with recursive above as (
       select m.org_id, m.org_id as id from memberships m where m.user_id = $1
       union
       select above.org_id, o.parent_id from organisations o join above on o.id = above.id where o.parent_id is not null)
     select o.code, o.name, m.role, m.is_default as default, m.created_at, m.disabled_at is not null as disabled,
       m.oversight or m.role = 'superadmin' as oversight
     from memberships m join organisations o on o.id = m.org_id
     where m.user_id = $1 and ($1 = $2::uuid or exists (select from above where above.org_id = m.org_id and above.id = $4)
       or exists (select from memberships a where a.org_id = m.org_id and a.user_id = $2 and a.disabled_at is null
         and a.role in ('admin', 'superadmin')))
     order by m.is_default desc, lower(o.name), o.id limit $3`,
    [userId, viewerId, maxPartners, orgId],
  );
  return rows.map(({ created_at, ...partner }) => ({ ...partner, joined_at: created_at.toISOString() }));
};

/** Maximum depth of a search through the tree. */
const maxDepth = 50;

/** The organisation with the code, if it is the given one or below it. */
export const findInSubtree = async (
  sql: Sql,
  { orgId, code }: { orgId: number; code: string },
): Promise<number | undefined> =>
  (
    await sql.query<{ id: number }>(
      `with recursive above as (
         select id, parent_id, id as found, 0 as depth from organisations where lower(code) = lower($2)
         union all
         select o.id, o.parent_id, above.found, above.depth + 1
         from organisations o join above on o.id = above.parent_id where above.depth < $3)
       select found as id from above where id = $1`,
      [orgId, code, maxDepth],
    )
  ).rows[0]?.id;

/** An organisation and those above it to which the person belongs, the topmost first. */
export const visiblePath = async (
  sql: Sql,
  { orgId, userId }: { orgId: number; userId: string },
): Promise<{ code: string; name: string }[]> =>
  (
    await sql.query<{ code: string; name: string }>(
      `with recursive above as (
         select id, parent_id, code, name, 0 as depth from organisations where id = $1
         union all
         select o.id, o.parent_id, o.code, o.name, above.depth + 1
         from organisations o join above on o.id = above.parent_id where above.depth < $3)
       select code, name from above
       where depth = 0 or exists (
         select from memberships m where m.org_id = above.id and m.user_id = $2 and m.disabled_at is null)
       order by depth desc`,
      [orgId, userId, maxDepth],
    )
  ).rows;

/** The organisation with the code, if the person is an admin in it. */
export const findAdministered = async (
  sql: Sql,
  { userId, code }: { userId: string; code: string },
): Promise<{ id: number; code: string; name: string } | undefined> =>
  (
    await sql.query<{ id: number; code: string; name: string }>(
      `select o.id, o.code, o.name from organisations o join memberships m on m.org_id = o.id
       where lower(o.code) = lower($2) and m.user_id = $1 and m.disabled_at is null
         and m.role in ('admin', 'superadmin')`,
      [userId, code],
    )
  ).rows[0];
