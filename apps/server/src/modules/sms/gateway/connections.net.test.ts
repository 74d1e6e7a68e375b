import { randomBytes } from 'node:crypto';
import { type Smsc, type SmscOptions, startSmsc } from '@simcube/smpp/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import { createListener, type Database, inTransaction, type Listener } from '../../../platform/db/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { createMetrics } from '../../../platform/metrics/index.ts';
import { vaultOf } from '../../../platform/secrets/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { freeTcpPort } from '../../../testing/free-ports.ts';
import { assignMsisdn, makeSim } from '../../../testing/inventory.ts';
import { insertTestOrganisation } from '../../../testing/organisations.ts';
import { beginOutage } from '../../../testing/outage.ts';
import { operatorActor } from '../../audit/index.ts';
import { addConnection, removeConnection } from '../connections/connections.service.ts';
import { acceptMessages } from '../sending/send.service.ts';
import { SmsGateway } from './gateway.ts';

const soon = { timeout: 30_000, interval: 20 };
const clock = new FixedClock('2026-11-21T12:00:00Z');
const log = createLog({ level: 'silent', format: 'json' });
const metrics = createMetrics();
const vault = vaultOf(randomBytes(32));

let database: Database;
let listener: Listener;
let gateway: SmsGateway;
let first: Smsc;
let second: Smsc;
let orgId: number;
let isSilent = false;
let idOf = (count: number): string => `M${count}`;

const connect = (name: string, priority: number, { port }: Pick<Smsc, 'port'>, sender = '4900') => {
  const to = { name, bind: 'transceiver', host: '127.0.0.1', port, tls: false } as const;
  const rest = { sender, priority, window_size: 10, rate_per_second: null };
  const options = { pool: database.pool, clock, vault, actor: operatorActor() };
  return addConnection(options, { ...to, ...rest, system_id: 'esme', system_type: '' }, 'secret');
};

beforeAll(async () => {
  database = await testDatabase({ max: 6 });
  listener = createListener(database.url, log);
  orgId = (await insertTestOrganisation(database.pool)).id;
  const onSubmit: SmscOptions['onSubmit'] = (submit, session, count) => {
    if (!isSilent) session.send(submit.response({ message_id: idOf(count) }));
  };
  [first, second] = [await startSmsc(), await startSmsc({ onSubmit })];
  await connect('first', 0, first);
  await connect('second', 5, second);
  gateway = new SmsGateway({ pool: database.pool, clock, log, metrics, vault, listener });
  await gateway.start();
});
afterAll(async () => {
  await gateway.stop();
  await listener.close();
  await first.close();
  await second.close();
  await database.close();
});

const makeRecipient = async () => {
  const { id: simId, iccid } = await makeSim(database.pool, orgId, {});
  return { simId, iccid, msisdn: await assignMsisdn(database.pool, simId) };
};
const send = async (content = 'STATUS', to?: Awaited<ReturnType<typeof makeRecipient>>) => {
  const { simId, iccid, msisdn } = to ?? (await makeRecipient());
  const outgoing = {
    orgId,
    content,
    at: clock.now(),
    task: null,
    sentBy: null,
    isScheduled: false,
  };
  await inTransaction(database.pool, (tx) => acceptMessages(tx, outgoing, [{ simId, iccid, msisdn }]));
  const message = 'select status, reason from sms_messages where sim_id = $1 order by id desc';
  return { msisdn, now: async () => (await database.pool.query(message, [simId])).rows[0] };
};
const sent = async (): Promise<void> => {
  const { now } = await send();
  await expect.poll(now, soon).toEqual({ status: 1, reason: null });
};
const taken = () => [first.submits.length, second.submits.length];
/** Whether each connection is bound, from the metrics. */
const shown = async () => {
  const lines = (await metrics.registry.metrics()).split('\n').filter((line) => line.includes('smsc_bound{'));
  return lines.map((line) => line.replace(/^.*connection="(\w+)".* (\d)$/, '$1 $2'));
};

it('a message uses a connection of the next priority while none of the first is bound', async () => {
  await expect.poll(() => [first.binds.length, second.binds.length], soon).toEqual([1, 1]);
  await sent();
  expect(taken()).toEqual([1, 0]);
  first.mute = true;
  first.drop();
  await sent();
  expect(taken()).toEqual([1, 1]);
  expect(await shown()).toEqual(['first 0', 'second 1']);
});

