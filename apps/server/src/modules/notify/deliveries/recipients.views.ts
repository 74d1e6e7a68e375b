import type { Channel } from '@simcube/contract/notify';
import type { Sql } from '../../../platform/db/index.ts';

export interface Recipient {
  targetId: number | null;
  channel: Channel;
  address: string;
  language: string;
  isPaused: boolean;
}

/**
 * Every address of the targets, in the language of the account that has the address in the organisation, else
 * in the target's. A target of another organisation has none.
 */
export const recipientsOf = async (
  sql: Sql,
  { orgId, targetIds }: { orgId: number; targetIds: readonly number[] },
): Promise<Recipient[]> =>
  (
    await sql.query<Recipient>(
      `select t.id as "targetId", t.kind as channel, a.address, t.paused_at is not null as "isPaused",
         coalesce((select u.locale from users u join memberships m on m.user_id = u.id
           where u.email = a.address and m.org_id = t.org_id and t.kind = 'email'), t.language) as language
       from notification_targets t, unnest(t.addresses) with ordinality as a (address, place)
       where t.org_id = $1 and t.id = any($2) order by t.id, a.place`,
      [orgId, targetIds],
    )
  ).rows;

/** Whether the organisation has the target; webhooks belong to their accounts. */
export const hasTarget = async (sql: Sql, { orgId, id }: { orgId: number; id: number }): Promise<boolean> =>
  (
    await sql.query(`select from notification_targets where id = $1 and org_id = $2 and kind <> 'webhook'`, [
      id,
      orgId,
    ])
  ).rows.length > 0;

/**
 * The owner of a target as long as the owner has an account in its organisation; else those whose role may
 * change targets.
 */
export const ownersOf = async (
  sql: Sql,
  { orgId, ownerId }: { orgId: number; ownerId: string | null },
): Promise<Recipient[]> =>
  (
    await sql.query<Recipient>(
      `with people as (
         select u.id, u.email, u.locale, m.role from users u join memberships m on m.user_id = u.id
         where m.org_id = $1 and m.disabled_at is null and u.disabled_at is null)
       select null as "targetId", 'email' as channel, email as address, locale as language, false as "isPaused"
       from people where id = $2
         or (role in ('admin', 'superadmin') and not exists (select from people where id = $2))
       order by email limit 20`,
      [orgId, ownerId],
    )
  ).rows;
