import type { Role } from '@simcube/contract';
import { roles } from '@simcube/contract';
import type { Account, AccountStatus, FixedPart } from '@simcube/contract/account';
import { z } from 'zod';
import type { Sql } from '../../../platform/db/index.ts';
import { listElsewhere, nowhereElse } from '../../org/index.ts';
import { fixedPartsOf } from './accounts.rules.ts';

/** Sort columns: the expression, and how its value is written in a cursor. Instants count in whole microseconds. */
const microseconds = (column: string) => `coalesce((extract(epoch from ${column}) * 1000000)::bigint, 0)`;
const sorts = {
  name: { key: `lower(concat_ws(' ', first_name, last_name))`, type: 'text' },
  email: { key: 'lower(email)', type: 'text' },
  role: { key: `array_position(array['${roles.join("','")}'], role)`, type: 'bigint' },
  created_at: { key: microseconds('created_at'), type: 'bigint' },
  last_sign_in_at: { key: microseconds('last_sign_in_at'), type: 'bigint' },
  sign_in_count: { key: 'sign_in_count', type: 'bigint' },
} as const;

export type AccountSort = keyof typeof sorts;

export interface AccountOrder {
  column: AccountSort;
  descending: boolean;
}

export const accountOrderOf = (sort: AccountSort | `-${AccountSort}` = 'name'): AccountOrder =>
  sort.startsWith('-')
    ? { column: sort.slice(1) as AccountSort, descending: true }
    : { column: sort as AccountSort, descending: false };

/** Where a page ended; a cursor of another order is refused, as its value means nothing in this one. */
export const accountPositionSchema = ({ column, descending }: AccountOrder) =>
  z.tuple([
    z.literal(`${descending ? '-' : ''}${column}`),
    sorts[column].type === 'text'
      ? z
          .string()
          .max(300)
          .refine((text) => !text.includes('\0'))
      : z.int(),
    z.uuid(),
  ]);

export type AccountPosition = [sort: string, value: string | number, id: string];

export interface AccountFilter {
  orgId: number;
  /** Invitations that ended before are none. */
  now: Date;
  search: string;
  role: Role | undefined;
  status: AccountStatus | undefined;
}

/** Who looks, by whose role it is decided what of an account cannot be changed. */
export interface Viewer {
  userId: string;
  role: Role;
}

interface AccountQuery extends AccountFilter {
  viewer: Viewer;
  order: AccountOrder;
  limit: number;
  offset: number;
  after: AccountPosition | undefined;
}

/**
 * Memberships and open invitations of organisation $1 as of $2. An invitation shows what its sender wrote and nothing
 * of the person who may have the address: nobody learns here who is known elsewhere.
 */
const accounts = `
  select u.id, u.first_name, u.last_name, u.email, u.locale, m.role,
    m.oversight or m.role = 'superadmin' as oversight,
    case when m.disabled_at is null and u.disabled_at is null then 'active' else 'disabled' end as status,
    u.totp_enabled_at is not null as two_factor, m.created_at, u.sign_in_count, u.last_sign_in_at,
    null::uuid as invitation_id, null::timestamptz as expires_at,
    m.permission_changes <> '{}' and m.role not in ('admin', 'superadmin') as permissions_changed
  from memberships m join users u on u.id = m.user_id where m.org_id = $1
  union all
  select id, first_name, last_name, email, locale, role, oversight or role = 'superadmin', 'pending',
    false, created_at, 0, null, id, expires_at, false
  from invitations where org_id = $1 and status = 'pending' and expires_at > $2`;

const matching = `from (${accounts}) as account
  where ($3 = '' or strpos(folded(concat_ws(' ', first_name, last_name)), folded($3)) > 0
    or strpos(lower(email), folded($3)) > 0)
    and ($4::text is null or role = $4) and ($5::text is null or status = $5)`;

const filterValues = ({ orgId, now, search, role, status }: AccountFilter) => [
  orgId,
  now,
  search,
  role ?? null,
  status ?? null,
];

export const listAccounts = async (
  sql: Sql,
  query: AccountQuery,
): Promise<{ account: Account; position: AccountPosition }[]> => {
  const { column, descending } = query.order;
  const { key, type } = sorts[column];
  const direction = descending ? 'desc' : 'asc';
  const { rows } = await sql.query(
    `select *, ${key} as sort_key ${matching}
       and ($6::${type} is null or (${key}, id) ${descending ? '<' : '>'} ($6::${type}, $7::uuid))
     order by sort_key ${direction}, id ${direction} limit $8 offset $9`,
    [...filterValues(query), query.after?.[1] ?? null, query.after?.[2] ?? null, query.limit, query.offset],
  );
  const fixedOf = await fixedParts(sql, query, rows);
  return rows.map((row) => ({
    account: accountOf(row, fixedOf(row)),
    position: [`${descending ? '-' : ''}${column}`, row.sort_key, row.id],
  }));
};

/** An organisation has as many accounts as it has seats: they can be counted. */
export const countAccounts = async (sql: Sql, filter: AccountFilter): Promise<number> =>
  (await sql.query<{ count: number }>(`select count(*)::int as count ${matching}`, filterValues(filter)))
    .rows[0]?.count ?? 0;

export const findAccount = async (
  sql: Sql,
  { orgId, now, viewer, id }: { orgId: number; now: Date; viewer: Viewer; id: string },
): Promise<Account | undefined> => {
  const { rows } = await sql.query(`select * from (${accounts}) as account where id = $3`, [orgId, now, id]);
  const fixedOf = await fixedParts(sql, { orgId, viewer }, rows);
  return rows[0] && accountOf(rows[0], fixedOf(rows[0]));
};

/** Nothing of the own account is fixed by what one is elsewhere; of an invitation, only its role is known. */
const fixedParts = async (
  sql: Sql,
  { orgId, viewer }: { orgId: number; viewer: Viewer },
  rows: readonly AccountRow[],
): Promise<(row: AccountRow) => FixedPart[]> => {
  const userIds = rows.filter(({ invitation_id }) => invitation_id === null).map(({ id }) => id);
  const others = await listElsewhere(sql, { orgId, userIds, viewerId: viewer.userId });
  return ({ id, role }) =>
    id === viewer.userId
      ? []
      : fixedPartsOf({ own: viewer.role, target: role, elsewhere: others.get(id) ?? nowhereElse });
};

interface AccountRow
  extends Pick<
    Account,
    | 'id'
    | 'first_name'
    | 'last_name'
    | 'email'
    | 'locale'
    | 'role'
    | 'oversight'
    | 'status'
    | 'two_factor'
    | 'sign_in_count'
    | 'permissions_changed'
  > {
  created_at: Date;
  last_sign_in_at: Date | null;
  invitation_id: string | null;
  expires_at: Date | null;
}

const accountOf = (row: AccountRow, fixed: FixedPart[]): Account => ({
  id: row.id,
  first_name: row.first_name,
  last_name: row.last_name,
  email: row.email,
  locale: row.locale,
  role: row.role,
  oversight: row.oversight,
  status: row.status,
  two_factor: row.two_factor,
  created_at: row.created_at.toISOString(),
  sign_in_count: row.sign_in_count,
  last_sign_in_at: row.last_sign_in_at?.toISOString() ?? null,
  pending_invitation:
    row.invitation_id && row.expires_at
      ? { id: row.invitation_id, expires_at: row.expires_at.toISOString() }
      : null,
  permissions_changed: row.permissions_changed,
  fixed,
});