it.each([
  ['with the number as its source', false],
  ['with the number as its destination', true],
])(
  'a message to an SMSC that never answers is unknown, and settled by a receipt that waited ten minutes for the answer: %s',
  async (_, isSwapped) => {
    isSilent = true;
    const before = second.submits.length;
    const { msisdn, now } = await send();
    await expect.poll(() => second.submits.length, soon).toBe(before + 1);
    await new Promise<void>((acknowledged) => {
      const [source_addr, destination_addr] = isSwapped ? ['4900', msisdn] : [msisdn, '4900'];
      const receipt = { source_addr, destination_addr, esm_class: 4 };
      const text =
        'id:77 sub:001 dlvrd:001 submit date:2611211200 done date:2611211200 stat:DELIVRD err:000 text:';
      second.sessions.at(-1)?.deliver_sm({ ...receipt, short_message: text }, () => acknowledged());
    });
    expect(await now()).toEqual({ status: 0, reason: null });
    second.drop();
    await expect.poll(now, soon).toEqual({ status: 4, reason: 'no-answer' });
    await gateway.sweep();
    expect(await now()).toEqual({ status: 4, reason: 'no-answer' });
    clock.advance(11 * 60_000);
    await gateway.sweep();
    expect(await now()).toEqual({ status: 2, reason: null });
    expect(second.submits.length).toBe(before + 1);
  },
);

it.each([
  ['', async () => undefined],
  [
    ', after a restart either',
    async () => {
      const binds = second.binds.length;
      await gateway.stop();
      gateway = new SmsGateway({ pool: database.pool, clock, log, metrics, vault, listener });
      await gateway.start();
      await expect.poll(() => second.binds.length, soon).toBeGreaterThan(binds);
    },
  ],
])('a receipt that comes again settles no other message to the same number%s', async (_, restarted) => {
  const to = await makeRecipient();
  const delivered = (id: string) =>
    new Promise<void>((acknowledged) => {
      const numbers = { source_addr: to.msisdn, destination_addr: '4900', esm_class: 4 };
      const short_message = `id:${id} sub:001 dlvrd:001 submit date:2611211200 done date:2611211200 stat:DELIVRD err:000 text:`;
      second.sessions.at(-1)?.deliver_sm({ ...numbers, short_message }, () => acknowledged());
    });
  const reconnected = async () => {
    const binds = second.binds.length;
    second.drop();
    await expect.poll(() => second.binds.length, soon).toBeGreaterThan(binds);
  };
  isSilent = false;
  await reconnected();
  const settled = await send('first', to);
  await expect.poll(settled.now, soon).toEqual({ status: 1, reason: null });
  const id = `M${second.submits.length}`;
  await delivered(id);
  await expect.poll(settled.now, soon).toEqual({ status: 2, reason: null });
  isSilent = true;
  const before = second.submits.length;
  const { now } = await send('second', to);
  await expect.poll(() => second.submits.length, soon).toBe(before + 1);
  await reconnected();
  await expect.poll(now, soon).toEqual({ status: 4, reason: 'no-answer' });
  await restarted();
  await delivered(id);
  clock.advance(11 * 60_000);
  await gateway.sweep();
  expect(await now()).toEqual({ status: 4, reason: 'no-answer' });
  await delivered(`N${second.submits.length}`);
  await expect.poll(now, soon).toEqual({ status: 2, reason: null });
});

it('unmatched receipts and incomplete parts are removed in time, however many arrive', async () => {
  await database.pool.query(
    `insert into sms_early_receipts (received_at, keys, address, receipt)
     select $1, array['other-' || n], '4915', jsonb_build_object('ids', array['other-' || n], 'keys', array['other-' || n],
       'address', '4915', 'reason', null, 'networkCode', null)
     from generate_series(1, 2500) n`,
    [clock.now()],
  );
  await database.pool.query(
    `insert into sms_received_parts (source, destination, origin, reference, total, part, data_coding, octets, received_at)
     select '4915', '4900', 'udh16', n, 2, 1, 0, '', $1 from generate_series(1, 1100) n`,
    [clock.now()],
  );
  const left = async () => {
    const count =
      'select (select count(*) from sms_early_receipts) + (select count(*) from sms_received_parts)';
    return (await database.pool.query(`${count} as left`)).rows;
  };
  expect(await left()).toEqual([{ left: 3600 }]);
  clock.advance(11 * 60_000);
  await gateway.sweep();
  expect(await left()).toEqual([{ left: 0 }]);
});

it('an unresponsive SMSC has little more than its window claimed, and pending messages are sent once it responds', async () => {
  isSilent = true;
  const before = second.submits.length;
  await Promise.all(Array.from({ length: 25 }, () => send()));
  await expect.poll(() => second.submits.length, soon).toBe(before + 10);
  const claimed = 'select coalesce(sum(cardinality(part_ids)), 0)::int as parts from sms_claims';
  const { rows } = await database.pool.query<{ parts: number }>(claimed);
  expect(rows[0]?.parts).toBeLessThanOrEqual(12);
  isSilent = false;
  second.drop();
  await expect.poll(() => second.submits.length, soon).toBe(before + 25);
  await expect.poll(async () => (await database.pool.query(claimed)).rows, soon).toEqual([{ parts: 0 }]);
});

