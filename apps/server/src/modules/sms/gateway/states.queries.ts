import type { SmsReason } from '@simcube/contract/sms';
import type { Sql } from '../../../platform/db/index.ts';
import { statusNumber } from '../sms.rules.ts';
import type { PartKey } from './queue.queries.ts';

/** A message whose state changed. */
export interface ChangedMessage {
  orgId: number;
  simId: number;
  at: Date;
  id: number;
  /** As stored, from now on and before. */
  status: number;
  formerStatus: number;
  reason: string | null;
}

/** A message of which parts were refused, with whose quotas they were taken off. */
export interface RefusedMessage extends ChangedMessage {
  chargedOrgIds: number[];
  parts: number;
  isWhole: boolean;
}

const [processing, sent, delivered, failed, unknown] = (
  ['processing', 'sent', 'delivered', 'failed', 'unknown'] as const
).map(statusNumber);

/** Parts as messages with how many of them: `counted` in the statements below. */
const counted = `counted as (
  select sim_id, at, id, count(*)::smallint as parts
  from unnest($1::bigint[], $2::timestamptz[], $3::bigint[]) as v (sim_id, at, id) group by sim_id, at, id)`;
const ofCounted = 'm.sim_id = c.sim_id and m.at = c.at and m.id = c.id';
const changed = `m.org_id as "orgId", m.sim_id as "simId", m.at, m.id, m.status, old.status as "formerStatus", m.reason`;

const keys = (parts: readonly PartKey[]): [(number | null)[], Date[], number[]] => [
  parts.map(({ sim_id }) => sim_id),
  parts.map(({ message_at }) => message_at),
  parts.map(({ message_id }) => message_id),
];

/** A message is sent when the SMSC has all its parts. */
export const addSent = async (tx: Sql, parts: readonly PartKey[], now: Date): Promise<ChangedMessage[]> => {
  const { rows } = await tx.query<ChangedMessage>({
    name: 'sms-add-sent',
    text: `with ${counted}
     update sms_messages m set sent_parts = m.sent_parts + c.parts,
       sent_at = case when m.sent_parts + c.parts >= m.parts then coalesce(m.sent_at, $4) else m.sent_at end,
       status = case when m.status in (${processing}, ${unknown}) and m.sent_parts + c.parts >= m.parts
         then ${sent} else m.status end,
       reason = case when m.status = ${unknown} and m.sent_parts + c.parts >= m.parts then null else m.reason end
     from counted c where ${ofCounted} returning ${changed}`,
    values: [...keys(parts), now],
  });
  return rows;
};

/** One that was not settled otherwise is unknown. */
export const makeUnknown = async (
  tx: Sql,
  parts: readonly PartKey[],
  { reason, now }: { reason: SmsReason; now: Date },
): Promise<ChangedMessage[]> => {
  const { rows } = await tx.query<ChangedMessage>(
    `with ${counted}
     update sms_messages m set status = ${unknown}, reason = $4, settled_at = $5
     from counted c where ${ofCounted} and m.status in (${processing}, ${sent}, ${unknown}) returning ${changed}`,
    [...keys(parts), reason, now],
  );
  return rows;
};

/**
 * Delivered when all its parts are, whatever was known before. `areNew`: it was not stored yet that the SMSC has these parts.
 */
export const addDelivered = async (
  tx: Sql,
  parts: readonly PartKey[],
  { now, areNew }: { now: Date; areNew: boolean },
): Promise<ChangedMessage[]> => {
  const { rows } = await tx.query<ChangedMessage>({
    name: 'sms-add-delivered',
    text: `with ${counted}, known as (select c.*, case when $5 then c.parts else 0::smallint end as new_parts from counted c)
     update sms_messages m set delivered_parts = m.delivered_parts + c.parts,
       sent_parts = m.sent_parts + c.new_parts,
       sent_at = case when $5 and m.sent_parts + c.new_parts < m.parts then m.sent_at else coalesce(m.sent_at, $4) end,
       status = case when m.status <> ${failed} and m.delivered_parts + c.parts >= m.parts then ${delivered}
         when $5 and m.status in (${processing}, ${unknown}) and m.sent_parts + c.new_parts >= m.parts then ${sent}
         else m.status end,
       reason = case when m.status <> ${failed} and (m.delivered_parts + c.parts >= m.parts
         or ($5 and m.sent_parts + c.new_parts >= m.parts)) then null else m.reason end,
       settled_at = case when m.status <> ${failed} and m.delivered_parts + c.parts >= m.parts then $4
         else m.settled_at end
     from known c where ${ofCounted} returning ${changed}`,
    values: [...keys(parts), now, areNew],
  });
  return rows;
};

/** Those of which nobody was notified that they were sent, before it is known that they are delivered: as sent. */
export const asSent = (changed: readonly ChangedMessage[]): ChangedMessage[] =>
  changed
    .filter(
      ({ status, formerStatus }) => status === delivered && [processing, unknown].includes(formerStatus),
    )
    .map((one) => ({ ...one, status: statusNumber('sent') }));

/** Failed parts, each with why: the first reason of a message stays. */
export const makeFailed = async (
  tx: Sql,
  parts: readonly (PartKey & { reason: SmsReason | null; networkCode: string | null })[],
  now: Date,
): Promise<RefusedMessage[]> => {
  const { rows } = await tx.query<RefusedMessage>(
    `with failed as (
       select sim_id, at, id, count(*)::int as parts, min(reason) as reason, min(network_code) as network_code
       from unnest($1::bigint[], $2::timestamptz[], $3::bigint[], $4::text[], $5::text[])
         as v (sim_id, at, id, reason, network_code) group by sim_id, at, id)
     update sms_messages m set status = ${failed}, settled_at = $6,
       reason = case when m.status = ${failed} then m.reason else c.reason end,
       network_code = case when m.status = ${failed} then m.network_code else c.network_code end
     from failed c where ${ofCounted}
     returning ${changed}, m.charged_org_ids as "chargedOrgIds", c.parts, m.sent_parts = 0 as "isWhole"`,
    [...keys(parts), parts.map(({ reason }) => reason), parts.map(({ networkCode }) => networkCode), now],
  );
  return rows;
};

/** ICCIDs of SIMs, by id. */
export const listIccids = async (sql: Sql, simIds: readonly number[]): Promise<Map<number, string>> => {
  const { rows } = await sql.query<{ id: number; iccid: string }>({
    name: 'sms-iccids',
    text: 'select id, iccid from sims where id = any($1::bigint[])',
    values: [simIds],
  });
  return new Map(rows.map(({ id, iccid }) => [id, iccid]));
};
