import { lifecycleNumbers } from '@simcube/contract/sim';
import type { SmsReason } from '@simcube/contract/sms';
import type { Sql } from '../../../platform/db/index.ts';
import { simsBy } from '../../sim/index.ts';
import { endedLifecycles } from '../sending/send.rules.ts';
import { duePerRound, partStates, statusNumber } from '../sms.rules.ts';
import type { ClaimedPart } from './submit.rules.ts';

interface ClaimedRow {
  claim: number;
  id: number;
  part: number;
  message_id: number;
  destination: string;
  /** Null: the message was deleted. */
  content: string | null;
  sender: string | null;
  /** Why it must not be sent. */
  withheld: SmsReason | null;
}

/** Parts that may be written once the transaction is committed. */
export interface Claim {
  id: number;
  parts: ClaimedPart[];
  /** Parts that must not be sent, because of what happened to their message or SIM since they were accepted. */
  withheld: (Pick<ClaimedPart, 'id' | 'destination'> & { reason: SmsReason })[];
}

export interface ClaimRequest {
  epoch: number;
  limit: number;
  /** The last part that was considered. */
  after: number;
  /** Claims to end. */
  ended: readonly number[];
  /** Parts accepted before this time must no longer be sent. */
  overdueBefore: Date;
}

/** From now on only this process may claim parts; a concurrent claim by another process is waited for. */
export const takeOver = async (tx: Sql): Promise<number> => {
  const { rows } = await tx.query<{ epoch: number }>(
    'update sms_gateway set epoch = epoch + 1 returning epoch',
  );
  const [gateway] = rows;
  if (!gateway) throw new Error('The gateway has no row');
  return gateway.epoch;
};

const isUnclaimed = (part: string): string => `${part}.id not in (select unnest(part_ids) from sms_claims)`;

const endedNumbers = endedLifecycles.map((name) => lifecycleNumbers[name]).join(', ');

/** Why nothing may be sent to the SIM `s` in the name of the organisation, as `sendRule` says; null otherwise. */
const withheldReason = (orgId: string): string => `
  case when s.org_id <> ${orgId} then 'sim-moved' when s.lifecycle in (${endedNumbers}) then 'sim-ended'
    when s.sms_suspended then 'sim-suspended' end`;

/**
 * Ends claims whose parts all have stored results, and claims the oldest unclaimed waiting parts after the given one.
 * Nothing is claimed in an outdated epoch. All parts are claimed by one row: updating each part would cost more than
 * the rest of the claim.
 */
export const claimParts = async (
  tx: Sql,
  { epoch, limit, after, ended, overdueBefore }: ClaimRequest,
): Promise<Claim | undefined> => {
  const { rows } = await tx.query<ClaimedRow>({
    name: 'sms-claim-parts',
    text: `with over as (delete from sms_claims where id = any($4::bigint[])),
     held as materialized (select from sms_gateway where epoch = $1 for share),
     next as materialized (
       select p.id, part, sim_id, message_at, message_id, destination from sms_parts p
       where state = ${partStates.waiting} and p.id > $2 and ${isUnclaimed('p')} and exists (select from held)
       order by p.id limit $3),
     claim as (
       insert into sms_claims (part_ids) select array_agg(id) from next having count(*) > 0 returning id as claim)
     select claim, next.id, part, message_id, destination, text.content, text.sender,
       coalesce(text.withheld, case when message_at < $5 then 'not-sent-in-time' end) as withheld
     from claim, next left join lateral (
       select m.content, m.address as sender, ${withheldReason('m.org_id')} as withheld
       from sms_messages m join sims s on s.id = m.sim_id
       where m.sim_id = next.sim_id and m.at = next.message_at and m.id = next.message_id
       union all
       select t.content, t.address, (
         select ${withheldReason('t.org_id')} from ${simsBy('msisdn')} i join sims s on s.id = i.sim_id
         where i.value = t.phone)
       from sms_texts t where next.sim_id is null and t.id = next.message_id) as text on true
     order by next.id`,
    values: [epoch, after, limit, ended, overdueBefore],
  });
  const [first] = rows;
  if (!first) return undefined;
  const claim: Claim = { id: first.claim, parts: [], withheld: [] };
  for (const { id, part, message_id: messageId, destination, content, sender, withheld } of rows) {
    if (content === null || withheld)
      claim.withheld.push({ id, destination, reason: withheld ?? 'sim-moved' });
    else claim.parts.push({ id, part, messageId, destination, content, sender });
  }
  return claim;
};

/** The results of all their parts are stored. */
export const endClaims = async (tx: Sql, ids: readonly number[]): Promise<void> => {
  if (ids.length > 0) await tx.query('delete from sms_claims where id = any($1::bigint[])', [ids]);
};

/** The message that a part belongs to. */
export interface PartKey {
  /** Null: a text to a phone. */
  sim_id: number | null;
  message_at: Date;
  message_id: number;
}

/** Returns unwritten parts to the queue. */
export const requeueParts = async (tx: Sql, ids: readonly number[]): Promise<void> => {
  await tx.query(
    `update sms_claims set part_ids = array(select id from unnest(part_ids) as id where id <> all($1::bigint[]))
     where part_ids && $1::bigint[]`,
    [ids],
  );
};

