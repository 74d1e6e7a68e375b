import { randomBytes } from 'node:crypto';
import { hourMs } from '@simcube/contract/time';
import { type Smsc, startSmsc } from '@simcube/smpp/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import { createListener, type Database, inTransaction, type Listener } from '../../../platform/db/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import type { DirectMail } from '../../../platform/mail/index.ts';
import { createMetrics } from '../../../platform/metrics/index.ts';
import { createOutbound } from '../../../platform/outbound/index.ts';
import { startRelay } from '../../../platform/outbox/index.ts';
import { vaultOf } from '../../../platform/secrets/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { assignMsisdn, makeSim } from '../../../testing/inventory.ts';
import { insertTestOrganisation } from '../../../testing/organisations.ts';
import { operatorActor } from '../../audit/index.ts';
import { addConnection, startSmsGateway } from '../../sms/index.ts';
import { notifyModule } from '../index.ts';
import { createTextSender } from './channels.ts';
import { notifyTargets } from './notifications.service.ts';

type Submit = Smsc['submits'][number];

const phone = '4915112345678';
const start = '2026-11-21T12:00:00Z';
const clock = new FixedClock(start);
const log = createLog({ level: 'silent', format: 'json' });
const metrics = createMetrics();
const vault = vaultOf(randomBytes(32));
const soon = { timeout: 30_000, interval: 20 };
let database: Database;
let listener: Listener;
let smsc: Smsc;
let orgId: number;
/** The SMSC's response to a submit, and its later receipt. */
let answer: (count: number) => { status?: number; receipt?: 'DELIVRD' | 'UNDELIV' };
const stops: (() => Promise<void>)[] = [];
const sent: DirectMail[] = [];

const query = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows;

beforeAll(async () => {
  database = await testDatabase({ max: 8 });
  const { pool } = database;
  listener = createListener(database.url, log);
  orgId = (await insertTestOrganisation(pool)).id;
  smsc = await startSmsc({
    onSubmit: (submit, session, count) => {
      const { status = 0, receipt } = answer(count);
      session.send(
        submit.response({ command_status: status, ...(status === 0 && { message_id: `M${count}` }) }),
      );
      if (receipt) session.deliver_sm(receiptOf(submit, `M${count}`, receipt));
    },
  });
  const to = { host: '127.0.0.1', port: smsc.port, tls: false, bind: 'transceiver' } as const;
  const rest = { sender: '4900', priority: 0, window_size: 10, rate_per_second: null };
  const bindAs = { name: 'test', system_id: 'esme', system_type: '' };
  await addConnection(
    { pool, clock, vault, actor: operatorActor() },
    { ...to, ...rest, ...bindAs },
    'secret',
  );
});
beforeEach(async () => {
  clock.set(start);
  answer = () => ({ receipt: 'DELIVRD' });
  const { pool } = database;
  const module = notifyModule({ pool, clock, vault });
  const outbound = createOutbound({ allowedNetworks: [], keepAlive: false });
  const mailer = {
    send: async (letter: DirectMail) => {
      sent.push(letter);
    },
  };
  const running = [
    await startSmsGateway({ pool, clock, log, metrics, vault, listener }),
    await startRelay({ pool, listener, consumers: module.consumers, log, metrics }),
    await module.startDelivering({ listener, mailer, outbound, log, metrics }),
  ];
  stops.push(...running.map(({ stop }) => stop).toReversed());
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await query('update sims set msisdn = null where msisdn = $1', [phone]);
  await query(
    'truncate notification_targets, notifications, sms_texts, sms_parts, sms_messages, org_sms_daily, sms_quota_spent, sms_services cascade',
  );
});
afterAll(async () => {
  await smsc.close();
  await listener.close();
  await database.close();
});

const receiptOf = (submit: Submit, id: string, state: string) => ({
  source_addr: submit['destination_addr'],
  destination_addr: '4900',
  esm_class: 4,
  short_message: `id:${id} sub:001 dlvrd:001 submit date:2611211200 done date:2611211200 stat:${state} err:000 text:`,
});
const submits = () => smsc.submits.filter((submit) => submit['destination_addr'] === phone);
const tell = async (target = 'Ops'): Promise<void> => {
  await query(
    `insert into notification_targets (org_id, kind, name, addresses, language) values ($1, 'sms', 'On call', array[$2], 'es-ES')
     on conflict do nothing`,
    [orgId, phone],
  );
  const ids = await query('select id from notification_targets');
  await inTransaction(database.pool, (tx) =>
    notifyTargets(
      tx,
      { orgId, kind: 'test', fields: { target_id: '1', target }, at: clock.now() },
      ids.map(({ id }) => id),
    ),
  );
};
const later = async (ms: number): Promise<void> => {
  clock.advance(ms);
  await query('notify deliveries');
};
const deliveries = () => query('select state, attempts, fault from deliveries order by id');
const attempts = () =>
  query('select number, fault, duration_ms from delivery_attempts order by delivery_id, number');
