import type { Language } from '@simcube/contract';
import type { Sql } from '../../../platform/db/index.ts';

export interface Account {
  orgId: number;
  accountId: string;
}

/** An account's webhook, locked until the transaction ends. */
export interface LockedWebhook {
  id: number;
  /** Null until one is set. */
  url: string | null;
  pausedFor: 'failing' | 'gone' | null;
}

export const lockWebhook = async (
  tx: Sql,
  { orgId, accountId }: Account,
): Promise<LockedWebhook | undefined> =>
  (
    await tx.query<LockedWebhook>(
      `select id, addresses[1] as url, paused_for as "pausedFor" from notification_targets
       where org_id = $1 and account_id = $2 for update`,
      [orgId, accountId],
    )
  ).rows[0];

/** Does nothing if the account has one. */
export const insertWebhook = async (
  tx: Sql,
  { orgId, accountId, language, at }: Account & { language: Language; at: Date },
): Promise<void> => {
  await tx.query(
    `insert into notification_targets (org_id, account_id, kind, name, addresses, owner_id, language, created_at)
     values ($1, $2::uuid, 'webhook', $2::text, '{}', $2::uuid, $3, $4) on conflict do nothing`,
    [orgId, accountId, language, at],
  );
};

export const setWebhookUrl = async (tx: Sql, id: number, url: string): Promise<void> => {
  await tx.query('update notification_targets set addresses = array[$2] where id = $1', [id, url]);
};
