import { verifyWebhook } from '@simcube/client';
import { endpoints } from '@simcube/contract';
import { webhookEventSchema, webhookEventTypes, webhookTestSchema } from '@simcube/contract/webhook';
import { Webhook as Judge } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { makeOrganisation, signedInAs, type TestClient } from '../../testing/app.ts';
import { facts } from '../../testing/webhook-facts.ts';
import {
  accountParams,
  emitFact,
  listNotifications,
  makeDeveloper,
  noRequest,
  query,
  readFeed,
  readNotification,
  recordEvents,
  startDelivery,
  unusedUrl,
  useWebhookWorld,
  world,
} from '../../testing/webhook-world.ts';
import { readFeed as readStoredFeed } from './events/feed.service.ts';

const { webhook: calls } = endpoints;

useWebhookWorld();

describe('an event', () => {
  it.each(webhookEventTypes)('of type %s is made of its fact, signed, and in the feed', async (type) => {
    await startDelivery();
    const client = await makeDeveloper({ types: [type] });
    const { key } = (await client.call(calls.key, accountParams(client))).body.data;
    await emitFact(type, client);
    await expect.poll(() => world.received.length).toBe(1);
    const [{ body, headers } = noRequest] = world.received;
    const event = webhookEventSchema.parse(JSON.parse(body));
    expect(event).toMatchObject({ type, organisation: 'fleet', ...facts(client.userId)[type].expected });
    expect(headers['webhook-id']).toBe(event.id);
    // The library only accepts the current time.
    const judged = new Judge(key ?? '');
    expect(judged.sign(event.id, world.test.clock.now(), body)).toBe(headers['webhook-signature']);
    expect(verifyWebhook(headers, body, key ?? '', { now: world.test.clock.now() })).toEqual(event);
    expect((await readFeed(client)).events).toEqual([event]);
    await expect.poll(async () => (await listNotifications(client))[0]?.state).toBe('delivered');
    const [{ id, about } = { id: '', about: null }] = await listNotifications(client);
    expect(about).toMatchObject({ id: facts(client.userId)[type].about });
    expect((await readNotification(client, id)).body).toBe(body);
  });

  it('is sent when its type was chosen, the webhook was on and the account may see it, from then on', async () => {
    await startDelivery();
    const types = ['sms.mo', 'sim.imei-changed'] as const;
    const off = await makeDeveloper({ types: [...types], enabled: false });
    await emitFact('sms.mo');
    const on = await makeDeveloper({ types: ['sim.imei-changed'] });
    await query(
      `update memberships set role = 'user', permission_changes = '{"sim": [], "cube-developer-key": ["all"]}'
       where user_id = $1`,
      [off.userId],
    );
    await off.call(calls.setStatus, { ...accountParams(off), body: { status: 'enabled' } });
    await emitFact('sim.imei-changed');
    await emitFact('sms.mo');
    await expect.poll(() => world.received.length).toBe(2);
    expect((await listNotifications(on)).map(({ type }) => type)).toEqual(['sim.imei-changed']);
    expect((await listNotifications(off)).map(({ type }) => type)).toEqual(['sms.mo']);
    expect((await readFeed(off)).events.map(({ type }) => type)).toEqual(['sms.mo', 'sms.mo']);
    const refused = { ...accountParams(off), body: { event_types: [...types, 'pool.event' as const] } };
    expect((await off.call(calls.setEventTypes, refused)).body.status.code).toBe('CB-08-0034');
  });

  it('is sent only to the fact’s organisation, and account events only to that account', async () => {
    const other = await makeOrganisation(world.test, { code: 'buyer' });
    const [seller, colleague] = [await makeDeveloper(), await makeDeveloper()];
    const buyer = await makeDeveloper({ of: other });
    await emitFact('sim.lifecycle-changed');
    await emitFact('sim.lifecycle-changed', { orgId: other.id });
    await emitFact('task.finished', seller);
    const seen = async (client: TestClient) =>
      (await readFeed(client)).events.map(({ type, organisation }) => `${organisation} ${type}`);
    expect(await seen(seller)).toEqual(['fleet sim.lifecycle-changed', 'fleet task.finished']);
    expect(await seen(colleague)).toEqual(['fleet sim.lifecycle-changed']);
    expect(await seen(buyer)).toEqual(['buyer sim.lifecycle-changed']);
    const typesOf = async (client: TestClient) => (await listNotifications(client)).map(({ type }) => type);
    expect(await typesOf(colleague)).toEqual(['sim.lifecycle-changed']);
    const [{ id } = { id: '' }] = await listNotifications(seller);
    const foreign = await colleague.call(calls.detail, { params: { notificationId: id } });
    expect(foreign.body.status.code).toBe('CB-09-0030');
    expect((await colleague.call(calls.key, accountParams(seller))).http).toBe(404);
  });

  it('of a batch that fails is recorded one by one, and the others once', async () => {
    const client = await makeDeveloper();
    await query(`insert into outbox (topic, org_id, payload) values ('sms.received', $1, '{"sims": 1}')`, [
      world.org.id,
    ]);
    await emitFact('sms.mo');
    await query(
      `update outbox_cursors set retry_at = null, attempts = 7 where consumer = 'webhook.record-events'`,
    );
    await recordEvents();
    expect((await readFeed(client)).events).toHaveLength(1);
    const letters = await query(`delete from dead_lettered_facts returning consumer`);
    expect(letters).toEqual([{ consumer: 'webhook.record-events' }]);
  });
});