/*
 * States are compared as expressions, which have no statistics. Those of the column are outdated within moments: if
 * all parts were waiting, they say that none was submitted, and the planner would expect a single row.
 */
const awaitsResponse = `coalesce(p.state, 0) in (${partStates.waiting}, ${partStates.unanswered})`;

/** The SMSC has accepted the parts. A late response corrects the state "unanswered". */
export const markSubmitted = async (
  tx: Sql,
  parts: readonly { id: number; smscId: string; key: string }[],
  now: Date,
): Promise<PartKey[]> => {
  const { rows } = await tx.query<PartKey>({
    name: 'sms-mark-submitted',
    text: `update sms_parts p set state = ${partStates.submitted}, smsc_id = v.smsc_id, smsc_key = nullif(v.key, ''),
       submitted_at = $4
     from unnest($1::bigint[], $2::text[], $3::text[]) as v (id, smsc_id, key)
     where p.id = v.id and ${awaitsResponse}
     returning p.sim_id, p.message_at, p.message_id`,
    values: [parts.map(({ id }) => id), parts.map(({ smscId }) => smscId), parts.map(({ key }) => key), now],
  });
  return rows;
};

/** Without a response it is unknown whether the SMSC has the parts. */
export const markUnanswered = async (tx: Sql, ids: readonly number[], now: Date): Promise<PartKey[]> => {
  const { rows } = await tx.query<PartKey>(
    `update sms_parts p set state = ${partStates.unanswered}, submitted_at = $2
     where id = any($1::bigint[]) and coalesce(p.state, 0) = ${partStates.waiting}
     returning sim_id, message_at, message_id`,
    [ids, now],
  );
  return rows;
};

/** Ends all claims. @returns their parts */
export const endAllClaims = async (tx: Sql): Promise<number[]> => {
  const { rows } = await tx.query<{ ids: number[] }>('delete from sms_claims returning part_ids as ids');
  return rows.flatMap(({ ids }) => ids);
};

/** Removes refused parts. @returns those that existed */
export const removeRefused = async (
  tx: Sql,
  ids: readonly number[],
): Promise<(PartKey & { id: number })[]> => {
  const { rows } = await tx.query<PartKey & { id: number }>(
    `delete from sms_parts p where id = any($1::bigint[]) and ${awaitsResponse}
     returning id, sim_id, message_at, message_id`,
    [ids],
  );
  return rows;
};

/** Removes waiting parts of messages of which a part has failed: they are useless without it. */
export const removeUseless = async (tx: Sql, messageIds: readonly number[]): Promise<PartKey[]> => {
  const { rows } = await tx.query<PartKey>(
    `delete from sms_parts p where message_id = any($1::bigint[]) and p.state = ${partStates.waiting}
       and ${isUnclaimed('p')}
     returning sim_id, message_at, message_id`,
    [messageIds],
  );
  return rows;
};

/** The waiting parts whose message, or text to a phone, has failed. */
export const listPartsOfFailedMessages = async (tx: Sql, ids: readonly number[]): Promise<number[]> => {
  const { rows } = await tx.query<{ id: number }>(
    `select p.id from sms_parts p
     join sms_messages m on m.sim_id = p.sim_id and m.at = p.message_at and m.id = p.message_id
     where p.id = any($1::bigint[]) and p.state = ${partStates.waiting} and m.status = ${statusNumber('failed')}
     union all
     select p.id from sms_parts p join sms_texts t on t.id = p.message_id
     where p.id = any($1::bigint[]) and p.sim_id is null and p.state = ${partStates.waiting} and t.failed_at is not null`,
    [ids],
  );
  return rows.map(({ id }) => id);
};

/** Waiting parts that were accepted before the given time. */
export const removeStale = async (tx: Sql, before: Date): Promise<(PartKey & { id: number })[]> => {
  const { rows } = await tx.query<PartKey & { id: number }>(
    `delete from sms_parts where id in (
       select id from sms_parts p where state = ${partStates.waiting} and message_at < $1 and ${isUnclaimed('p')}
       order by p.id limit ${duePerRound} for update skip locked)
     returning id, sim_id, message_at, message_id`,
    [before],
  );
  return rows;
};

/** Parts whose receipt did not arrive in time; late ones are still matched for a while. */
export const markOverdue = async (tx: Sql, before: Date): Promise<PartKey[]> => {
  const { rows } = await tx.query<PartKey>(
    `update sms_parts set state = ${partStates.overdue} where id in (
       select id from sms_parts where state in (${partStates.submitted}, ${partStates.unanswered})
         and submitted_at < $1 order by sms_parts.id limit ${duePerRound})
     returning sim_id, message_at, message_id`,
    [before],
  );
  return rows;
};

export const removeOverdue = async (tx: Sql, before: Date): Promise<void> => {
  await tx.query(`delete from sms_parts where state = ${partStates.overdue} and submitted_at < $1`, [before]);
};

export const countQueue = async (sql: Sql): Promise<{ waiting: number; underWay: number }> => {
  const { rows } = await sql.query<{ waiting: number; underWay: number }>(
    `select count(*) filter (where waits)::int as waiting, count(*) filter (where not waits)::int as "underWay"
     from (select state = ${partStates.waiting} and ${isUnclaimed('p')} as waits from sms_parts p) as parts`,
  );
  return rows[0] ?? { waiting: 0, underWay: 0 };
};
