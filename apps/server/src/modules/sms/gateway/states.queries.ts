import type { SmsReason } from '@simcube/contract/sms';
import type { Sql } from '../../../platform/db/index.ts';
import { statusNumber } from '../sms.rules.ts';
import type { PartKey } from './queue.queries.ts';

/** A message whose state changed. */
export interface ChangedMessage {
  orgId: number;
  simId: number;
  /** Null: the SIM was deleted. */
  iccid: string | null;
  at: Date;
  id: number;
  /** The new and the previous status, as stored. */
  status: number;
  formerStatus: number;
  reason: string | null;
}

/** A message with refused parts, and the quotas they were taken off. */
export interface RefusedMessage extends ChangedMessage {
  chargedOrgIds: number[];
  parts: number;
  /** Whether these were the last of its parts, and all were refused or never sent. */
  isWhole: boolean;
}

const [processing, sent, delivered, failed, unknown] = (
  ['processing', 'sent', 'delivered', 'failed', 'unknown'] as const
).map(statusNumber);

/** Groups parts by message and counts them: `counted` in the statements below. */
const counted = `counted as (
  select sim_id, at, id, count(*)::smallint as parts
  from unnest($1::bigint[], $2::timestamptz[], $3::bigint[]) as v (sim_id, at, id) group by sim_id, at, id)`;
/** Joins each row of `c` with the message (`m`) to update and its previous version (`o`). */
const joinPrevious = `join sms_messages o on o.sim_id = c.sim_id and o.at = c.at and o.id = c.id
  where m.sim_id = o.sim_id and m.at = o.at and m.id = o.id`;
const changedColumns = `m.org_id as "orgId", m.sim_id as "simId", (select s.iccid from sims s where s.id = m.sim_id) as iccid,
  m.at, m.id, m.status, o.status as "formerStatus", m.reason`;

const keyColumns = (parts: readonly PartKey[]): [(number | null)[], Date[], number[]] => [
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
     from counted c ${joinPrevious} returning ${changedColumns}`,
    values: [...keyColumns(parts), now],
  });
  return rows;
};

/** Sets messages to unknown unless they are settled. */
export const setUnknown = async (
  tx: Sql,
  parts: readonly PartKey[],
  { reason, now }: { reason: SmsReason; now: Date },
): Promise<ChangedMessage[]> => {
  const { rows } = await tx.query<ChangedMessage>(
    `with ${counted}
     update sms_messages m set status = ${unknown}, reason = $4, settled_at = $5
     from counted c ${joinPrevious} and m.status in (${processing}, ${sent}, ${unknown}) returning ${changedColumns}`,
    [...keyColumns(parts), reason, now],
  );
  return rows;
};

/** A delivered part, and the forms of its id that an earlier part may have too. */
export interface DeliveredPart {
  id: number;
  keys: readonly string[];
}

/** Settled parts, and the resulting changes of their messages. */
export interface Delivered {
  parts: (PartKey & { id: number })[];
  changed: ChangedMessage[];
}

/**
 * Removes delivered parts; a message is delivered when all its parts are, whatever its previous state. Parts whose
 * receipt may be about an earlier part are left. `areNew`: their submission is not stored yet. This is one statement,
 * because each costs a round trip.
 */
export const removeDelivered = async (
  tx: Sql,
  parts: readonly DeliveredPart[],
  { now, areNew }: { now: Date; areNew: boolean },
): Promise<Delivered> => {
  const keyed = parts.flatMap(({ id, keys: forms }) => forms.map((key) => ({ id, key })));
  const { rows } = await tx.query<(PartKey & { partId: number }) | (ChangedMessage & { partId: null })>({
    name: 'sms-remove-delivered',
    text: `with doubtful as (
       select v.id from unnest($4::bigint[], $5::text[]) as v (id, key) join sms_parts p on p.smsc_key = v.key),
     gone as (
       delete from sms_parts where id = any($1::bigint[]) and id <> all(array(select id from doubtful))
       returning id, sim_id, message_at, message_id),
     counted as (
       select sim_id, message_at as at, message_id as id, count(*)::smallint as parts,
         case when $3 then count(*)::smallint else 0::smallint end as new_parts
       from gone where sim_id is not null group by sim_id, message_at, message_id),
     changed as (
       update sms_messages m set delivered_parts = m.delivered_parts + c.parts,
         sent_parts = m.sent_parts + c.new_parts,
         sent_at = case when $3 and m.sent_parts + c.new_parts < m.parts then m.sent_at else coalesce(m.sent_at, $2) end,
         status = case when m.status <> ${failed} and m.delivered_parts + c.parts >= m.parts then ${delivered}
           when $3 and m.status in (${processing}, ${unknown}) and m.sent_parts + c.new_parts >= m.parts then ${sent}
           else m.status end,
         reason = case when m.status <> ${failed} and (m.delivered_parts + c.parts >= m.parts
           or ($3 and m.sent_parts + c.new_parts >= m.parts)) then null else m.reason end,
         settled_at = case when m.status <> ${failed} and m.delivered_parts + c.parts >= m.parts then $2
           else m.settled_at end
       from counted c ${joinPrevious} returning ${changedColumns})
     select null::bigint as "partId", c.*, null::bigint as sim_id, null::timestamptz as message_at, null::bigint as message_id
     from changed c
     union all
     select id, null, null, null, null, null, null, null, null, sim_id, message_at, message_id from gone`,
    values: [parts.map(({ id }) => id), now, areNew, keyed.map(({ id }) => id), keyed.map(({ key }) => key)],
  });
  return {
    parts: rows.flatMap((row) => (row.partId === null ? [] : [{ ...row, id: row.partId }])),
    changed: rows.flatMap((row) => (row.partId === null ? [row] : [])),
  };
};

/** Messages for which no notification "sent" was emitted before they were delivered: as sent. */
export const asSent = (changed: readonly ChangedMessage[]): ChangedMessage[] =>
  changed
    .filter(
      ({ status, formerStatus }) => status === delivered && [processing, unknown].includes(formerStatus),
    )
    .map((one) => ({ ...one, status: statusNumber('sent') }));

/** Sets parts to failed with their reasons; a message keeps its first reason. `isUnsent`: the network does not have them. */
export const setFailed = async (
  tx: Sql,
  parts: readonly (PartKey & { reason: SmsReason | null; networkCode: string | null })[],
  { now, isUnsent }: { now: Date; isUnsent: boolean },
): Promise<RefusedMessage[]> => {
  const { rows } = await tx.query<RefusedMessage>(
    `with failed as (
       select sim_id, at, id, count(*)::int as parts, min(reason) as reason, min(network_code) as network_code
       from unnest($1::bigint[], $2::timestamptz[], $3::bigint[], $4::text[], $5::text[])
         as v (sim_id, at, id, reason, network_code) group by sim_id, at, id)
     update sms_messages m set status = ${failed}, settled_at = $6,
       unsent_parts = case when m.status = ${failed} and m.unsent_parts is null then null
         else coalesce(m.unsent_parts, 0) + case when $7 then c.parts else 0 end end,
       reason = case when m.status = ${failed} then m.reason else c.reason end,
       network_code = case when m.status = ${failed} then m.network_code else c.network_code end
     from failed c ${joinPrevious}
     returning ${changedColumns}, m.charged_org_ids as "chargedOrgIds", c.parts,
       coalesce(m.unsent_parts >= m.parts, false) as "isWhole"`,
    [
      ...keyColumns(parts),
      parts.map(({ reason }) => reason),
      parts.map(({ networkCode }) => networkCode),
      now,
      isUnsent,
    ],
  );
  return rows;
};