describe('the feed', () => {
  it('continues after its cursor, page by page, and refuses an invalid one', async () => {
    const client = await makeDeveloper();
    for (let n = 0; n < 3; n += 1) await emitFact('sms.mo');
    const first = (await client.call(calls.feed, { query: { limit: 2 } })).body.data;
    expect([first.events.length, first.has_more]).toEqual([2, true]);
    const second = await readFeed(client, first.next_cursor);
    expect([second.events.length, second.has_more]).toEqual([1, false]);
    const end = await readFeed(client, second.next_cursor);
    expect(end).toEqual({ events: [], next_cursor: second.next_cursor, has_more: false });
    await emitFact('sms.mo');
    const [event] = (await readFeed(client, end.next_cursor)).events;
    expect(event?.sequence).toBeGreaterThan(second.events[0]?.sequence ?? Number.NaN);
    for (const cursor of [
      'x',
      Buffer.from('1.2026-02-30').toString('base64url'),
      first.next_cursor.slice(1),
    ]) {
      const refused = await client.call(calls.feed, { query: { cursor, limit: 1 } });
      expect(refused.body.status.code, cursor).toBe('CB-00-0406');
    }
    // Numbers are per organisation: with another organisation's cursor, its own events would be skipped
    // silently.
    const stranger = await makeDeveloper({ of: await makeOrganisation(world.test, { code: 'stranger' }) });
    const foreign = await stranger.call(calls.feed, { query: { cursor: end.next_cursor } });
    expect(foreign.body.status.code).toBe('CB-00-0406');
    const own = (await stranger.call(calls.feed, { query: {} })).body.data;
    expect((await readFeed(stranger, own.next_cursor)).events).toEqual([]);
    const [number, day] = Buffer.from(end.next_cursor, 'base64url').toString('latin1').split('.');
    const former = Buffer.from(`${number}.${day}`).toString('base64url');
    expect((await readFeed(client, former)).events).toEqual([event]);
  });
});

