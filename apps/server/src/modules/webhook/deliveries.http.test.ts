import { endpoints } from '@simcube/contract';
import { describe, expect, it } from 'vitest';
import { emitMany } from '../../platform/outbox/index.ts';
import { runProgram } from '../../testing/run-program.ts';
import { facts } from '../../testing/webhook-facts.ts';
import {
  accountParams,
  advanceClock,
  emitFact,
  listNotifications,
  makeDeveloper,
  query,
  readNotification,
  recordEvents,
  startDelivery,
  useWebhookWorld,
  world,
} from '../../testing/webhook-world.ts';

const { webhook: calls } = endpoints;

useWebhookWorld();

describe('a process that dies in a burst', () => {
  it('loses no event, and repeats interrupted ones under the same ids', async () => {
    const client = await makeDeveloper();
    const { event, payload } = facts('')['sms.mo'];
    const burst = Array.from({ length: 30 }, () => ({ orgId: world.org.id, payload }));
    await emitMany(world.test.database.pool, event, burst);
    await recordEvents();
    expect(await runProgram('deliver-steps', [world.test.database.url])).toBe('SIGKILL');
    expect(world.received.length).toBeGreaterThan(0);
    await startDelivery();
    await advanceClock(61_000);
    await expect
      .poll(async () => (await client.call(calls.counts, { body: {} })).body.data)
      .toEqual({ waiting: 0, delivered: 30, failed: 0 });
    expect(world.received.length).toBeGreaterThan(30);
    const bodies = new Map(world.received.map(({ headers, body }) => [headers['webhook-id'], body]));
    expect(bodies.size).toBe(30);
    for (const { headers, body } of world.received) expect(body).toBe(bodies.get(headers['webhook-id']));
  });
});

