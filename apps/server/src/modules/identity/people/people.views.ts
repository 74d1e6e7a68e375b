import type { Sql } from '../../../platform/db/index.ts';

export interface ListedPerson {
  id: string;
  email: string;
  name: string;
  signIns: number;
  lastSignInAt: Date | null;
  disabled: boolean;
  twoFactor: boolean;
}

export const listPeople = async (
  sql: Sql,
  { search, limit }: { search: string; limit: number },
): Promise<ListedPerson[]> =>
  (
    await sql.query<ListedPerson>(
      `select id, email, concat_ws(' ', first_name, last_name) as name, sign_in_count as "signIns",
         last_sign_in_at as "lastSignInAt", disabled_at is not null as disabled,
         totp_enabled_at is not null as "twoFactor"
       from users where strpos(lower(email), lower($1)) > 0 order by lower(email) limit $2`,
      [search, limit],
    )
  ).rows;

export interface PersonDetails extends ListedPerson {
  locale: string;
  createdAt: Date;
  recoveryCodesLeft: number;
  openSessions: number;
  organisations: { code: string; role: string; default: boolean; disabled: boolean }[];
  failedSignIns: number;
  lockedUntil: Date | null;
}

/**
 * One person as shown to the operator.
 * @param addressKey under which failed sign-ins are counted
 */
export const findPerson = async (
  sql: Sql,
  { email, addressKey, now }: { email: string; addressKey: Buffer; now: Date },
): Promise<PersonDetails | undefined> =>
  (
    await sql.query<PersonDetails>(
      `select u.id, u.email, concat_ws(' ', u.first_name, u.last_name) as name, u.locale,
         u.created_at as "createdAt", u.sign_in_count as "signIns", u.last_sign_in_at as "lastSignInAt",
         u.disabled_at is not null as disabled, u.totp_enabled_at is not null as "twoFactor",
         (select count(*) from recovery_codes c where c.user_id = u.id and c.used_at is null)
           as "recoveryCodesLeft",
         (select count(*) from user_sessions s where s.user_id = u.id and s.ended_at is null) as "openSessions",
         coalesce((select json_agg(json_build_object('code', o.code, 'role', m.role, 'default', m.is_default,
             'disabled', m.disabled_at is not null) order by m.is_default desc, o.code)
           from memberships m join organisations o on o.id = m.org_id where m.user_id = u.id), '[]')
           as organisations,
         coalesce(f.failures, 0) as "failedSignIns",
         case when f.locked_until > $3 then f.locked_until end as "lockedUntil"
       from users u left join sign_in_failures f on f.kind = 'email' and f.address_key = $2
       where lower(u.email) = $1`,
      [email, addressKey, now],
    )
  ).rows[0];
