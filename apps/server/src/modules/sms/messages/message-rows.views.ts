import { limits } from '@simcube/contract';
import type { Sms, SmsFilter, SmsId } from '@simcube/contract/sms';
import { hourMs } from '@simcube/contract/time';
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { encodingOf, messageIdOf, reasonOf, statusOf } from '../sms.rules.ts';

/** Whose messages: those sent and received for the organisation; optionally of one SIM only. */
export interface MessageScope {
  orgId: number;
  simId?: number;
}

export interface MessageFilter extends SmsFilter {
  reply_to?: SmsId | undefined;
}

/** A stored message. */
export interface MessageColumns {
  sim_id: number;
  at: Date;
  id: number;
  mobile_originated: boolean;
  scheduled: boolean;
  status: number;
  reason: string | null;
  network_code: string | null;
  msisdn: string;
  content: string;
  encoding: number;
  parts: number;
  missing_parts: number;
  sent_at: Date | null;
  settled_at: Date | null;
  reply_to_at: Date | null;
  reply_to_id: number | null;
  task: string | null;
  sent_by: string | null;
}

/** The columns needed to show a message, except its key. */
export const restColumns = sql`mobile_originated, scheduled, status, reason, network_code, msisdn,
  content, encoding, parts, missing_parts, sent_at, settled_at, reply_to_at, reply_to_id, task, sent_by`;
export const messageColumns = sql`sim_id, at, id, ${restColumns}`;

interface NamedSim {
  id: number;
  iccid: string;
  device_name: string | null;
  own: boolean;
}

/** Messages for display, with the names of their SIMs and their number of replies. */
export const showMessages = async (
  db: Db,
  orgId: number,
  rows: readonly MessageColumns[],
): Promise<Sms[]> => {
  const [sims, replies] = await Promise.all([readSims(db, orgId, rows), countReplies(db, orgId, rows)]);
  return rows.flatMap((row) => {
    const sim = sims.get(row.sim_id);
    return sim ? [toSms(row, sim, replies.get(row.id) ?? 0)] : [];
  });
};

const toSms = (row: MessageColumns, sim: NamedSim, replies: number): Sms => ({
  id: messageIdOf(sim.iccid, row),
  direction: row.mobile_originated ? 'mo' : 'mt',
  at: row.at.toISOString(),
  iccid: sim.iccid,
  msisdn: row.msisdn,
  device_name: sim.own ? sim.device_name : null,
  own: sim.own,
  content: row.content,
  encoding: encodingOf(row.encoding),
  parts: row.parts,
  missing_parts: row.missing_parts,
  kind: row.mobile_originated ? null : row.scheduled ? 'scheduled' : 'instant',
  status: row.mobile_originated ? null : statusOf(row.status),
  reason: reasonOf(row.reason),
  network_code: row.network_code,
  sent_at: row.sent_at?.toISOString() ?? null,
  settled_at: row.settled_at?.toISOString() ?? null,
  reply_to:
    row.reply_to_at && row.reply_to_id !== null
      ? messageIdOf(sim.iccid, { at: row.reply_to_at, id: row.reply_to_id })
      : null,
  replies,
  task: row.task,
  sent_by: row.sent_by,
});

/** The parts of a message's id. */
export const partsOfId = (id: SmsId): { iccid: string; at: Date; number: number } => {
  const [iccid = '', at, number] = id.split('-');
  return { iccid, at: new Date(Number(at)), number: Number(number) };
};

const readSims = async (
  db: Db,
  orgId: number,
  rows: readonly MessageColumns[],
): Promise<Map<number, NamedSim>> => {
  const ids = [...new Set(rows.map(({ sim_id }) => sim_id))];
  const { rows: sims } = await sql<NamedSim>`
    select id, iccid, device_name, org_id = ${orgId} as own from sims where id = any(${ids}::bigint[])`.execute(
    db,
  );
  return new Map(sims.map((sim) => [sim.id, sim]));
};

/** The MO replies to these messages, by the message's number. */
const countReplies = async (
  db: Db,
  orgId: number,
  rows: readonly MessageColumns[],
): Promise<Map<number, number>> => {
  const sent = rows.filter(({ mobile_originated }) => !mobile_originated);
  const [first, ...rest] = sent.map(({ at }) => at.getTime()).toSorted((a, b) => a - b);
  if (first === undefined) return new Map();
  const until = new Date((rest.at(-1) ?? first) + limits.sms.replyHours * hourMs);
  const { rows: counts } = await sql<{ id: number; replies: number }>`
    select m.reply_to_id as id, count(*)::int as replies from sms_messages m
    join unnest(${sent.map(({ sim_id }) => sim_id)}::bigint[], ${sent.map(({ id }) => id)}::bigint[]) as v (sim_id, id)
      on m.sim_id = v.sim_id and m.reply_to_id = v.id
    where m.org_id = ${orgId} and m.mobile_originated and m.at >= ${new Date(first)} and m.at <= ${until}
    group by 1`.execute(db);
  return new Map(counts.map(({ id, replies }) => [id, replies]));
};
