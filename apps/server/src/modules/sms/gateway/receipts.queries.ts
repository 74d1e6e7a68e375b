import type { Sql } from '../../../platform/db/index.ts';
import { duePerRound, partStates } from '../sms.rules.ts';
import type { PartKey } from './queue.queries.ts';
import type { AwaitingPart, ReceivedReceipt } from './receipts.rules.ts';

export type MatchablePart = AwaitingPart &
  PartKey & { /** Its answer is not stored yet. */ isSubmitting: boolean };

const columns = `id, smsc_id as "smscId", smsc_key as "smscKey", destination, sim_id, message_at, message_id,
  state = ${partStates.waiting} as "isSubmitting"`;

/** Maximum number of parts that are compared for one id, or for one id and number. */
export const maxAlikeParts = 20;

/**
 * Parts with one of these ids: all of them, unless the SMSC has given an id to more than `maxAlikeParts`. In index order:
 * if nearly all parts have the same id, any other query would be planned as a full scan.
 */
export const listPartsByKeys = async (tx: Sql, keys: readonly string[]): Promise<MatchablePart[]> => {
  if (keys.length === 0) return [];
  const { rows } = await tx.query<MatchablePart>({
    name: 'sms-parts-by-keys',
    text: `select ${columns} from unnest($1::text[]) as wanted (key) cross join lateral (
       select * from sms_parts where smsc_key between wanted.key and wanted.key
       order by smsc_key limit ${maxAlikeParts}) as p`,
    values: [keys],
  });
  return rows;
};

/** For ids that an SMSC gave to many parts: the oldest parts with the id and number. */
export const listPartsByKeysAndNumbers = async (
  tx: Sql,
  lookups: readonly { key: string; number: string }[],
): Promise<MatchablePart[]> => {
  const { rows } = await tx.query<MatchablePart>(
    `select ${columns} from (select distinct * from unnest($1::text[], $2::text[]) as w (key, number)) as wanted
     cross join lateral (
       select * from sms_parts where destination = wanted.number and smsc_key = wanted.key
       order by sms_parts.id limit ${maxAlikeParts}) as p`,
    [lookups.map(({ key }) => key), lookups.map(({ number }) => number)],
  );
  return rows;
};

/** Parts to these numbers whose ids are unknown, or about to be known, oldest first. */
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

/** @returns the parts that existed: each is settled once */
export const removeParts = async (tx: Sql, ids: readonly number[]): Promise<(PartKey & { id: number })[]> => {
  const { rows } = await tx.query<PartKey & { id: number }>({
    name: 'sms-remove-parts',
    text: 'delete from sms_parts where id = any($1::bigint[]) returning id, sim_id, message_at, message_id',
    values: [ids],
  });
  return rows;
};

export const storeEarlyReceipts = async (
  tx: Sql,
  receipts: readonly ReceivedReceipt[],
  now: Date,
): Promise<void> => {
  if (receipts.length === 0) return;
  await tx.query(
    `insert into sms_early_receipts (received_at, keys, address, receipt)
     select $1, array(select jsonb_array_elements_text(receipt -> 'keys')), receipt ->> 'address', receipt
     from jsonb_array_elements($2::jsonb) as given (receipt)`,
    [now, JSON.stringify(receipts)],
  );
};

/** Removes and returns receipts that arrived before the responses with these ids. */
export const takeEarlyReceipts = async (tx: Sql, keys: readonly string[]): Promise<ReceivedReceipt[]> => {
  const { rows } = await tx.query<{ receipt: ReceivedReceipt }>({
    name: 'sms-take-early',
    text: 'delete from sms_early_receipts where keys && $1::text[] returning receipt',
    values: [keys],
  });
  return rows.map(({ receipt }) => receipt);
};

/** Removes and returns receipts that have waited long enough. */
export const takeUnmatchedReceipts = async (tx: Sql, before: Date): Promise<ReceivedReceipt[]> => {
  const { rows } = await tx.query<{ receipt: ReceivedReceipt }>(
    `delete from sms_early_receipts where id in (
       select id from sms_early_receipts where received_at < $1 order by id limit ${duePerRound}) returning receipt`,
    [before],
  );
  return rows.map(({ receipt }) => receipt);
};

/** In the transaction that stores the receipts' results, so that a repeated receipt is recognised after a restart, too. */
export const storeSeenReceipts = async (tx: Sql, names: readonly string[], now: Date): Promise<void> => {
  if (names.length === 0) return;
  await tx.query({
    name: 'sms-remember-receipts',
    text: 'insert into sms_seen_receipts (seen_at, names) values ($1, $2)',
    values: [now, names],
  });
};

/** The names of remembered receipts, oldest first. */
export const listSeenReceipts = async (tx: Sql): Promise<string[]> => {
  const { rows } = await tx.query<{ names: string[] }>('select names from sms_seen_receipts order by id');
  return rows.flatMap(({ names }) => names);
};

/** Deletes receipts that arrived earlier than `before`, and all but the latest `limit`. */
export const deleteSeenReceipts = async (
  tx: Sql,
  { before, limit }: { before: Date; limit: number },
): Promise<void> => {
  await tx.query(
    `delete from sms_seen_receipts where seen_at < $1 or id < (
       select max(id) from (
         select id, sum(cardinality(names)) over (order by id desc) as later from sms_seen_receipts) as counted
       where later >= $2)`,
    [before, limit],
  );
};