it('an SMSC with unterminated ids causes no failure, and its receipts are matched', async () => {
  const ids = Array.from({ length: 2 }, () => randomBytes(5000).toString('base64url'));
  idOf = () => ids.shift() ?? '';
  const [id = ''] = ids;
  const { msisdn, now } = await send();
  await expect.poll(now, soon).toEqual({ status: 1, reason: null });
  await new Promise<void>((acknowledged) => {
    const receipt = { source_addr: msisdn, destination_addr: '4900', esm_class: 4, short_message: '' };
    const text = `id:${id} sub:001 dlvrd:001 submit date:2611211200 done date:2611211200 stat:DELIVRD err:000 text:`;
    second.sessions
      .at(-1)
      ?.deliver_sm({ ...receipt, message_payload: { message: text } }, () => acknowledged());
  });
  await expect.poll(now, soon).toEqual({ status: 2, reason: null });
  await sent();
});

it('the parts of a long message use one connection and sender, even with another of the same priority', async () => {
  const third = await startSmsc();
  await connect('third', 5, third, '4901');
  const states = 'select name from smsc_connections where state = $1 order by name';
  const bound = async () => (await database.pool.query(states, ['bound'])).rows.map(({ name }) => name);
  await expect.poll(bound, soon).toEqual(['second', 'third']);
  const before = second.submits.length;
  await Promise.all(Array.from({ length: 20 }, () => send('ż'.repeat(140))));
  const submitted = () => [second.submits.slice(before), third.submits] as const;
  await expect.poll(() => submitted().flat().length, soon).toBe(60);
  const [bySecond, byThird] = submitted().map((all) => new Set(all.map((one) => one['destination_addr'])));
  expect([bySecond, byThird].map((all) => (all?.size ?? 0) > 0)).toEqual([true, true]);
  expect([...(bySecond ?? [])].filter((destination) => byThird?.has(destination))).toEqual([]);
  await third.close();
});

it('a connection that is removed while an earlier change closes it is not reopened', async () => {
  isSilent = true;
  const before = second.submits.length;
  await send();
  await expect.poll(() => second.submits.length, soon).toBe(before + 1);
  const binds = second.binds.length;
  const closed = new Promise((resolve) => second.sessions.at(-1)?.on('close', resolve));
  // It has five seconds for the unanswered message.
  await connect('second', 5, second, '4902');
  const options = { pool: database.pool, clock, actor: operatorActor() };
  expect(await removeConnection(options, 'second')).toBe(true);
  await closed;
  const other = await startSmsc();
  await connect('other', 5, other);
  await expect.poll(() => other.binds.length, soon).toBe(1);
  expect(second.binds).toHaveLength(binds);
  await other.close();
});

it('a failed connection reports the reason, as a code and as text', async () => {
  await connect('nowhere', 9, { port: await freeTcpPort() });
  const error = async () =>
    (await database.pool.query(`select state_error from smsc_connections where name = 'nowhere'`)).rows[0]
      ?.state_error;
  await expect
    .poll(error, soon)
    .toBe('connect-failed ECONNREFUSED: nothing listens at this address and port');
});

it('the metrics omit removed connections, and all of them once another process has taken over', async () => {
  await connect('passing', 9, { port: await freeTcpPort() });
  await expect.poll(shown, soon).toContain('passing 0');
  await removeConnection({ pool: database.pool, clock, actor: operatorActor() }, 'passing');
  await expect.poll(shown, soon).not.toContain('passing 0');
  expect((await shown()).length).toBeGreaterThan(0);
  await gateway.stop();
  expect(await shown()).toEqual([]);
  gateway = new SmsGateway({ pool: database.pool, clock, log, metrics, vault, listener });
  await gateway.start();
});

it('the metrics do not show how many messages wait while the database can’t be read', async () => {
  gateway = new SmsGateway({ pool: database.pool, clock, log, metrics, vault, listener });
  await gateway.start();
  const shown = async () => (await metrics.smsWaiting.get()).values.length;
  await gateway.sweep();
  expect(await shown()).toBe(1);
  const over = await beginOutage(database.url, 'refusing');
  await expect(gateway.sweep()).rejects.toThrow();
  expect(await shown()).toBe(0);
  await over();
  await gateway.sweep();
  expect(await shown()).toBe(1);
});
