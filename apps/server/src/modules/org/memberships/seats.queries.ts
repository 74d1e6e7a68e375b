import type { Sql } from '../../../platform/db/index.ts';

/**
 * Locks the organisation for changes that depend on the number of things in or below it. Its SIMs and
 * memberships can still be written; only its deletion and other such changes wait.
 */
export const lockOrganisation = async (
  tx: Sql,
  orgId: number,
): Promise<{ seatLimit: number | null; subOrganisationLimit: number | null } | undefined> =>
  (
    await tx.query<{ seatLimit: number | null; subOrganisationLimit: number | null }>(
      `select seat_limit as "seatLimit", sub_organisation_limit as "subOrganisationLimit"
       from organisations where id = $1 for no key update`,
      [orgId],
    )
  ).rows[0];

/** Accounts, including disabled ones, and open invitations. */
export const countSeats = async (sql: Sql, { orgId, now }: { orgId: number; now: Date }): Promise<number> =>
  (
    await sql.query<{ seats: number }>(
      `select (select count(*) from memberships where org_id = $1)::int
         + (select count(*) from invitations
            where org_id = $1 and status = 'pending' and expires_at > $2)::int as seats`,
      [orgId, now],
    )
  ).rows[0]?.seats ?? 0;

/** @returns false when the person does not exist */
export const lockPerson = async (tx: Sql, userId: string): Promise<boolean> =>
  (await tx.query('select from users where id = $1 for no key update', [userId])).rowCount === 1;

export const countMemberships = async (sql: Sql, userId: string): Promise<number> =>
  (
    await sql.query<{ places: number }>(
      'select count(*)::int as places from memberships where user_id = $1',
      [userId],
    )
  ).rows[0]?.places ?? 0;

/** The organisations that the person joined or created; oversight adds more. */
export const countJoined = async (sql: Sql, userId: string): Promise<number> =>
  (
    await sql.query<{ joined: number }>(
      'select count(*)::int as joined from memberships where user_id = $1 and not by_oversight',
      [userId],
    )
  ).rows[0]?.joined ?? 0;

/** Gives a new default to each of these people who has memberships but no default: the oldest enabled one. */
export const restoreDefaults = async (tx: Sql, userIds: readonly string[]): Promise<void> => {
  await tx.query(
    `update memberships m set is_default = true
     from (select distinct on (user_id) user_id, org_id from memberships
           where user_id = any ($1::uuid[])
           order by user_id, (disabled_at is not null), created_at, org_id) as first
     where m.user_id = first.user_id and m.org_id = first.org_id
       and not exists (select from memberships d where d.user_id = m.user_id and d.is_default)`,
    [userIds],
  );
};
