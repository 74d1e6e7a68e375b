import { randomBytes } from 'node:crypto';
import { type Smsc, startSmsc } from '@simcube/smpp/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import { createListener, type Database, inTransaction, type Listener } from '../../../platform/db/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { createMetrics } from '../../../platform/metrics/index.ts';
import { vaultOf } from '../../../platform/secrets/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { assignMsisdn, makeSim } from '../../../testing/inventory.ts';
import { insertTestOrganisation } from '../../../testing/organisations.ts';
import { operatorActor } from '../../audit/index.ts';
import { addConnection } from '../connections/connections.service.ts';
import { acceptMessages } from '../sending/send.service.ts';
import { SmsGateway } from './gateway.ts';
import { claimParts, takeOver } from './queue.queries.ts';
import { listIgnoredSenders } from './received.queries.ts';

type Session = Smsc['sessions'][number];
type Submit = Smsc['submits'][number];

const soon = { timeout: 30_000, interval: 20 };
const clock = new FixedClock('2026-11-21T12:00:00Z');
const log = createLog({ level: 'silent', format: 'json' });
const vault = vaultOf(randomBytes(32));

let database: Database;
let listener: Listener;
let smsc: Smsc;
let gateway: SmsGateway | undefined;
let orgId: number;
/** How the SMSC answers a submit; set by each test. */
let answer: (submit: Submit, session: Session, count: number) => void;

const ok = (id: (count: number) => string) => (submit: Submit, session: Session, count: number) => {
  session.send(submit.response({ message_id: id(count) }));
};

beforeAll(async () => {
  database = await testDatabase({ max: 6 });
  listener = createListener(database.url, log);
  orgId = (await insertTestOrganisation(database.pool)).id;
  smsc = await startSmsc({ onSubmit: (...submit) => answer(...submit) });
  await connect({ name: 'test', bind: 'transceiver' });
});
afterEach(async () => {
  await gateway?.stop();
  gateway = undefined;
  await database.pool.query('delete from sms_early_receipts');
  await database.pool.query(`delete from smsc_connections where name = 'other'`);
});
afterAll(async () => {
  await smsc.close();
  await listener.close();
  await database.close();
});

const connect = ({ name, bind }: { name: string; bind: 'transceiver' | 'receiver' }) => {
  const settings = { name, bind, host: '127.0.0.1', port: smsc.port, tls: false };
  const rest = { sender: '4900', priority: 0, window_size: 10, rate_per_second: null };
  const bindAs = { system_id: 'esme', system_type: '' };
  const options = { pool: database.pool, clock, vault, actor: operatorActor() };
  return addConnection(options, { ...settings, ...rest, ...bindAs }, 'secret');
};
const begin = async (): Promise<SmsGateway> => {
  const { pool } = database;
  gateway = new SmsGateway({ pool, clock, log, metrics: createMetrics(), vault, listener });
  const before = smsc.binds.length;
  await gateway.start();
  await expect.poll(() => smsc.binds.length, soon).toBeGreaterThan(before);
  return gateway;
};
const recipient = async () => {
  const { id: simId, iccid } = await makeSim(database.pool, orgId, {});
  return { simId, iccid, msisdn: await assignMsisdn(database.pool, simId) };
};
type Recipient = Awaited<ReturnType<typeof recipient>>;
const send = (recipients: readonly Recipient[], content = 'STATUS') =>
  inTransaction(database.pool, (tx) => {
    const outgoing = { orgId, content, at: clock.now(), task: null, sentBy: null, isScheduled: false };
    return acceptMessages(tx, outgoing, recipients);
  });
const messagesOf = async ({ simId }: Recipient) => {
  const { rows } = await database.pool.query(
    `select status, reason, network_code, content, missing_parts, mobile_originated, reply_to_id, sent_parts,
       delivered_parts from sms_messages
     where sim_id = $1 order by id`,
    [simId],
  );
  return rows;
};
/** The facts about its messages, in order. */
const told = async ({ iccid }: Recipient) => {
  const { rows } = await database.pool.query<{ status: string }>(
    `select m->>'status' as status from outbox o, jsonb_array_elements(o.payload->'messages') m
     where o.topic = 'sms.changed' and m->>'iccid' = $1 order by o.id`,
    [iccid],
  );
  return rows.map(({ status }) => status);
};
const statusOf = async (to: Recipient) => (await messagesOf(to))[0]?.status;
/** Number of transactions that wait for a lock of the table. */
const waitingFor = async (table: string) => {
  const waiting = 'select from pg_locks where not granted and relation = $1::regclass';
  return (await database.pool.query(waiting, [table])).rowCount;
};
const spent = async () =>
  (await database.pool.query('select sum(parts)::int as parts from sms_quota_spent')).rows[0]?.parts;
