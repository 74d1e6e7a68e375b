import type { SmsEncoding } from '@simcube/contract/sms';
import type { Sql } from '../../../platform/db/index.ts';
import { encodingOf, messageIdOf } from '../sms.rules.ts';

/** A message of a SIM, with the targets to which its organisation forwards messages. */
export interface ForwardedMessage {
  targetIds: number[];
  id: string;
  iccid: string;
  msisdn: string;
  /** The destination that the device used. */
  to: string;
  content: string;
  encoding: SmsEncoding;
  parts: number;
  missingParts: number;
}

/** Undefined if the message is not forwarded. */
export const findForwarded = async (
  sql: Sql,
  { orgId, simId, at, messageId }: { orgId: number; simId: number; at: Date; messageId: number },
): Promise<ForwardedMessage | undefined> => {
  const { rows } = await sql.query<Omit<ForwardedMessage, 'id' | 'encoding'> & { encoding: number }>(
    `select v.forward_to as "targetIds", s.iccid, m.msisdn, coalesce(m.address, '') as to, m.content, m.encoding, m.parts,
       m.missing_parts as "missingParts"
     from sms_services v join sms_messages m on m.org_id = v.org_id join sims s on s.id = m.sim_id
     where v.org_id = $1 and cardinality(v.forward_to) > 0 and m.sim_id = $2 and m.at = $3 and m.id = $4`,
    [orgId, simId, at, messageId],
  );
  const [row] = rows;
  if (!row) return undefined;
  return { ...row, id: messageIdOf(row.iccid, { at, id: messageId }), encoding: encodingOf(row.encoding) };
};