describe('the feed while events are recorded', () => {
  it('skips none of them', async () => {
    const client = await makeDeveloper({ types: ['sms.mo'] });
    const { orgId, userId: accountId } = client;
    const { pool } = world.test.database;
    const question = {
      orgId,
      accountId,
      types: ['sms.mo'] as const,
      limit: 10,
      start: 'oldest' as const,
      now: world.test.clock.now(),
    };
    let isRecorded = false;
    /** Records an event after the first read of events. */
    const interrupted = <C extends { query: (...asked: never[]) => unknown }>(sql: C): C =>
      new Proxy(sql, {
        get: (on, name) => {
          if (name === 'connect') return async () => interrupted(await pool.connect());
          const value: unknown = Reflect.get(on, name);
          if (name !== 'query' || typeof value !== 'function')
            return typeof value === 'function' ? value.bind(on) : value;
          return async (...asked: unknown[]) => {
            const answer: unknown = await value.apply(on, asked);
            if ((asked[0] as { name?: string }).name === 'webhook-feed' && !isRecorded) {
              isRecorded = true;
              await emitFact('sms.mo');
            }
            return answer;
          };
        },
      });
    const before = await readStoredFeed(interrupted(pool), { ...question, cursor: undefined });
    expect(isRecorded).toBe(true);
    const behind = await readStoredFeed(pool, { ...question, cursor: before.next_cursor });
    expect([...before.events, ...behind.events].map(({ type }) => type)).toEqual(['sms.mo']);
  });
});

describe('the feed of a database restored from a backup', () => {
  it('refuses a later cursor, which would skip new events', async () => {
    const client = await makeDeveloper();
    await emitFact('sms.mo');
    const { next_cursor: kept } = (await client.call(calls.feed, { query: {} })).body.data;
    await emitFact('sms.mo');
    const { next_cursor: lost } = (await client.call(calls.feed, { query: {} })).body.data;
    await query('update webhook_sequences set last = last - 1 where org_id = $1', [world.org.id]);
    await query(
      'delete from webhook_events where org_id = $1 and sequence = (select max(sequence) from webhook_events where org_id = $1)',
      [world.org.id],
    );
    const ahead = await client.call(calls.feed, { query: { cursor: lost } });
    expect(ahead.body.status.code).toBe('CB-00-0406');
    expect((await readFeed(client, kept)).events).toEqual([]);
    await emitFact('sms.mo');
    expect((await readFeed(client, kept)).events).toHaveLength(1);
  });
});

describe('a notification key', () => {
  it('signs together with the previous one for a day, and is not recorded', async () => {
    await startDelivery();
    const client = await signedInAs(world.test, 'admin', world.org);
    const none = (await client.call(calls.key, accountParams(client))).body.data;
    expect(none).toMatchObject({ key: null, url: null, status: 'disabled', event_types: expect.any(Array) });
    const missing = await client.call(calls.setStatus, {
      ...accountParams(client),
      body: { status: 'enabled' },
    });
    expect(missing.body.status.code).toBe('CB-08-0030');
    const first = (await client.call(calls.setUrl, { ...accountParams(client), body: { url: unusedUrl } }))
      .body.data;
    const second = (await client.call(calls.renewKey, accountParams(client))).body.data;
    expect(first.key).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(second.key).not.toBe(first.key);
    expect(second.former_key_until).toBe('2026-11-22T12:00:00.000Z');
    await query('update notification_targets set addresses = array[$1]', [`${world.origin}/hook`]);
    const { event_id: id } = (await client.call(calls.test, accountParams(client))).body.data;
    await expect.poll(() => world.received.length).toBe(1);
    const [{ body, headers } = noRequest] = world.received;
    const signatures = [second, first].map(({ key }) =>
      new Judge(key ?? '').sign(id, world.test.clock.now(), body),
    );
    expect(headers['webhook-signature']).toBe(signatures.join(' '));
    const now = world.test.clock.now();
    for (const { key } of [first, second])
      expect(webhookTestSchema.parse(verifyWebhook(headers, body, key ?? '', { now }))).toMatchObject({ id });
    const trail = JSON.stringify(await query('select before, after from audit_entries'));
    expect(trail).not.toContain('whsec_');
  });

  it('and webhook accept only https, and are off until a URL is set', async () => {
    const client = await signedInAs(world.test, 'admin', world.org);
    for (const url of ['http://hooks.example.test/', 'https://me:pw@hooks.example.test/', 'javascript:1']) {
      expect((await client.call(calls.setUrl, { ...accountParams(client), body: { url } })).http, url).toBe(
        400,
      );
    }
    expect((await client.call(calls.test, accountParams(client))).body.status.code).toBe('CB-08-0030');
    expect((await client.call(calls.resend, { body: {} })).body.status.code).toBe('CB-08-0030');
  });
});
