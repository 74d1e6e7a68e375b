import { effectivePermissions, type PermissionMap, type Role } from '@simcube/contract';
import type { WebhookEventType } from '@simcube/contract/webhook';
import type { Sql } from '../../../platform/db/index.ts';
import { isDeveloper } from '../webhook.rules.ts';

/** A developer of an organisation, and the chosen types. */
export interface Subscription {
  targetId: number;
  orgId: number;
  orgCode: string;
  accountId: string;
  /** Null when nothing is sent: events are still stored for the feed. */
  url: string | null;
  enabledAt: Date | null;
  isPaused: boolean;
  /** When each type was chosen. */
  since: ReadonlyMap<WebhookEventType, Date>;
  permissions: PermissionMap;
}

type Row = Omit<Subscription, 'since' | 'permissions'> & {
  role: Role;
  changes: PermissionMap;
  types: { type: WebhookEventType; since: string }[];
};

/** Only of enabled accounts that are still developers, and whose memberships and webhooks do not change until the transaction ends. */
export const listSubscriptions = async (
  tx: Sql,
  orgIds: readonly number[],
): Promise<Map<number, Subscription[]>> => {
  const targetIds = await lockWebhooks(tx, orgIds);
  if (targetIds.length === 0) return new Map();
  // In a statement of its own: it sees what was committed while the locks were awaited.
  const { rows } = await tx.query<Row>({
    name: 'webhook-subscriptions',
    text: `select w.target_id as "targetId", t.org_id as "orgId", o.code as "orgCode", t.account_id as "accountId",
             t.addresses[1] as url, w.enabled_at as "enabledAt", t.paused_at is not null as "isPaused", m.role,
             m.permission_changes as changes,
             (select coalesce(json_agg(c), '[]') from webhook_types c where c.target_id = w.target_id) as types
           from webhooks w
             join notification_targets t on t.id = w.target_id
             join organisations o on o.id = t.org_id
             join memberships m on m.org_id = t.org_id and m.user_id = t.account_id and m.disabled_at is null
             join users u on u.id = t.account_id and u.disabled_at is null
           where w.target_id = any($1::bigint[]) order by w.target_id`,
    values: [targetIds],
  });
  const all = new Map<number, Subscription[]>();
  for (const { types, role, changes, ...row } of rows) {
    const permissions = effectivePermissions(role, changes);
    if (!isDeveloper(permissions)) continue;
    const since = new Map(types.map((one) => [one.type, new Date(one.since)]));
    const subscription = { ...row, since, permissions };
    all.set(row.orgId, [...(all.get(row.orgId) ?? []), subscription]);
  }
  return all;
};

/**
 * Locks the memberships in the order of those who change them, then their webhooks, as both their developers and the removal of a
 * membership do: what is recorded meanwhile is seen by a change of types or URL that has to give it up.
 */
const lockWebhooks = async (tx: Sql, orgIds: readonly number[]): Promise<number[]> => {
  const { rows: members } = await tx.query<{ id: number }>({
    name: 'webhook-lock-developers',
    text: `select t.id from notification_targets t join memberships m on m.org_id = t.org_id and m.user_id = t.account_id
           where t.org_id = any($1::bigint[]) and t.account_id is not null
           order by m.user_id, m.org_id for share of m`,
    values: [orgIds],
  });
  const { rows } = await tx.query<{ id: number }>({
    name: 'webhook-lock-targets',
    text: 'select id from notification_targets where id = any($1::bigint[]) order by id for share',
    values: [members.map(({ id }) => id)],
  });
  return rows.map(({ id }) => id);
};
