import { endpoints } from '@simcube/contract';
import type { Webhook, WebhookEventType } from '@simcube/contract/webhook';
import { describe, expect, it } from 'vitest';
import { inTransaction } from '../../platform/db/index.ts';
import { signedInAs, type TestClient } from '../../testing/app.ts';
import { waitForBlockedStatements } from '../../testing/locks.ts';
import { createApiKey, readSigning, sendCall } from '../../testing/signing.ts';
import {
  accountParams,
  emitFact,
  makeDeveloper,
  query,
  startDelivery,
  useWebhookWorld,
  world,
} from '../../testing/webhook-world.ts';

const { webhook: calls } = endpoints;

useWebhookWorld();

describe('an account that is no longer a developer', () => {
  it('receives nothing, whatever else it may read', async () => {
    await startDelivery();
    const [former, still] = [
      await makeDeveloper({ url: `${world.origin}/former` }),
      await makeDeveloper({ url: `${world.origin}/still` }),
    ];
    await query(`update memberships set role = 'operator' where user_id = $1`, [former.userId]);
    await emitFact('sim.lifecycle-changed');
    await expect.poll(() => world.received.map(({ path }) => path)).toEqual(['/still']);
    const sent = await query(
      `select t.account_id from deliveries d join notification_targets t on t.id = d.target_id`,
    );
    expect(sent).toEqual([{ account_id: still.userId }]);
  });
});

/** State and fault of each delivery to the account, by type. */
const deliveriesTo = async ({ userId }: TestClient) =>
  Object.fromEntries(
    (
      await query(
        `select n.kind, d.state, d.fault from deliveries d
           join notifications n on n.id = d.notification_id join notification_targets t on t.id = d.target_id
         where t.account_id = $1`,
        [userId],
      )
    ).map(({ kind, state, fault }) => [kind, [state, fault]]),
  );

describe('events that wait for an account', () => {
  it('are not sent when it may no longer read them', async () => {
    const admin = await signedInAs(world.test, 'admin', world.org);
    const types: WebhookEventType[] = ['bill.published', 'sim.lifecycle-changed'];
    const developer = await makeDeveloper({ types, url: `${world.origin}/own` });
    await query(`update memberships set role = 'operator', permission_changes = $2 where user_id = $1`, [
      developer.userId,
      { 'cube-developer-key': ['all'], 'customer-bill-cube': ['read'] },
    ]);
    for (const type of types) await emitFact(type);
    const { userId } = developer;
    const { body } = await admin.call(endpoints.account.changePermission, {
      params: { userId, key: 'customer-bill-cube' },
      body: { actions: [] },
    });
    expect(body.status.code).toBe('CB-00-0000');
    await startDelivery();
    await expect
      .poll(() => deliveriesTo(developer))
      .toEqual({ 'bill.published': [2, 'type'], 'sim.lifecycle-changed': [1, null] });
    const own = world.received.filter(({ path }) => path === '/own');
    expect(own.map(({ body: sent }) => JSON.parse(sent).type)).toEqual(['sim.lifecycle-changed']);
  });

  it('are not sent when it is no longer a developer', async () => {
    const admin = await signedInAs(world.test, 'admin', world.org);
    const types: WebhookEventType[] = ['sim.lifecycle-changed'];
    const former = await makeDeveloper({ types, url: `${world.origin}/former` });
    await makeDeveloper({ types, url: `${world.origin}/still` });
    await emitFact('sim.lifecycle-changed');
    await former.call(calls.test, accountParams(former));
    const { body } = await admin.call(endpoints.account.update, {
      params: { userId: former.userId },
      body: { first_name: 'A', last_name: 'B', locale: 'en-US', role: 'operator' },
    });
    expect(body.status.code).toBe('CB-00-0000');
    const givenUp = { 'sim.lifecycle-changed': [2, 'type'], 'webhook.test': [2, 'type'] };
    expect(await deliveriesTo(former)).toEqual(givenUp);
    await startDelivery();
    await expect.poll(() => world.received.map(({ path }) => path)).toEqual(['/still']);
  });
});

describe('past events of an account', () => {
  it('are not sent again if its permission to read them is removed meanwhile', async () => {
    const developer = await makeDeveloper({ types: ['bill.published'] });
    await emitFact('bill.published');
    const [delivery] = await query('update deliveries set state = 2, due_at = null returning id');
    const { pool } = world.test.database;
    const { several, one } = await inTransaction(pool, async (tx) => {
      await tx.query(`update memberships set role = 'operator', permission_changes = $2 where user_id = $1`, [
        developer.userId,
        { 'cube-developer-key': ['all'] },
      ]);
      const resends = {
        several: developer.call(calls.resend, { body: {} }),
        one: developer.call(calls.resendOne, { params: { notificationId: String(delivery.id) } }),
      };
      await waitForBlockedStatements(pool, 2);
      return resends;
    });
    expect((await several).body.data).toEqual({ count: 0 });
    expect((await one).body.status.code).toBe('CB-09-0030');
    expect(await deliveriesTo(developer)).toEqual({ 'bill.published': [2, null] });
  });
});

describe('an API key with fewer rights than its account', () => {
  /** Calls with a key that may manage webhooks, and read nothing of the organisation. */
  const callWithKey = async (
    client: TestClient,
    endpoint: { method: 'PUT'; path: string },
    body: Record<string, unknown>,
  ) => {
    const signing = await readSigning();
    const key = await createApiKey(client, { rights: { 'cube-developer-key': ['all'] } });
    const request = {
      method: endpoint.method,
      url: endpoint.path.replace('{accountId}', client.userId),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    const created = Math.floor(world.test.clock.now().getTime() / 1000);
    return sendCall(world.test, request, signing.signed(request, key, { created }));
  };
  const url = 'https://elsewhere.example.test/';
  const moved = (client: TestClient) => callWithKey(client, calls.setUrl, { url });

  it('creates a webhook with the types that the key may read', async () => {
    const client = await signedInAs(world.test, 'admin', world.org);
    const { code, data } = await moved(client);
    expect([code, (data as Webhook).event_types]).toEqual(['CB-00-0000', ['task.finished']]);
  });

  it('can’t redirect events that it may not read', async () => {
    const led = async (types: WebhookEventType[]) => {
      const client = await makeDeveloper({ types });
      const { code } = await moved(client);
      return [code, (await client.call(calls.key, accountParams(client))).body.data.url === url];
    };
    expect(await led(['task.finished', 'sms.mo'])).toEqual(['CB-08-0034', false]);
    expect(await led(['task.finished'])).toEqual(['CB-00-0000', true]);
  });

  it('can’t redirect events that it may not read by removing their type first', async () => {
    const client = await makeDeveloper({ types: ['task.finished', 'sms.mo'] });
    await emitFact('sms.mo');
    const { code } = await callWithKey(client, calls.setEventTypes, { event_types: ['task.finished'] });
    expect(code).toBe('CB-00-0000');
    expect(await deliveriesTo(client)).toEqual({ 'sms.mo': [2, 'type'] });
    // The account sends the event again, whose type is no longer chosen.
    await client.call(calls.resend, { body: { type: ['sms.mo'] } });
    expect(await deliveriesTo(client)).toEqual({ 'sms.mo': [0, null] });
    expect((await moved(client)).code).toBe('CB-08-0034');
  });
});