const session = () => {
  const last = smsc.sessions.at(-1);
  if (!last) throw new Error('Nobody is connected');
  return last;
};
const receipt = (
  id: string,
  from: string,
  state = 'DELIVRD',
  { to = session(), acknowledged }: { to?: Session; acknowledged?: () => void } = {},
) =>
  to.deliver_sm(
    {
      source_addr: from,
      destination_addr: '4900',
      esm_class: 4,
      short_message: `id:${id} sub:001 dlvrd:001 submit date:2611211200 done date:2611211200 stat:${state} err:027 text:`,
    },
    acknowledged,
  );

describe('a message', () => {
  it('is sent in parts with their header, and delivered when all of them are', async () => {
    answer = ok((count) => `P${count}`);
    const to = await recipient();
    const first = smsc.submits.length;
    await begin();
    await send([to], 'ż'.repeat(80));
    await expect.poll(() => statusOf(to), soon).toBe(1);
    const parts = smsc.submits.slice(first);
    expect(
      parts.map(({ destination_addr, esm_class, data_coding }) => [destination_addr, esm_class, data_coding]),
    ).toEqual([
      [to.msisdn, 64, 8],
      [to.msisdn, 64, 8],
    ]);
    receipt(`p${first + 1}`, to.msisdn);
    receipt(`P${first + 1}`, to.msisdn);
    await expect
      .poll(async () => (await database.pool.query('select from sms_early_receipts')).rowCount, soon)
      .toBe(1);
    expect(await statusOf(to)).toBe(1);
    receipt(`P${first + 2}`, `+${to.msisdn}`);
    await expect.poll(() => statusOf(to), soon).toBe(2);
    expect(await told(to)).toEqual(['sent', 'delivered']);
  });

  it('is settled by a receipt that arrives before the response, with a hexadecimal id', async () => {
    answer = (submit, from, count) => {
      receipt((count + 5000).toString(16), String(submit['destination_addr']), 'UNDELIV', { to: from });
      setTimeout(() => from.send(submit.response({ message_id: String(count + 5000) })), 50);
    };
    const to = await recipient();
    await begin();
    await send([to]);
    await expect
      .poll(() => messagesOf(to), soon)
      .toMatchObject([{ status: 3, reason: 'undeliverable', network_code: '027' }]);
    expect(await told(to)).toEqual(['sent', 'failed']);
  });

  it('is stored once for a response and a receipt that arrive together', async () => {
    answer = (submit, from, count) => {
      from.send(submit.response({ message_id: `T${count}` }));
      receipt(`T${count}`, String(submit['destination_addr']), 'DELIVRD', { to: from });
    };
    const to = await recipient();
    await begin();
    await send([to], 'ż'.repeat(80));
    await expect.poll(() => statusOf(to), soon).toBe(2);
    expect(await messagesOf(to)).toMatchObject([{ sent_parts: 2, delivered_parts: 2, reason: null }]);
    expect(await told(to)).toEqual(['sent', 'delivered']);
    const left = `select from sms_parts where sim_id = $1
      union all select from sms_early_receipts where address = $2`;
    expect((await database.pool.query(left, [to.simId, to.msisdn])).rowCount).toBe(0);
  });

  it('is settled once by a receipt that is repeated on another connection', async () => {
    answer = ok((count) => `O${count}`);
    const to = await recipient();
    await begin();
    const binds = smsc.binds.length;
    await connect({ name: 'other', bind: 'receiver' });
    await expect.poll(() => smsc.binds.length, soon).toBeGreaterThan(binds);
    await send([to]);
    await expect.poll(() => statusOf(to), soon).toBe(1);
    for (let times = 1; times <= 2; times += 1) {
      await new Promise<void>((acknowledged) => {
        receipt(`O${smsc.submits.length}`, to.msisdn, 'DELIVRD', { acknowledged });
      });
      expect(await messagesOf(to)).toMatchObject([{ status: 2, sent_parts: 1, delivered_parts: 1 }]);
    }
    expect(await told(to)).toEqual(['sent', 'delivered']);
  });

  it('waits for its own receipt if the one that arrives with its response may be about an older message', async () => {
    answer = ok(() => 'E0');
    const to = await recipient();
    await begin();
    await send([to]);
    await expect.poll(() => statusOf(to), soon).toBe(1);
    answer = (submit, from) => {
      from.send(submit.response({ message_id: 'E0' }));
      receipt('E0', to.msisdn, 'DELIVRD', { to: from });
    };
    await send([to]);
    await expect.poll(() => messagesOf(to), soon).toMatchObject([{ status: 2 }, { status: 1 }]);
    receipt('E0', to.msisdn);
    await expect.poll(() => messagesOf(to), soon).toMatchObject([{ status: 2 }, { status: 2 }]);
  });

  it('is not written before the results of the previous window are stored', async () => {
    answer = ok((count) => `W${count}`);
    const to = await Promise.all(Array.from({ length: 60 }, recipient));
    await send(to);
    const first = smsc.submits.length;
    const blocked = await database.pool.connect();
    await blocked.query('begin; lock table sms_messages in share mode');
    await begin();
    await expect.poll(() => smsc.submits.length - first, soon).toBe(10);
    await expect.poll(() => waitingFor('sms_messages'), soon).toBe(1);
    const claimed = 'select sum(cardinality(part_ids))::int as parts from sms_claims';
    expect((await database.pool.query(claimed)).rows).toEqual([{ parts: 10 }]);
    expect(smsc.submits.length - first).toBe(10);
    await blocked.query('commit');
    blocked.release();
    for (const one of to) await expect.poll(() => statusOf(one), soon).toBe(1);
    expect(smsc.submits.slice(first).map((submit) => submit['destination_addr'])).toEqual(
      to.map(({ msisdn }) => msisdn),
    );
    await expect.poll(async () => (await database.pool.query(claimed)).rows, soon).toEqual([{ parts: null }]);
  });

  it('is claimed only by the process that took over last', async () => {
    const to = await recipient();
    await send([to]);
    const former = await inTransaction(database.pool, takeOver);
    const epoch = await inTransaction(database.pool, takeOver);
    const next = { limit: 1, after: 0, ended: [], overdueBefore: clock.now() };
    expect(await claimParts(database.pool, { ...next, epoch: former })).toBeUndefined();
    expect((await claimParts(database.pool, { ...next, epoch }))?.parts).toMatchObject([
      { destination: to.msisdn },
    ]);
    await begin();
    expect(await messagesOf(to)).toMatchObject([{ status: 4, reason: 'no-answer' }]);
  });

  it('that the SMSC refuses has failed, and is refunded once', async () => {
    answer = (submit, from) => void from.send(submit.response({ command_status: 0x0b }));
    const to = await recipient();
    const before = (await spent()) ?? 0;
    await send([to], 'ż'.repeat(80));
    expect(await spent()).toBe(before + 2);
    await begin();
    await expect
      .poll(() => messagesOf(to), soon)
      .toMatchObject([{ status: 3, reason: 'address-invalid', network_code: 'ESME_RINVDSTADR (0x0b)' }]);
    await expect.poll(spent, soon).toBe(before);
  });

  it('is not lost when the SMSC is full, and not sent twice after a crash', async () => {
    answer = (submit, from, count) =>
      void from.send(
        submit.response(count % 2 === 0 ? { message_id: `F${count}` } : { command_status: 0x14 }),
      );
    const [interrupted, to] = [await recipient(), await recipient()];
    await send([interrupted]);
    // Claimed by a process that was killed: it may have been written.
    const epoch = await inTransaction(database.pool, takeOver);
    await claimParts(database.pool, { epoch, limit: 1, after: 0, ended: [], overdueBefore: clock.now() });
    await send([to]);
    await begin();
    await expect.poll(() => statusOf(to), soon).toBe(1);
    expect(await messagesOf(interrupted)).toMatchObject([{ status: 4, reason: 'no-answer' }]);
    const sentTo = smsc.submits.map((submit) => submit['destination_addr']);
    expect(sentTo).not.toContain(interrupted.msisdn);
    // It had in fact been written.
    receipt('ABC', interrupted.msisdn);
    await expect.poll(() => statusOf(interrupted), soon).toBe(2);
  });

  it('is unknown after a day without a receipt, until a late one arrives', async () => {
    answer = ok((count) => `D${count}`);
    const to = await recipient();
    const running = await begin();
    await send([to]);
    await expect.poll(() => statusOf(to), soon).toBe(1);
    clock.set('2026-11-22T12:00:01Z');
    await running.sweep();
    expect(await messagesOf(to)).toMatchObject([{ status: 4, reason: 'no-receipt' }]);
    receipt(`D${smsc.submits.length}`, to.msisdn);
    await expect.poll(() => statusOf(to), soon).toBe(2);
  });

  it('that could not be sent within a day has failed and is refunded', async () => {
    const to = await recipient();
    await send([to]);
    const before = await spent();
    clock.set('2026-11-23T13:00:00Z');
    gateway = new SmsGateway({ pool: database.pool, clock, log, metrics: createMetrics(), vault, listener });
    await gateway.sweep();
    expect(await messagesOf(to)).toMatchObject([{ status: 3, reason: 'not-sent-in-time' }]);
    expect(await spent()).toBe(before - 1);
  });
});

