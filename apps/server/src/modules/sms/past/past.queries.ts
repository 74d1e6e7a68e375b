import { limits } from '@simcube/contract';
import type { SmsEncoding, SmsReason, SmsStatus } from '@simcube/contract/sms';
import type { Sql } from '../../../platform/db/index.ts';
import { simsBy } from '../../sim/index.ts';
import { encodingNumber, receivedStatus, statusNumber } from '../sms.rules.ts';

/** A message from before this installation: to a SIM, with its result, or from one. */
export interface PastMessage {
  iccid: string;
  at: Date;
  content: string;
  sent: {
    status: SmsStatus;
    reason: SmsReason | null;
    networkCode: string | null;
    settledAt: Date;
    by: string;
    /** The task of the schedule that sent it. */
    task: string | null;
  } | null;
}

/** A SIM with its number and organisation. */
export interface Owner {
  simId: number;
  orgId: number;
  msisdn: string;
}

/** By ICCID. */
export const listOwners = async (tx: Sql, iccids: readonly string[]): Promise<Map<string, Owner>> => {
  const { rows } = await tx.query<Owner & { iccid: string }>(
    `select s.iccid, s.id as "simId", s.org_id as "orgId", s.msisdn
     from ${simsBy('iccid')} i join sims s on s.id = i.sim_id
     where i.value = any($1::text[]) and s.msisdn is not null`,
    [iccids],
  );
  return new Map(rows.map(({ iccid, ...owner }) => [iccid, owner]));
};

export interface OwnedMessage extends Omit<PastMessage, 'iccid'>, Owner {
  encoding: SmsEncoding;
  parts: number;
  chargedOrgIds: readonly number[];
}

export const insertPast = async (
  tx: Sql,
  messages: readonly OwnedMessage[],
  sender: string,
): Promise<void> => {
  const rows = messages.map(({ sent, at, chargedOrgIds, ...message }) => ({
    sim_id: message.simId,
    at,
    org_id: message.orgId,
    received: sent === null,
    status: sent ? statusNumber(sent.status) : receivedStatus,
    reason: sent?.reason,
    network_code: sent?.networkCode,
    msisdn: message.msisdn,
    content: message.content,
    encoding: encodingNumber(message.encoding),
    parts: message.parts,
    settled_at: sent?.settledAt,
    sent_by: sent?.by,
    task: sent?.task,
    charged: chargedOrgIds,
  }));
  await tx.query(
    `with made as (
       insert into sms_messages (sim_id, at, org_id, mobile_originated, scheduled, status, reason, network_code, msisdn, address,
         content, encoding, parts, sent_parts, delivered_parts, sent_at, settled_at, sent_by, task, charged_org_ids)
     select sim_id, at, org_id, received, task is not null, status, reason, network_code, msisdn, $2, content, encoding, parts,
       case when received then 0 else parts end, case when status = ${statusNumber('delivered')} then parts else 0 end,
       case when not received then at end, settled_at, sent_by, task,
       array(select jsonb_array_elements_text(charged)::bigint)
     from jsonb_to_recordset($1::jsonb) as v (sim_id bigint, at timestamptz, org_id bigint, received boolean,
       status smallint, reason text, network_code text, msisdn text, content text, encoding smallint, parts smallint,
       settled_at timestamptz, sent_by text, task text, charged jsonb)
     order by at returning org_id, at, mobile_originated, scheduled, content)
     insert into sms_contents (org_id, at, mobile_originated, scheduled, content)
     select distinct org_id, at, mobile_originated, scheduled, sms_search_text(content) from made`,
    [JSON.stringify(rows), sender],
  );
};

/** Links messages of SIMs to the last message sent to them within the preceding day, as replies. */
export const linkReplies = async (tx: Sql, simIds: readonly number[]): Promise<void> => {
  await tx.query(
    `update sms_messages m set reply_to_at = last.at, reply_to_id = last.id
     from sms_messages r cross join lateral (
       select l.at, l.id from sms_messages l where l.sim_id = r.sim_id and l.org_id = r.org_id and not l.mobile_originated
         and l.at > r.at - interval '${limits.sms.replyHours} h' and l.at <= r.at
       order by l.at desc, l.id desc limit 1) as last
     where r.sim_id = any($1::bigint[]) and r.mobile_originated and r.reply_to_id is null
       and m.sim_id = r.sim_id and m.at = r.at and m.id = r.id`,
    [simIds],
  );
};
