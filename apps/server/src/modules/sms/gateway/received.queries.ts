import { limits } from '@simcube/contract';
import type { Sql } from '../../../platform/db/index.ts';
import { simsBy } from '../../sim/index.ts';
import { duePerRound, receivedStatus } from '../sms.rules.ts';

/** A SIM that sent a message, with the number it used. */
export interface Sender {
  simId: number;
  iccid: string;
  orgId: number;
  msisdn: string;
  canReceive: boolean;
}

/** SIMs by their numbers. */
export const findSenders = async (tx: Sql, numbers: readonly string[]): Promise<Map<string, Sender>> => {
  const { rows } = await tx.query<Sender>(
    `select s.id as "simId", s.iccid, s.org_id as "orgId", s.msisdn, coalesce(v.can_receive, true) as "canReceive"
     from ${simsBy('msisdn')} i join sims s on s.id = i.sim_id left join sms_services v on v.org_id = s.org_id
     where i.value = any($1::text[])`,
    [numbers],
  );
  return new Map(rows.map((row) => [row.msisdn, row]));
};

export interface NewReceivedMessage {
  simId: number;
  orgId: number;
  msisdn: string;
  /** The destination that the device used. */
  address: string;
  content: string;
  encoding: number;
  parts: number;
  missing: number;
}

/** Stores an MO message as the reply to the last MT message of the preceding day, if the same organisation sent one. */
export const insertReceived = async (
  tx: Sql,
  message: NewReceivedMessage,
  now: Date,
): Promise<{ id: number; replyTo: { at: Date; id: number } | null }> => {
  const { rows } = await tx.query<{ id: number; replyToAt: Date | null; replyToId: number | null }>(
    `with said as (
       insert into sms_contents (org_id, at, mobile_originated, content) values ($3, $2, true, sms_search_text($6)))
     insert into sms_messages (sim_id, at, org_id, mobile_originated, status, msisdn, address, content, encoding, parts,
       missing_parts, reply_to_at, reply_to_id)
     select $1, $2, $3, true, ${receivedStatus}, $4, $5, $6, $7, $8, $9, last.at, last.id
     from (values (1)) as one left join lateral (
       select m.at, m.id from sms_messages m where m.sim_id = $1 and m.org_id = $3 and not m.mobile_originated
         and m.at > $2::timestamptz - interval '${limits.sms.replyHours} h' and m.at <= $2
       order by m.at desc, m.id desc limit 1) as last on true
     returning id, reply_to_at as "replyToAt", reply_to_id as "replyToId"`,
    [
      message.simId,
      now,
      message.orgId,
      message.msisdn,
      message.address,
      message.content,
      message.encoding,
      message.parts,
      message.missing,
    ],
  );
  const [{ id, replyToAt: at, replyToId } = { id: 0, replyToAt: null, replyToId: null }] = rows;
  return { id, replyTo: at && replyToId !== null ? { at, id: replyToId } : null };
};

/** The fields that all parts of a long message share. */
export interface LongMessage {
  source: string;
  destination: string;
  origin: string;
  reference: number;
  total: number;
}

export interface ReceivedPart extends LongMessage {
  part: number;
  dataCoding: number;
  octets: Buffer;
}

export interface StoredPart extends ReceivedPart {
  /**
   * Whether it has the same octets as a part of a stored message: it belongs to that message, or to another one that
   * begins in the same way.
   */
  isRepeated: boolean;
}

/**
 * As stored in `sms_received_parts.state`. Parts that are `assembled` belong to stored messages; `separate` ones
 * were stored alone, because it is unknown which message they belong to.
 */
const states = { waiting: 0, assembled: 1, repeated: 2, separate: 3 } as const;

const sameMessage = '(source, destination, origin, reference, total) = ($1, $2, $3, $4, $5)';

const keyOf = ({ source, destination, origin, reference, total }: LongMessage) => [
  source,
  destination,
  origin,
  reference,
  total,
];

/** What known parts under the same reference say about a new part. */
export interface ReferenceState {
  /** A part with the same number and octets is stored; a different one may be stored, too. */
  isKnown: boolean;
  /** Since when parts of several messages arrive under the reference. */
  separateSince: Date | null;
  /** A different part with the same number is waiting. */
  isContested: boolean;
}

export const findReferenceState = async (tx: Sql, part: ReceivedPart): Promise<ReferenceState> => {
  const { rows } = await tx.query<ReferenceState>(
    `select coalesce(bool_or(part = $6 and octets = $7 and state in (${states.assembled}, ${states.separate})), false) as "isKnown",
       min(received_at) filter (where state = ${states.separate}) as "separateSince",
       coalesce(bool_or(part = $6 and octets <> $7 and state in (${states.waiting}, ${states.repeated})), false)
         as "isContested"
     from sms_received_parts where ${sameMessage}`,
    [...keyOf(part), part.part, part.octets],
  );
  return rows[0] ?? { isKnown: false, separateSince: null, isContested: false };
};

/**
 * From now on, parts under this reference are stored separately. @returns the waiting parts, except repetitions of
 * stored ones
 */
