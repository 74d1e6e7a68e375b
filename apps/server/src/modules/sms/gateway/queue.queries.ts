import type { Sql } from '../../../platform/db/index.ts';
import { partStates } from '../sms.rules.ts';
import type { ClaimedPart } from './submit.rules.ts';

interface ClaimedRow {
  id: number;
  part: number;
  /** Null: of a text to a phone. */
  sim_id: number | null;
  message_at: Date;
  message_id: number;
  destination: string;
}

/** Marks the oldest waiting parts as submitting, which is committed before any of them is written. */
export const claimParts = async (
  sql: Sql,
  { most, now }: { most: number; now: Date },
): Promise<ClaimedPart[]> => {
  const { rows } = await sql.query<ClaimedRow>(
    `with next as (
       select id from sms_parts where state = ${partStates.waiting} order by id limit $1 for update skip locked)
     update sms_parts p set state = ${partStates.submitting}, submitted_at = $2 from next where p.id = next.id
     returning p.id, p.part, p.sim_id, p.message_at, p.message_id, p.destination`,
    [most, now],
  );
  if (rows.length === 0) return [];
  const texts = await readTexts(sql, rows);
  return rows
    .toSorted((a, b) => a.id - b.id)
    .flatMap(({ id, part, message_id: messageId, destination }) => {
      const text = texts.get(messageId);
      return text ? [{ id, part, messageId, destination, ...text }] : [];
    });
};

const readTexts = async (
  sql: Sql,
  rows: readonly ClaimedRow[],
): Promise<Map<number, Pick<ClaimedPart, 'content' | 'sender'>>> => {
  const { rows: texts } = await sql.query<{ id: number; content: string; sender: string | null }>(
    `select m.id, m.content, m.address as sender
     from unnest($1::bigint[], $2::timestamptz[], $3::bigint[]) as v (sim_id, at, id)
     join sms_messages m on m.sim_id = v.sim_id and m.at = v.at and m.id = v.id
     union all
     select t.id, t.content, t.address from unnest($1::bigint[], $3::bigint[]) as v (sim_id, id)
     join sms_texts t on t.id = v.id where v.sim_id is null`,
    [
      rows.map(({ sim_id }) => sim_id),
      rows.map(({ message_at }) => message_at),
      rows.map(({ message_id }) => message_id),
    ],
  );
  return new Map(texts.map(({ id, ...text }) => [id, text]));
};

/** A part by its message. */
export interface PartKey {
  /** Null: of a text to a phone. */
  sim_id: number | null;
  message_at: Date;
  message_id: number;
}

/** They were never written, so that they wait again. */
export const returnParts = async (tx: Sql, ids: readonly number[]): Promise<void> => {
  await tx.query(
    `update sms_parts set state = ${partStates.waiting}, submitted_at = null
     where id = any($1::bigint[]) and state = ${partStates.submitting}`,
    [ids],
  );
};

/** The SMSC has them. An answer that comes after its time corrects that there was none. */
export const markSubmitted = async (
  tx: Sql,
  parts: readonly { id: number; smscId: string; key: string }[],
): Promise<PartKey[]> => {
  const { rows } = await tx.query<PartKey>(
    `update sms_parts p set state = ${partStates.submitted}, smsc_id = v.smsc_id, smsc_key = nullif(v.key, '')
     from unnest($1::bigint[], $2::text[], $3::text[]) as v (id, smsc_id, key)
     where p.id = v.id and p.state in (${partStates.submitting}, ${partStates.unanswered})
     returning p.sim_id, p.message_at, p.message_id`,
    [parts.map(({ id }) => id), parts.map(({ smscId }) => smscId), parts.map(({ key }) => key)],
  );
  return rows;
};

/** Without an answer it is unknown whether the SMSC has them. Without `ids`: all that a process left behind. */
export const markUnanswered = async (tx: Sql, ids?: readonly number[]): Promise<PartKey[]> => {
  const { rows } = await tx.query<PartKey>(
    `update sms_parts set state = ${partStates.unanswered}
     where state = ${partStates.submitting} and ($1::bigint[] is null or id = any($1))
     returning sim_id, message_at, message_id`,
    [ids ?? null],
  );
  return rows;
};

/** Removes refused parts, with those of the same messages that still wait: they would be of no use. */
export const removeRefused = async (
  tx: Sql,
  ids: readonly number[],
): Promise<(PartKey & { id: number })[]> => {
  const { rows } = await tx.query<PartKey & { id: number }>(
    `with refused as (
       delete from sms_parts where id = any($1::bigint[]) and state in (${partStates.submitting}, ${partStates.unanswered})
       returning id, sim_id, message_at, message_id),
     useless as (
       delete from sms_parts p using refused r
       where p.message_id = r.message_id and p.state = ${partStates.waiting} and p.id <> all($1::bigint[])
       returning p.id, p.sim_id, p.message_at, p.message_id)
     select * from refused union select * from useless`,
    [ids],
  );
  return rows;
};

/** Waiting parts that were accepted before then. */
export const removeStale = async (tx: Sql, before: Date): Promise<(PartKey & { id: number })[]> => {
  const { rows } = await tx.query<PartKey & { id: number }>(
    `delete from sms_parts where id in (
       select id from sms_parts where state = ${partStates.waiting} and message_at < $1
       order by sms_parts.id limit 1000 for update skip locked)
     returning id, sim_id, message_at, message_id`,
    [before],
  );
  return rows;
};

/** Parts whose receipt did not come in time; late ones are still matched for a while. */
export const markOverdue = async (tx: Sql, before: Date): Promise<PartKey[]> => {
  const { rows } = await tx.query<PartKey>(
    `update sms_parts set state = ${partStates.overdue} where id in (
       select id from sms_parts where state in (${partStates.submitted}, ${partStates.unanswered})
         and submitted_at < $1 order by sms_parts.id limit 1000)
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
    `select count(*) filter (where state = ${partStates.waiting})::int as waiting,
       count(*) filter (where state <> ${partStates.waiting})::int as "underWay" from sms_parts`,
  );
  return rows[0] ?? { waiting: 0, underWay: 0 };
};
