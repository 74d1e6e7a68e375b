import type { SmsReason } from '@simcube/contract/sms';
import type { Sql } from '../../../platform/db/index.ts';
import type { PartKey } from './queue.queries.ts';

/** A text to a phone with its final result. */
export interface SettledText {
  orgId: number;
  reference: string;
  /** Null: delivered. */
  reason: SmsReason | null;
}

/** A text with failed parts, and the quotas they were taken off. */
export interface FailedText {
  at: Date;
  chargedOrgIds: number[];
  parts: number;
  /** Set if the text had not failed before. */
  settled: SettledText | null;
}

/** Counts delivered parts. @returns the texts of which all parts are now delivered */
export const addDeliveredTexts = async (tx: Sql, parts: readonly PartKey[]): Promise<SettledText[]> => {
  const { rows } = await tx.query<SettledText>(
    `with counted as (
       select id, count(*)::smallint as parts from unnest($1::bigint[]) as v (id) group by id),
     added as (
       update sms_texts t set delivered_parts = t.delivered_parts + c.parts from counted c
       where t.id = c.id and t.failed_at is null returning t.org_id, t.reference, t.delivered_parts, t.parts)
     select org_id as "orgId", reference, null as reason from added where delivered_parts = parts`,
    [parts.map(({ message_id }) => message_id)],
  );
  return rows;
};

/** Sets texts to failed; the reason of the first failed part counts. */
export const failTexts = async (
  tx: Sql,
  parts: readonly (PartKey & { reason: SmsReason | null })[],
  now: Date,
): Promise<FailedText[]> => {
  const { rows } = await tx.query<Omit<FailedText, 'settled'> & SettledText & { isFirst: boolean }>(
    `with failed as (
       select id, count(*)::int as parts, min(reason) as reason from unnest($1::bigint[], $2::text[]) as v (id, reason)
       group by id),
     known as (select t.id, t.failed_at from sms_texts t join failed f on f.id = t.id for update of t)
     update sms_texts t set failed_at = coalesce(t.failed_at, $3) from failed f join known k on k.id = f.id
     where t.id = f.id
     returning t.org_id as "orgId", t.reference, t.at, t.charged_org_ids as "chargedOrgIds", f.parts, f.reason,
       k.failed_at is null as "isFirst"`,
    [parts.map(({ message_id }) => message_id), parts.map(({ reason }) => reason), now],
  );
  return rows.map(({ orgId, reference, reason, isFirst, ...text }) => ({
    ...text,
    settled: isFirst ? { orgId, reference, reason } : null,
  }));
};

/** Deletes texts accepted before the given time; later results for them are dropped. */
export const removeTexts = async (tx: Sql, before: Date): Promise<void> => {
  await tx.query('delete from sms_texts where at < $1', [before]);
};