const spent = async () => (await query('select sum(parts)::int as parts from sms_quota_spent'))[0]?.parts;

describe('a message of a SIM', () => {
  it('is forwarded once, unchanged, to the targets that its organisation has chosen', async () => {
    const { id: simId, iccid } = await makeSim(database.pool, orgId, {});
    const msisdn = await assignMsisdn(database.pool, simId);
    const [target] = await query(
      `insert into notification_targets (org_id, kind, name, addresses) values ($1, 'email', 'Desk', array['desk@example.test'])
       returning id`,
      [orgId],
    );
    await query('insert into sms_services values ($1, true, true, null, array[$2::bigint, 999])', [
      orgId,
      target?.['id'],
    ]);
    await expect.poll(() => smsc.sessions.length, soon).toBeGreaterThan(0);
    const content = '{{iccid}} <b>$t(x)</b> {{content}}';
    smsc.sessions.at(-1)?.deliver_sm({
      source_addr: msisdn,
      destination_addr: '4900',
      data_coding: 3,
      short_message: Buffer.from(content, 'latin1'),
    });
    await expect.poll(() => sent.length, soon).toBe(1);
    expect(sent[0]).toMatchObject({
      to: 'desk@example.test',
      content: { subject: `Message from ${msisdn}` },
    });
    expect(sent[0]?.content.body).toContain(`sent to 4900 at 2026-11-21 12:00:00 UTC: ${content}`);
    const [notification] = await query('select kind, fields from notifications');
    expect(notification).toMatchObject({
      kind: 'sms.received',
      fields: { iccid, msisdn, to: '4900', content, encoding: 'latin1', parts: 1, missing_parts: 0 },
    });
    expect(await deliveries()).toHaveLength(1);
  });
});

