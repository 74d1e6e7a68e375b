import type { Profile } from '@simcube/contract/identity';
import type { Sql } from '../../../platform/db/index.ts';
import { languageOf } from '../people/people.rules.ts';

interface Row {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  locale: string;
  createdAt: Date;
  lastSignInAt: Date | null;
  signIns: number;
  enabled: boolean;
  codesLeft: number;
  required: boolean;
}

export const findProfile = async (sql: Sql, userId: string): Promise<Profile | undefined> => {
  const { rows } = await sql.query<Row>(
    `select u.id, u.email, u.first_name as "firstName", u.last_name as "lastName", u.locale,
       u.created_at as "createdAt", u.last_sign_in_at as "lastSignInAt", u.sign_in_count as "signIns",
       u.totp_enabled_at is not null as enabled,
       (select count(*) from recovery_codes c where c.user_id = u.id and c.used_at is null) as "codesLeft",
       exists (select from memberships m join organisations o on o.id = m.org_id
               where m.user_id = u.id and m.disabled_at is null and o.two_factor_required) as required
     from users u where u.id = $1`,
    [userId],
  );
  const [row] = rows;
  return (
    row && {
      id: row.id,
      email: row.email,
      first_name: row.firstName,
      last_name: row.lastName,
      language: languageOf(row.locale),
      created_at: row.createdAt.toISOString(),
      last_sign_in_at: row.lastSignInAt?.toISOString() ?? null,
      sign_in_count: row.signIns,
      two_factor: { enabled: row.enabled, recovery_codes_left: row.codesLeft },
      two_factor_required: row.required,
    }
  );
};