describe('a message of a device', () => {
  const deliver = (from: string, fields: object) =>
    session().deliver_sm({ source_addr: from, destination_addr: '4900', ...fields });

  it('is a reply to the last message to it, however the number is written', async () => {
    answer = ok((count) => `R${count}`);
    const to = await recipient();
    await begin();
    const [sent] = await send([to]);
    await expect.poll(() => statusOf(to), soon).toBe(1);
    deliver(to.msisdn, { data_coding: 3, short_message: Buffer.from('grün', 'latin1') });
    deliver(`+${to.msisdn}`, { data_coding: 4, short_message: Buffer.from([0xca, 0xfe]) });
    await expect
      .poll(async () => (await messagesOf(to)).slice(1), soon)
      .toMatchObject([
        { content: 'grün', mobile_originated: true, reply_to_id: sent?.id },
        { content: 'CAFE', reply_to_id: sent?.id },
      ]);
    const { rows: facts } = await database.pool.query(
      `select payload->'message'->>'content' as content, payload->'message'->>'encoding' as encoding,
         payload->'message'->>'replyTo' as "replyTo" from outbox
       where topic = 'sms.received' and payload->'sims'->0->>'iccid' = $1 order by id`,
      [to.iccid],
    );
    const replyTo = `${to.iccid}-${clock.now().getTime()}-${sent?.id}`;
    expect(facts).toEqual([
      { content: 'grün', encoding: 'latin1', replyTo },
      { content: 'CAFE', encoding: 'binary', replyTo },
    ]);
  });

  it('is assembled from its parts, and shown without a missing one', async () => {
    const to = await recipient();
    const running = await begin();
    const part = (reference: number, number: number, text: string) =>
      deliver(to.msisdn, {
        esm_class: 64,
        data_coding: 8,
        short_message: Buffer.concat([
          Buffer.from([5, 0, 3, reference, 2, number]),
          Buffer.from(text, 'utf16le').swap16(),
        ]),
      });
    part(7, 2, ' World');
    part(7, 1, 'Hello');
    part(8, 2, 'rest');
    await expect
      .poll(() => messagesOf(to), soon)
      .toMatchObject([{ content: 'Hello World', missing_parts: 0 }]);
    await expect
      .poll(async () => (await database.pool.query('select from sms_received_parts')).rowCount, soon)
      .toBe(3);
    clock.set(new Date(clock.now().getTime() + 11 * 60_000));
    await running.sweep();
    expect((await messagesOf(to))[1]).toMatchObject({ content: '[…]rest', missing_parts: 1 });
  });

  it('is stored once if the SMSC repeats it because the connection ended before the response', async () => {
    const to = await recipient();
    await begin();
    const blocked = await database.pool.connect();
    await blocked.query('begin; lock table sms_messages');
    const binds = smsc.binds.length;
    deliver(to.msisdn, { short_message: 'OK' });
    await expect.poll(() => waitingFor('sms_messages'), soon).toBeGreaterThan(0);
    smsc.drop();
    await expect.poll(() => smsc.binds.length, soon).toBeGreaterThan(binds);
    const answered = new Promise<void>((resolve) => {
      session().deliver_sm({ source_addr: to.msisdn, destination_addr: '4900', short_message: 'OK' }, () =>
        resolve(),
      );
    });
    await blocked.query('commit');
    blocked.release();
    await answered;
    expect(await messagesOf(to)).toMatchObject([{ content: 'OK' }]);
  });

  it('that is not a SIM is counted', async () => {
    await begin();
    const known = async () => (await listIgnoredSenders(database.pool)).map(({ address }) => address);
    for (const from of ['4915112345678', 'BANK']) deliver(from, { short_message: 'Hello' });
    await expect.poll(known, soon).toHaveLength(2);
    expect(new Set(await known())).toEqual(new Set(['4915112345678', 'BANK']));
  });
});
