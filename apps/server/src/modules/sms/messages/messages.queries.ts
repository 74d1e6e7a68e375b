import type { SmsEncoding } from '@simcube/contract/sms';
import type { Sql } from '../../../platform/db/index.ts';
import { encodingNumber, statusNumber } from '../sms.rules.ts';

/** Channel on which the gateway is notified of waiting messages. */
export const waitingChannel = 'sms_waiting';

export interface NewMessage {
  simId: number;
  msisdn: string;
}

/** The properties shared by messages with one text. */
export interface NewMessages {
  orgId: number;
  at: Date;
  content: string;
  encoding: SmsEncoding;
  parts: number;
  isScheduled: boolean;
  /** The sender's address; null: that of the connection. */
  sender: string | null;
  task: string | null;
  sentBy: string | null;
  chargedOrgIds: readonly number[];
}

export interface InsertedMessage {
  sim_id: number;
  at: Date;
  id: number;
}

/** Stores messages to SIMs with their waiting parts, in one statement; they are sent after the commit. */
export const insertMessages = async (
  tx: Sql,
  shared: NewMessages,
  messages: readonly NewMessage[],
): Promise<InsertedMessage[]> => {
  if (messages.length === 0) return [];
  const { rows } = await tx.query<InsertedMessage>(
    `with made as (
       insert into sms_messages (sim_id, at, org_id, mobile_originated, scheduled, status, msisdn, address, content,
         encoding, parts, task, sent_by, charged_org_ids)
       select v.sim_id, $3, $4, false, $5, ${statusNumber('processing')}, v.msisdn, $6, $7, $8, $9, $10, $11, $12
       from unnest($1::bigint[], $2::text[]) as v (sim_id, msisdn)
       returning sim_id, at, id, msisdn, parts),
     queued as (
       insert into sms_parts (sim_id, message_at, message_id, part, destination)
       select sim_id, at, id, part, msisdn from made, generate_series(1, made.parts) as part order by id, part),
     said as (
       insert into sms_contents (org_id, at, mobile_originated, scheduled, content)
       values ($4, $3, false, $5, sms_search_text($7)))
     select sim_id, at, id from made`,
    [
      messages.map(({ simId }) => simId),
      messages.map(({ msisdn }) => msisdn),
      shared.at,
      shared.orgId,
      shared.isScheduled,
      shared.sender,
      shared.content,
      encodingNumber(shared.encoding),
      shared.parts,
      shared.task,
      shared.sentBy,
      shared.chargedOrgIds,
    ],
  );
  await tx.query('select pg_notify($1, $2)', [waitingChannel, '']);
  return rows;
};