describe('a receiver', () => {
  it.each([
    ['that fails', () => ({ status: 500, body: 'down' }), 'status', 500],
    ['that redirects', () => ({ status: 302, headers: { location: '/' } }), 'redirect', null],
  ] as const)('%s gets the same event again, and the log shows why', async (_, failing, fault, status) => {
    await startDelivery();
    const client = await makeDeveloper();
    world.answer = () => (world.received.length === 1 ? failing() : { status: 200, body: '{"ok":true}' });
    await emitFact('sms.mo');
    await expect
      .poll(async () => (await listNotifications(client))[0])
      .toMatchObject({ state: 'waiting', fault, status });
    expect((await client.call(calls.health)).body.data).toMatchObject({ first_try: 0, tried: 1 });
    await advanceClock(6000);
    await expect.poll(async () => (await listNotifications(client))[0]?.state).toBe('delivered');
    expect(new Set(world.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const { tries } = await readNotification(client, (await listNotifications(client))[0]?.id);
    expect(tries.map((one) => [one.number, one.fault, one.status])).toEqual([
      [2, null, 200],
      [1, fault, status],
    ]);
    expect(tries[0]).toMatchObject({
      request: {
        url: `${world.origin}/hook`,
        headers: { 'webhook-id': world.received[0]?.headers['webhook-id'] },
      },
      response: { body: '{"ok":true}', bytes: 11, cut: false },
    });
    expect(tries[0]?.waited_ms).toBeGreaterThan(5000);
  });

  it('whose response is too long, invalid or interrupted has its beginning stored', async () => {
    await startDelivery();
    const client = await makeDeveloper();
    world.answer = () => ({
      status: 200,
      body: `a\0${'b'.repeat(20_000)}`,
      headers: { 'set-cookie': 'secret=1' },
    });
    await emitFact('sms.mo');
    await expect.poll(async () => (await listNotifications(client))[0]?.state).toBe('delivered');
    const [one] = (await readNotification(client, (await listNotifications(client))[0]?.id)).tries;
    expect(one?.response).toMatchObject({ bytes: 8192, cut: true, headers: { 'set-cookie': '***' } });
    expect(one?.response?.body.startsWith('a\uFFFDbb')).toBe(true);
  });

  it('that is gone pauses the webhook; after a manual resume it receives resent events', async () => {
    await startDelivery();
    const client = await makeDeveloper();
    world.answer = () => ({ status: 410 });
    await emitFact('sms.mo');
    const state = async () => (await client.call(calls.key, accountParams(client))).body.data;
    await expect.poll(async () => (await state()).paused_for).toBe('gone');
    const [{ id } = { id: '' }] = await listNotifications(client);
    const resend = () => client.call(calls.resendOne, { params: { notificationId: id } });
    expect((await resend()).body.status.code).toBe('CB-08-0032');
    const test410 = await client.call(calls.test, accountParams(client));
    expect(test410.body.status.code).toBe('CB-08-0032');
    world.answer = () => ({ status: 200 });
    expect((await client.call(calls.resume, accountParams(client))).body.data.state).toBe('active');
    expect((await resend()).body.data.state).toBe('waiting');
    await expect.poll(async () => (await listNotifications(client))[0]?.state).toBe('delivered');
    expect(new Set(world.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const actions = await query(
      'select action, subject_name as name from audit_entries where subject_id = $1 order by number',
      [client.userId],
    );
    const now = new URL((await state()).url ?? '').host;
    expect(actions).toEqual([
      { action: 'webhook.changed', name: 'hooks.example.test' },
      { action: 'webhook.switched', name: 'hooks.example.test' },
      { action: 'webhook.paused', name: now },
      { action: 'webhook.resumed', name: now },
      { action: 'webhook.resent', name: now },
    ]);
  });
});

it.each(['disabled', 'enabled'] as const)(
  'a paused webhook that is switched to %s can be tested',
  async (status) => {
    const client = await makeDeveloper();
    const former = status === 'disabled' ? 'now()' : 'null';
    await query(`update webhooks set enabled_at = ${former}`);
    await query(`update notification_targets set paused_at = now(), paused_for = 'gone'`);
    const switched = await client.call(calls.setStatus, { ...accountParams(client), body: { status } });
    expect(switched.body.data).toMatchObject({ status, state: 'active', paused_for: null });
    expect((await client.call(calls.test, accountParams(client))).http).toBe(200);
  },
);

describe('deliveries', () => {
  it('are found by type, state, time and subject, counted, and resent by a filter', async () => {
    await startDelivery();
    const client = await makeDeveloper();
    world.answer = ({ body }) => ({ status: body.includes('sms.mo') ? 410 : 200 });
    await emitFact('sim.lifecycle-changed');
    await emitFact('task.finished', client);
    await expect.poll(async () => (await listNotifications(client, { state: ['delivered'] })).length).toBe(2);
    await emitFact('sms.mo');
    await expect.poll(async () => (await listNotifications(client, { state: ['failed'] })).length).toBe(1);
    const { about } = facts('')['task.finished'];
    expect((await listNotifications(client, { search: about })).map(({ type }) => type)).toEqual([
      'task.finished',
    ]);
    expect(await listNotifications(client, { type: ['sms.mo'], state: ['delivered'] })).toEqual([]);
    expect(await listNotifications(client, { from: '2026-11-21T12:00:01Z' })).toEqual([]);
    const counts = await client.call(calls.counts, { body: { state: ['waiting'] } });
    expect(counts.body.data).toEqual({ waiting: 0, delivered: 2, failed: 1 });
    const health = (await client.call(calls.health)).body.data;
    expect(health).toMatchObject({ delivered: 2, first_try: 2, tried: 3, failed: 1, waiting: 0 });
    expect(health.slots.at(-1)).toMatchObject({ delivered: 2, failed: 1 });
    expect(health.slots).toHaveLength(48);
    await client.call(calls.resume, accountParams(client));
    world.answer = () => ({ status: 200 });
    const { body: listed } = await client.call(calls.list, { body: { page_size: 1 } });
    expect(listed.as_of).toBe(world.test.clock.now().toISOString());
    const again = await client.call(calls.resend, { body: { state: ['failed', 'waiting'] } });
    expect(again.body.data).toEqual({ count: 1 });
    await expect.poll(async () => (await listNotifications(client, { state: ['delivered'] })).length).toBe(3);
    const retried = world.received.filter(({ body }) => body.includes('sms.mo'));
    expect(new Set(retried.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('that wait for a failing receiver are attempted at its next probe, as shown in the settings', async () => {
    const client = await makeDeveloper();
    await emitFact('sms.mo');
    const next = '2026-11-21T12:09:00.000Z';
    await query(
      `insert into delivery_lanes (lane, failures, failing_since, next_try_at)
       select target_id, 7, now(), $1 from deliveries`,
      [next],
    );
    expect((await client.call(calls.key, accountParams(client))).body.data.next_try_at).toBe(next);
    expect(await listNotifications(client)).toMatchObject([{ state: 'waiting', next_attempt_at: next }]);
    await query('update delivery_lanes set failures = 4');
    expect(await listNotifications(client)).toMatchObject([{ next_attempt_at: '2026-11-21T12:00:00.000Z' }]);
  });

  it('that wait are given up when the webhook is disabled, and end with the account', async () => {
    const client = await makeDeveloper();
    await emitFact('sms.mo');
    await query(
      'insert into delivery_lanes (lane, failures, failing_since) select target_id, 7, now() from deliveries',
    );
    await client.call(calls.setStatus, { ...accountParams(client), body: { status: 'disabled' } });
    expect(await listNotifications(client)).toMatchObject([{ state: 'failed', fault: 'disabled' }]);
    expect(await query('select failures, failing_since from delivery_lanes')).toEqual([]);
    const resend = await client.call(calls.resend, { body: {} });
    expect(resend.body.status.code).toBe('CB-08-0031');
    await query('delete from memberships where user_id = $1', [client.userId]);
    const left = await query(
      `select (select count(*) from target_secrets) as keys, (select count(*) from webhooks) as webhooks,
         (select count(*) from deliveries) as deliveries`,
    );
    expect(left).toEqual([{ keys: 0, webhooks: 0, deliveries: 0 }]);
  });
});

describe('a disabled account', () => {
  it('receives nothing, and waiting deliveries once it is enabled again', async () => {
    const client = await makeDeveloper();
    await emitFact('sms.mo');
    const disable = (at: string | null) =>
      query('update memberships set disabled_at = $2 where user_id = $1', [client.userId, at]);
    await disable('2026-11-21T12:00:00Z');
    await emitFact('sim.imei-changed');
    const beside = await makeDeveloper();
    await startDelivery();
    await beside.call(calls.test, accountParams(beside));
    await expect.poll(() => world.received.length).toBe(1);
    expect(world.received[0]?.body).toContain('webhook.test');
    await disable(null);
    await advanceClock(1000);
    await expect.poll(() => world.received.length).toBe(2);
    expect(world.received[1]?.body).toContain('sms.mo');
    expect(await listNotifications(client)).toHaveLength(1);
  });
});

describe('events and exchanges', () => {
  it('are retained for thirty days, one partition for each day', async () => {
    await startDelivery();
    const client = await makeDeveloper();
    await emitFact('sms.mo');
    await expect.poll(async () => (await listNotifications(client))[0]?.state).toBe('delivered');
    const keep = async () => {
      for (const { job, handle } of world.test.wiring.jobs)
        if (job.name === 'webhook.keep-events' || job.name === 'notify.trim-deliveries')
          await handle({}, { signal: AbortSignal.timeout(10_000) } as never);
    };
    const kept = () =>
      query(
        `select (select count(*) from webhook_events) as events, (select count(*) from deliveries) as deliveries,
           (select count(*) from delivery_exchanges) as exchanges`,
      );
    world.test.clock.set('2026-12-21T11:59:00Z');
    await keep();
    expect(await kept()).toEqual([{ events: 1, deliveries: 1, exchanges: 1 }]);
    world.test.clock.set('2026-12-22T00:01:00Z');
    await keep();
    expect(await kept()).toEqual([{ events: 0, deliveries: 0, exchanges: 0 }]);
    const days = await query(
      `select c.relname as day from pg_inherits i join pg_class c on c.oid = i.inhrelid
       join pg_class p on p.oid = i.inhparent where p.relname = 'webhook_events' order by 1`,
    );
    expect(days.map(({ day }) => day)).toContain('webhook_events_2026_12_23');
  });
});
