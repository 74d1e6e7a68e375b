import type { Sql } from '../../../platform/db/index.ts';
import { waitingChannel } from '../messages/messages.queries.ts';

/** A text to a phone. */
export interface NewText {
  orgId: number;
  phone: string;
  content: string;
  /** The reference under which the sender is notified of the result. */
  reference: string;
  at: Date;
  parts: number;
  /** The sender's address; null: that of the connection. */
  sender: string | null;
  chargedOrgIds: readonly number[];
}

/** Stores the text with its waiting parts; they are sent after the commit. */
export const insertText = async (tx: Sql, text: NewText): Promise<void> => {
  await tx.query(
    `with made as (
       insert into sms_texts (id, at, org_id, reference, phone, address, content, parts, charged_org_ids)
       values (nextval(pg_get_serial_sequence('sms_messages', 'id')), $1, $2, $3, $4, $5, $6, $7, $8)
       returning id, at, phone, parts),
     queued as (
       insert into sms_parts (message_at, message_id, part, destination)
       select at, id, part, phone from made, generate_series(1, made.parts) as part order by part)
     select pg_notify($9, '')`,
    [
      text.at,
      text.orgId,
      text.reference,
      text.phone,
      text.sender,
      text.content,
      text.parts,
      text.chargedOrgIds,
      waitingChannel,
    ],
  );
};