describe('a notification to a phone', () => {
  it('is under way until receipts report all its parts as delivered, and is charged to the quota', async () => {
    answer = () => ({});
    const before = submits().length;
    await tell('ż'.repeat(60));
    await expect.poll(() => submits().length, soon).toBe(before + 2);
    clock.advance(hourMs);
    const [first, second] = submits().slice(before);
    const session = smsc.sessions.at(-1);
    const last = smsc.submits.length;
    session?.deliver_sm(receiptOf(first as Submit, `M${last - 1}`, 'DELIVRD'));
    expect(await deliveries()).toEqual([{ state: 0, attempts: 1, fault: null }]);
    expect(await attempts()).toEqual([{ number: 1, fault: null, duration_ms: null }]);
    session?.deliver_sm(receiptOf(second as Submit, `M${last}`, 'DELIVRD'));
    await expect.poll(deliveries, soon).toEqual([{ state: 1, attempts: 1, fault: null }]);
    expect(await attempts()).toEqual([{ number: 1, fault: null, duration_ms: hourMs }]);
    expect(await spent()).toBe(2);
    expect(await query('select from sms_messages')).toEqual([]);
    expect(await query('select from org_sms_daily')).toEqual([]);
  });

  it('that the network did not deliver is sent again after an hour, each message an attempt', async () => {
    const before = submits().length;
    answer = () => ({ receipt: submits().length === before + 1 ? 'UNDELIV' : 'DELIVRD' });
    await tell();
    await expect.poll(deliveries, soon).toEqual([{ state: 0, attempts: 1, fault: 'undelivered' }]);
    await later(3_500_000);
    expect(await deliveries()).toEqual([{ state: 0, attempts: 1, fault: 'undelivered' }]);
    await later(200_000);
    await expect.poll(deliveries, soon).toEqual([{ state: 1, attempts: 2, fault: null }]);
    expect((await attempts()).map(({ fault }) => fault)).toEqual(['undelivered', null]);
    expect([submits().length, await spent()]).toEqual([before + 2, 2]);
  });

  it('whose number the SMSC does not know has failed, and is refunded', async () => {
    answer = () => ({ status: 0x0b });
    await tell();
    await expect.poll(deliveries, soon).toEqual([{ state: 2, attempts: 1, fault: 'number' }]);
    expect(await spent()).toBe(0);
  });

  it('is not sent if the organisation may not send, or has used up its quota', async () => {
    await query('insert into sms_services values ($1, false, true, null)', [orgId]);
    await tell();
    await expect.poll(deliveries, soon).toEqual([{ state: 2, attempts: 1, fault: 'forbidden' }]);
    await query('delete from sms_services');
    await query(`update organisations set sms_quota_kind = 'none' where id = $1`, [orgId]);
    const before = submits().length;
    await tell();
    await expect
      .poll(async () => (await deliveries()).at(-1), soon)
      .toEqual({ state: 0, attempts: 1, fault: 'quota' });
    await query(`update organisations set sms_quota_kind = 'unlimited' where id = $1`, [orgId]);
    await later(3_700_000);
    await expect.poll(async () => (await deliveries()).at(-1), soon).toMatchObject({ state: 1, attempts: 2 });
    expect(submits()).toHaveLength(before + 1);
  });

  it('is not sent to a SIM of another organisation, nor to a suspended one', async () => {
    const other = await insertTestOrganisation(database.pool);
    const { id: simId } = await makeSim(database.pool, other.id, { msisdn: phone });
    const before = submits().length;
    await tell();
    await expect.poll(deliveries, soon).toEqual([{ state: 2, attempts: 1, fault: 'sim' }]);
    await query('update sims set org_id = $2, sms_suspended = true where id = $1', [simId, orgId]);
    await tell();
    await expect
      .poll(async () => (await deliveries()).at(-1), soon)
      .toMatchObject({ state: 2, fault: 'sim' });
    expect([submits().length, await spent()]).toEqual([before, null]);
    await query('update sims set sms_suspended = false where id = $1', [simId]);
    await tell();
    await expect.poll(async () => (await deliveries()).at(-1), soon).toMatchObject({ state: 1, fault: null });
    expect(submits()).toHaveLength(before + 1);
  });

  it('is not sent to a SIM that was transferred while the message waited', async () => {
    const { pool } = database;
    const other = await insertTestOrganisation(pool);
    const { id: simId } = await makeSim(pool, orgId, { msisdn: phone });
    const before = submits().length;
    const stopGateway = stops.pop();
    await stopGateway?.();
    await tell();
    await expect.poll(() => query('select from sms_texts'), soon).toHaveLength(1);
    await query('update sims set org_id = $2 where id = $1', [simId, other.id]);
    const gateway = await startSmsGateway({ pool, clock, log, metrics, vault, listener });
    stops.push(gateway.stop);
    await expect.poll(deliveries, soon).toEqual([{ state: 2, attempts: 1, fault: 'sim' }]);
    expect([submits().length, await spent()]).toEqual([before, 0]);
  });

  it('is not resent without a response of the SMSC, and is delivered if a receipt arrives after it was given up', async () => {
    const before = submits().length;
    answer = () => ({});
    await tell();
    await expect.poll(() => submits().length, soon).toBe(before + 1);
    // As if the response had been lost with the process.
    for (const stop of stops.splice(0)) await stop();
    await query('update sms_parts set state = 0, smsc_id = null, smsc_key = null');
    await query('insert into sms_claims (part_ids) select array_agg(id) from sms_parts');
    const { pool } = database;
    const gateway = await startSmsGateway({ pool, clock, log, metrics, vault, listener });
    const { consumers } = notifyModule({ pool, clock, vault });
    const relay = await startRelay({ pool, listener, consumers, log, metrics });
    stops.push(relay.stop, gateway.stop);
    expect(await query('select state from sms_parts')).toEqual([{ state: 3 }]);
    await query(`update deliveries set state = 2, due_at = null, fault = 'expired'`);
    await expect.poll(() => smsc.sessions.length, soon).toBeGreaterThan(1);
    const [submit] = submits().slice(before);
    smsc.sessions.at(-1)?.deliver_sm(receiptOf(submit as Submit, 'ABC', 'DELIVRD'));
    await expect.poll(deliveries, soon).toEqual([{ state: 1, attempts: 1, fault: null }]);
    expect(submits()).toHaveLength(before + 1);
  });

  it('is left to the process that has claimed it since', async () => {
    answer = () => ({});
    await tell();
    await expect.poll(() => query('select from sms_texts'), soon).toHaveLength(1);
    const [{ id, notification_id: notificationId }] = (await query('select * from deliveries')) as [
      { id: number; notification_id: string },
    ];
    await query('update deliveries set attempts = 2');
    const at = clock.now();
    const late = { id, attempts: 1, lane: -1, channel: 'sms', address: phone, language: 'en-US' } as const;
    const about = { notificationId, orgId, kind: 'test', fields: { target_id: '1', target: 'Ops' } } as const;
    const send = createTextSender({ pool: database.pool, clock });
    const outcome = await send(
      {
        ...late,
        ...about,
        body: null,
        resentAt: null,
        attemptsBefore: 0,
        secrets: [],
        createdAt: at,
        notifiedAt: at,
      },
      new AbortController().signal,
    );
    expect(outcome).toBe('handed-over');
    expect(await query('select from sms_texts')).toHaveLength(1);
  });
});
