import type { Webhook, WebhookEventType } from '@simcube/contract/webhook';
import { webhookEventTypes } from '@simcube/contract/webhook';
import type { Sql } from '../../../platform/db/index.ts';
import { UnsealError, type Vault } from '../../../platform/secrets/index.ts';
import { type Account, failuresUntilProbes } from '../../notify/index.ts';

interface Row {
  id: number;
  url: string | null;
  paused_for: 'failing' | 'gone' | null;
  enabled_at: Date | null;
  sealed: Buffer | null;
  key_created_at: Date | null;
  former_key_until: Date | null;
  failures: number;
  failing_since: Date | null;
  next_try_at: Date | null;
  types: WebhookEventType[];
}

/** An account's webhook; undefined until any of its settings was made. */
export const findWebhook = async (
  sql: Sql,
  { orgId, accountId }: Account,
  now: Date,
): Promise<Row | undefined> =>
  (
    await sql.query<Row>(
      `select t.id, t.addresses[1] as url, t.paused_for, w.enabled_at, newest.sealed, newest.created_at as key_created_at,
         (select max(s.expires_at) from target_secrets s where s.target_id = t.id and s.expires_at > $3)
           as former_key_until,
         coalesce(l.failures, 0) as failures, l.failing_since, l.next_try_at,
         array(select c.type from webhook_types c where c.target_id = t.id) as types
       from notification_targets t
         join webhooks w on w.target_id = t.id
         left join target_secrets newest on newest.target_id = t.id and newest.expires_at is null
         left join delivery_lanes l on l.lane = t.id
       where t.org_id = $1 and t.account_id = $2`,
      [orgId, accountId, now],
    )
  ).rows[0];

const iso = (at: Date | null | undefined): string | null => at?.toISOString() ?? null;

export const toWebhook = (
  accountId: string,
  row: Row | undefined,
  { vault, defaultTypes }: { vault: Vault; defaultTypes: readonly WebhookEventType[] },
): Webhook => {
  const isFailing = row !== undefined && row.paused_for === null && row.failures >= failuresUntilProbes;
  const chosen = row?.types ?? defaultTypes;
  return {
    id: accountId,
    key: readKey(vault, row?.sealed ?? null),
    key_created_at: iso(row?.key_created_at),
    former_key_until: iso(row?.former_key_until),
    url: row?.url ?? null,
    status: row?.enabled_at ? 'enabled' : 'disabled',
    state: row?.paused_for ? 'paused' : isFailing ? 'failing' : 'active',
    paused_for: row?.paused_for ?? null,
    failing_since: iso(row?.failing_since),
    next_try_at: isFailing ? iso(row.next_try_at) : null,
    event_types: webhookEventTypes.filter((type) => chosen.includes(type)),
  };
};

/** Null if the installation's key has been replaced since: a new notification key is needed. */
const readKey = (vault: Vault, sealed: Buffer | null): string | null => {
  try {
    return sealed && vault.open(sealed);
  } catch (error) {
    if (error instanceof UnsealError) return null;
    throw error;
  }
};
