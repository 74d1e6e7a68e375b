import type { Sql } from '../../../platform/db/index.ts';
import { duePerRound, partStates } from '../sms.rules.ts';
import type { PartKey } from './queue.queries.ts';
import type { AwaitingPart, ReceivedReceipt } from './receipts.rules.ts';

export type MatchablePart = AwaitingPart &
  PartKey & { /** Its answer is not stored yet. */ isSubmitting: boolean };

const columns = `id, smsc_id as "smscId", smsc_key as "smscKey", destination, sim_id, message_at, message_id,
  state = ${partStates.waiting} as "isSubmitting"`;

/** Parts that the SMSC has under one of these ids, the oldest first. */
export const listPartsByKeys = async (tx: Sql, keys: readonly string[]): Promise<MatchablePart[]> => {
  if (keys.length === 0) return [];
  const { rows } = await tx.query<MatchablePart>({
    name: 'sms-parts-by-keys',
    text: `select ${columns} from sms_parts where smsc_key = any($1::text[])
     order by sms_parts.id limit 20000`,
    values: [keys],
  });
  return rows;
};

/** Parts to these numbers whose ids are unknown, or may be known in a moment, the oldest first. */
export const listPartsByNumbers = async (tx: Sql, numbers: readonly string[]): Promise<MatchablePart[]> => {
  if (numbers.length === 0) return [];
  const { rows } = await tx.query<MatchablePart>(
    `select ${columns} from sms_parts where destination = any($1::text[])
       and (state <> ${partStates.waiting} or id in (select unnest(part_ids) from sms_claims))
     order by sms_parts.id limit 20000`,
    [numbers],
  );
  return rows;
};

/** @returns those that were there: each is settled once */
export const removeParts = async (tx: Sql, ids: readonly number[]): Promise<(PartKey & { id: number })[]> => {
  const { rows } = await tx.query<PartKey & { id: number }>({
    name: 'sms-remove-parts',
    text: 'delete from sms_parts where id = any($1::bigint[]) returning id, sim_id, message_at, message_id',
    values: [ids],
  });
  return rows;
};

export const keepEarly = async (tx: Sql, receipts: readonly ReceivedReceipt[], now: Date): Promise<void> => {
  if (receipts.length === 0) return;
  await tx.query(
    `insert into sms_early_receipts (received_at, keys, address, receipt)
     select $1, array(select jsonb_array_elements_text(receipt -> 'keys')), receipt ->> 'address', receipt
     from jsonb_array_elements($2::jsonb) as given (receipt)`,
    [now, JSON.stringify(receipts)],
  );
};

/** Receipts that came before the answers that give these ids; they are taken out. */
export const takeEarly = async (tx: Sql, keys: readonly string[]): Promise<ReceivedReceipt[]> => {
  const { rows } = await tx.query<{ receipt: ReceivedReceipt }>({
    name: 'sms-take-early',
    text: 'delete from sms_early_receipts where keys && $1::text[] returning receipt',
    values: [keys],
  });
  return rows.map(({ receipt }) => receipt);
};

/** Those that waited long enough; they are taken out. */
export const takeWaited = async (tx: Sql, before: Date): Promise<ReceivedReceipt[]> => {
  const { rows } = await tx.query<{ receipt: ReceivedReceipt }>(
    `delete from sms_early_receipts where id in (
       select id from sms_early_receipts where received_at < $1 order by id limit ${duePerRound}) returning receipt`,
    [before],
  );
  return rows.map(({ receipt }) => receipt);
};
