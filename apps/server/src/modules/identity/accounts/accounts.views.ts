import type { Role } from '@simcube/contract';
import { roles } from '@simcube/contract';
import type { Account, AccountStatus, FixedPart } from '@simcube/contract/account';
import { sql } from 'kysely';
import type { Sql } from '../../../platform/db/index.ts';
import type { List } from '../../../platform/lists/index.ts';
import { listOtherMemberships, noOtherMemberships } from '../../org/index.ts';
import { fixedPartsOf } from './accounts.rules.ts';

export interface AccountFilter {
  search?: string | undefined;
  role?: Role | undefined;
  status?: AccountStatus | undefined;
}

/** The viewer, whose role decides which parts of an account can't be changed. */
export interface Viewer {
  userId: string;
  role: Role;
}

interface AccountScope {
  orgId: number;
  viewer: Viewer;
}

type AccountSort = 'name' | 'email' | 'role' | 'created_at' | 'last_sign_in_at' | 'sign_in_count';

/**
 * Memberships and open invitations of an organisation. An invitation shows what its sender wrote and nothing
 * about the person who may have the address, so as not to reveal who is known elsewhere. Ended invitations are
 * left out.
 */
const members = `
  select u.id, u.first_name, u.last_name, u.email, u.locale, m.role,
    m.oversight or m.role = 'superadmin' as oversight,
    case when m.disabled_at is null and u.disabled_at is null then 'active' else 'disabled' end as status,
    u.totp_enabled_at is not null as two_factor, m.created_at, u.sign_in_count, u.last_sign_in_at,
    null::uuid as invitation_id, null::timestamptz as expires_at,
    m.permission_changes <> '{}' and m.role not in ('admin', 'superadmin') as permissions_changed
  from memberships m join users u on u.id = m.user_id where m.org_id =`;
const invited = `
  select id, first_name, last_name, email, locale, role, oversight or role = 'superadmin', 'pending',
    false, created_at, 0, null, id, expires_at, false
  from invitations where status = 'pending' and org_id =`;

const name = sql`concat_ws(' ', first_name, last_name)`;

/** Their rows; `accountsOf` adds their people's other memberships. */
export const accountList: List<{ orgId: number }, AccountFilter, AccountRow, AccountRow, AccountSort> = {
  name: 'account.list',
  tables: [
    {
      name: 'accounts',
      from: ({ scope: { orgId }, now }) => sql`(${sql.raw(members)} ${orgId} union all
        ${sql.raw(invited)} ${orgId} and expires_at > ${now}) as account`,
    },
  ],
  key: { column: 'id', type: 'uuid' },
  sorts: {
    name: { column: sql`lower(${name})`, type: 'text' },
    email: { column: sql`lower(email)`, type: 'text' },
    role: { column: sql`array_position(${[...roles]}::text[], role)`, type: 'integer' },
    created_at: { column: 'created_at', type: 'instant' },
    last_sign_in_at: { column: 'last_sign_in_at', type: 'instant', nulls: 'least' },
    sign_in_count: { column: 'sign_in_count', type: 'integer' },
  },
  order: 'name',
  filters: {
    search: (text) =>
      sql`(strpos(folded(${name}), folded(${text})) > 0 or strpos(lower(email), folded(${text})) > 0)`,
    role: (role) => sql`role = ${role}`,
    status: (status) => sql`status = ${status}`,
  },
  // An organisation has at most as many accounts as seats.
  countLimit: 'all',
  select: sql`*`,
  show: (rows) => rows,
};

export const accountsOf = async (
  db: Sql,
  scope: AccountScope,
  rows: readonly AccountRow[],
): Promise<Account[]> => {
  const fixedOf = await fixedParts(db, scope, rows);
  return rows.map((row) => accountOf(row, fixedOf(row)));
};

export const findAccount = async (
  db: Sql,
  { orgId, now, viewer, id }: AccountScope & { now: Date; id: string },
): Promise<Account | undefined> => {
  const { rows } = await db.query<AccountRow>(
    `select * from (${members} $1 union all ${invited} $1 and expires_at > $2) as account where id = $3`,
    [orgId, now, id],
  );
  return (await accountsOf(db, { orgId, viewer }, rows))[0];
};

/** One's own account is not restricted by one's other memberships; of an invitation only the role is known. */
const fixedParts = async (
  db: Sql,
  { orgId, viewer }: AccountScope,
  rows: readonly AccountRow[],
): Promise<(row: AccountRow) => FixedPart[]> => {
  const userIds = rows.filter(({ invitation_id }) => invitation_id === null).map(({ id }) => id);
  const others = await listOtherMemberships(db, { orgId, userIds, viewerId: viewer.userId });
  return ({ id, role }) =>
    id === viewer.userId
      ? []
      : fixedPartsOf({
          own: viewer.role,
          target: role,
          otherMemberships: others.get(id) ?? noOtherMemberships,
        });
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
