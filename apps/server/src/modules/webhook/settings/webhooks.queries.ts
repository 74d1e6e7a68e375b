import type { WebhookEventType } from '@simcube/contract/webhook';
import type { Sql } from '../../../platform/db/index.ts';

/** @returns false when they already existed */
export const insertSettings = async (tx: Sql, targetId: number): Promise<boolean> => {
  const { rowCount } = await tx.query('insert into webhooks (target_id) values ($1) on conflict do nothing', [
    targetId,
  ]);
  return rowCount === 1;
};

/** A webhook that is already on keeps the time when it was switched on. */
export const setEnabled = async (tx: Sql, targetId: number, isOn: boolean): Promise<void> => {
  await tx.query(
    `update webhooks set enabled_at = case when $2 then coalesce(enabled_at, now()) end where target_id = $1`,
    [targetId, isOn],
  );
};

/** Types that were already chosen keep the time when they were chosen. */
export const setTypes = async (
  tx: Sql,
  targetId: number,
  types: readonly WebhookEventType[],
): Promise<void> => {
  await tx.query('delete from webhook_types where target_id = $1 and type <> all($2::text[])', [
    targetId,
    types,
  ]);
  await tx.query(
    `insert into webhook_types (target_id, type, since) select $1, type, now() from unnest($2::text[]) as chosen (type)
     on conflict do nothing`,
    [targetId, types],
  );
};
