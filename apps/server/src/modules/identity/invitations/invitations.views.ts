import type { Invitation } from '@simcube/contract/identity';
import type { Sql } from '../../../platform/db/index.ts';

/** What the holder of a mailed token sees before accepting; names are the person's own, if the person exists. */
export const readOpenInvitation = async (
  sql: Sql,
  { tokenHash, now }: { tokenHash: Buffer; now: Date },
): Promise<Invitation | undefined> => {
  const { rows } = await sql.query(
    `select i.email, o.name as organisation, coalesce(concat_ws(' ', by.first_name, by.last_name), '') as inviter,
       i.role, i.locale as language, i.expires_at,
       person.id is not null or i.password_hash is not null as known,
       coalesce(person.first_name, i.first_name) as first_name,
       coalesce(person.last_name, i.last_name) as last_name
     from invitations i
     join organisations o on o.id = i.org_id
     left join users by on by.id = i.invited_by
     left join users person on lower(person.email) = lower(i.email)
     where i.token_hash = $1 and i.status = 'pending' and i.expires_at > $2`,
    [tokenHash, now],
  );
  const [row] = rows;
  return row && { ...row, expires_at: row.expires_at.toISOString() };
};

export interface OrganisationName {
  code: string;
  name: string;
}

export const getOrganisationName = async (sql: Sql, orgId: number): Promise<OrganisationName> => {
  const { rows } = await sql.query<OrganisationName>('select code, name from organisations where id = $1', [
    orgId,
  ]);
  const [row] = rows;
  if (!row) throw new Error(`There is no organisation ${orgId}`);
  return row;
};
