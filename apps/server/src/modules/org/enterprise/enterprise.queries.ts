import type { SecuritySettings, SmsQuota } from '@simcube/contract/org';
import type { Sql } from '../../../platform/db/index.ts';

/** Locks the organisation against new references to it (their foreign keys wait). */
export const lockForRemoval = async (tx: Sql, orgId: number): Promise<boolean> =>
  (await tx.query('select from organisations where id = $1 for update', [orgId])).rowCount === 1;

/** The people of an organisation; their memberships are locked. */
export const lockMembers = async (tx: Sql, orgId: number): Promise<string[]> =>
  (
    await tx.query<{ user_id: string }>(
      'select user_id from memberships where org_id = $1 order by user_id for update',
      [orgId],
    )
  ).rows.map((row) => row.user_id);

export const hasProcessingTasks = async (sql: Sql, orgId: number): Promise<boolean> =>
  (
    await sql.query<{ busy: boolean }>(
      `select exists (select from tasks where org_id = $1 and status = 'processing') as busy`,
      [orgId],
    )
  ).rows[0]?.busy === true;

/** @throws the database's error 23503 while SIMs, bundle orders or sub-organisations refer to it */
export const deleteOrganisation = async (tx: Sql, orgId: number): Promise<void> => {
  await tx.query('delete from organisations where id = $1', [orgId]);
};

export const isNameTaken = async (
  sql: Sql,
  { parentId, name }: { parentId: number | null; name: string },
): Promise<boolean> =>
  (
    await sql.query<{ taken: boolean }>(
      `select exists (select from organisations
         where coalesce(parent_id, 0) = coalesce($1::bigint, 0) and folded(name) = folded($2)) as taken`,
      [parentId, name],
    )
  ).rows[0]?.taken === true;

export interface OrganisationChanges {
  name?: string | undefined;
  country?: string | undefined;
  quota?: SmsQuota | undefined;
  security?: SecuritySettings | undefined;
}

/**
 * Omitted fields stay unchanged. A network is stored without its host bits.
 * @throws the database's error 23505 when the name is taken below the same parent
 */
export const updateOrganisation = async (
  tx: Sql,
  orgId: number,
  { name, country, quota, security }: OrganisationChanges,
): Promise<void> => {
  await tx.query(
    `update organisations set
       name = coalesce($2, name),
       country = coalesce($3, country),
       sms_quota_kind = coalesce($4, sms_quota_kind),
       sms_quota_messages = case when $4::text is null then sms_quota_messages else $5::int end,
       two_factor_required = coalesce($6, two_factor_required),
       session_idle_hours = coalesce($7, session_idle_hours),
       session_hours = coalesce($8, session_hours),
       allowed_networks = coalesce(
         (select array_agg(distinct network(one)::cidr) from unnest($9::inet[]) as one),
         case when $9::inet[] is null then allowed_networks else '{}' end)
     where id = $1`,
    [
      orgId,
      name ?? null,
      country ?? null,
      quota?.kind ?? null,
      quota?.kind === 'custom' ? quota.messages : null,
      security?.two_factor_required ?? null,
      security?.session_idle_hours ?? null,
      security?.session_hours ?? null,
      security?.allowed_networks ?? null,
    ],
  );
};

export const updateLogo = async (tx: Sql, orgId: number, logo: string | null): Promise<void> => {
  await tx.query('update organisations set logo = $2 where id = $1', [orgId, logo]);
};

/** Null: the default limit. Undefined: unchanged. */
export interface LimitChanges {
  seats?: number | null | undefined;
  subOrganisations?: number | null | undefined;
}

export const updateLimits = async (
  tx: Sql,
  orgId: number,
  { seats, subOrganisations }: LimitChanges,
): Promise<void> => {
  await tx.query(
    `update organisations set
       seat_limit = case when $2 then $3::int else seat_limit end,
       sub_organisation_limit = case when $4 then $5::int else sub_organisation_limit end
     where id = $1`,
    [orgId, seats !== undefined, seats ?? null, subOrganisations !== undefined, subOrganisations ?? null],
  );
};

/** Locks all memberships of the person, so that two choices are serialised. */
export const lockMembershipsOf = async (tx: Sql, userId: string): Promise<void> => {
  await tx.query('select from memberships where user_id = $1 order by org_id for update', [userId]);
};

/** @returns false when the person is not a member there, or is disabled */
export const markDefault = async (
  tx: Sql,
  { userId, orgId }: { userId: string; orgId: number },
): Promise<boolean> => {
  const { rowCount } = await tx.query(
    'select from memberships where user_id = $1 and org_id = $2 and disabled_at is null',
    [userId, orgId],
  );
  if (rowCount !== 1) return false;
  await tx.query('update memberships set is_default = false where user_id = $1 and is_default', [userId]);
  await tx.query('update memberships set is_default = true where user_id = $1 and org_id = $2', [
    userId,
    orgId,
  ]);
  return true;
};