export const separateParts = async (tx: Sql, message: LongMessage, now: Date): Promise<ReceivedPart[]> => {
  const { rows } = await tx.query<StoredPart>(
    `update sms_received_parts p set state = ${states.separate}, received_at = $6
     from (select part, state from sms_received_parts where ${sameMessage}) as before
     where ${sameMessage} and p.part = before.part and p.state <> ${states.assembled}
     returning source, destination, origin, reference, total, p.part, data_coding as "dataCoding", octets,
       before.state = ${states.repeated} as "isRepeated"`,
    [...keyOf(message), now],
  );
  return rows.filter(({ isRepeated }) => !isRepeated).sort((one, other) => one.part - other.part);
};

/** Stores a part alone; it is remembered until the same time as the earlier ones. */
export const storeSeparately = async (tx: Sql, part: ReceivedPart, since: Date): Promise<void> => {
  await tx.query(
    `insert into sms_received_parts
       (source, destination, origin, reference, total, part, data_coding, octets, received_at, state)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, ${states.separate})
     on conflict (source, destination, origin, reference, total, part) do update
       set data_coding = excluded.data_coding, octets = excluded.octets, received_at = excluded.received_at,
         state = excluded.state`,
    [...keyOf(part), part.part, part.dataCoding, part.octets, since],
  );
};

/**
 * A repeated part replaces itself. If a part starts another message under a used reference, the remembered parts of
 * the previous message are remembered for as long as it waits.
 */
export const storePart = async (tx: Sql, part: ReceivedPart, now: Date): Promise<void> => {
  await tx.query(
    `with stored as (
       insert into sms_received_parts as known
         (source, destination, origin, reference, total, part, data_coding, octets, received_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       on conflict (source, destination, origin, reference, total, part) do update
         set data_coding = excluded.data_coding, octets = excluded.octets,
           received_at = case when known.state = ${states.waiting} then known.received_at else excluded.received_at end,
           state = case when known.state <> ${states.waiting} and known.octets = excluded.octets
             then ${states.repeated} else ${states.waiting} end
       returning state)
     update sms_received_parts set received_at = $9
     where ${sameMessage} and part <> $6
       and state <> ${states.waiting} and exists (select from stored where state = ${states.waiting})`,
    [...keyOf(part), part.part, part.dataCoding, part.octets, now],
  );
};

/** Takes the parts of a message if all have arrived; they are remembered for a while, because some may be repeated. */
export const takeComplete = async (tx: Sql, message: LongMessage, now: Date): Promise<ReceivedPart[]> => {
  const { rows } = await tx.query<ReceivedPart>(
    `update sms_received_parts set state = ${states.assembled}, received_at = $6
     where ${sameMessage}
       and (select count(*) from sms_received_parts where ${sameMessage} and state <> ${states.assembled}) = $5
     returning source, destination, origin, reference, total, part, data_coding as "dataCoding", octets`,
    [...keyOf(message), now],
  );
  return rows;
};

/** States of parts of stored messages. */
const storedStates = `${states.assembled}, ${states.separate}`;

/**
 * Removes and returns the parts of messages whose first part arrived before the given time, and forgets parts of
 * messages stored before it.
 */
export const takeIncomplete = async (tx: Sql, before: Date): Promise<StoredPart[]> => {
  const { rows } = await tx.query<StoredPart>(
    `with late as (
       select source, destination, origin, reference, total from sms_received_parts
       where received_at < $1 and state not in (${storedStates}) group by 1, 2, 3, 4, 5 limit ${duePerRound}),
     forgotten as (delete from sms_received_parts where received_at < $1 and state in (${storedStates}))
     delete from sms_received_parts p using late
     where (p.source, p.destination, p.origin, p.reference, p.total)
         = (late.source, late.destination, late.origin, late.reference, late.total) and p.state not in (${storedStates})
     returning p.source, p.destination, p.origin, p.reference, p.total, p.part, p.data_coding as "dataCoding", p.octets,
       p.state = ${states.repeated} as "isRepeated"`,
    [before],
  );
  return rows;
};

/** A sender whose messages were not stored. */
export interface IgnoredSender {
  address: string;
  messages: number;
  first_at: Date;
  last_at: Date;
  /** Code of the SIM's organisation if it may not receive; null if no SIM has this number. */
  not_receiving: string | null;
}

/** Maximum number of rows; beyond it, those heard longest ago are dropped. */
const maxIgnoredSenders = 1000;

export const addIgnoredSender = async (tx: Sql, address: string, now: Date): Promise<void> => {
  await tx.query(
    `insert into sms_unknown_senders as known (address, messages, first_at, last_at) values ($1, 1, $2, $2)
     on conflict (address) do update set messages = known.messages + 1, last_at = excluded.last_at`,
    [address, now],
  );
  await tx.query(
    `delete from sms_unknown_senders where address in (
       select address from sms_unknown_senders order by last_at desc, address offset $1)`,
    [maxIgnoredSenders],
  );
};

/** Senders of messages that were not stored, latest first. */
export const listIgnoredSenders = async (sql: Sql): Promise<IgnoredSender[]> =>
  (
    await sql.query<IgnoredSender>(
      `select u.address, u.messages, u.first_at, u.last_at, o.code as not_receiving
       from sms_unknown_senders u left join ${simsBy('msisdn')} i on i.value = u.address
         left join sims s on s.id = i.sim_id left join sms_services v on v.org_id = s.org_id and not v.can_receive
         left join organisations o on o.id = v.org_id
       order by u.last_at desc, u.address limit $1`,
      [maxIgnoredSenders],
    )
  ).rows;
