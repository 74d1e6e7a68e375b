import { randomUUID } from 'node:crypto';
import { endpoints } from '@simcube/contract';
import { describe, expect, it } from 'vitest';
import { inTransaction } from '../../../platform/db/index.ts';
import type { TestClient } from '../../../testing/app.ts';
import { waitForBlockedStatements } from '../../../testing/locks.ts';
import {
  accountParams,
  makeDeveloper,
  query,
  useWebhookWorld,
  world,
} from '../../../testing/webhook-world.ts';
import { queueEvents } from '../../notify/index.ts';
import { listSubscriptions } from './subscriptions.views.ts';

const { webhook: calls } = endpoints;

useWebhookWorld();

const chooseTypes = (client: TestClient, event_types: ('sms.mo' | 'task.finished')[]) =>
  client.call(calls.setEventTypes, { ...accountParams(client), body: { event_types } });

describe('while events are recorded', () => {
  it('a type that is removed is still read by the recorder, and its event then given up', async () => {
    const client = await makeDeveloper({ types: ['task.finished', 'sms.mo'] });
    const { pool } = world.test.database;
    const { change, url } = await inTransaction(pool, async (tx) => {
      const [subscription] = (await listSubscriptions(tx, [client.orgId])).get(client.orgId) ?? [];
      expect([...(subscription?.since.keys() ?? [])].toSorted()).toEqual(['sms.mo', 'task.finished']);
      const change = chooseTypes(client, ['task.finished']);
      await waitForBlockedStatements(pool);
      const to = [{ targetId: subscription?.targetId ?? 0, url: subscription?.url ?? '', isPaused: false }];
      const event = { id: randomUUID(), orgId: client.orgId, type: 'sms.mo', about: null, body: '{}', to };
      await queueEvents(tx, [event], world.test.clock.now());
      return { change, url: subscription?.url };
    });
    expect((await change).body.status.code).toBe('CB-00-0000');
    expect(await query('select state, fault, address from deliveries')).toEqual([
      { state: 2, fault: 'type', address: url },
    ]);
  });

  it('a type that is being removed is no longer read', async () => {
    const client = await makeDeveloper({ types: ['task.finished', 'sms.mo'] });
    const { pool } = world.test.database;
    const { reading } = await inTransaction(pool, async (tx) => {
      await tx.query('select from notification_targets where account_id = $1 for update', [client.userId]);
      await tx.query(`delete from webhook_types where type = 'sms.mo'`);
      const reading = inTransaction(pool, (other) => listSubscriptions(other, [client.orgId]));
      await waitForBlockedStatements(pool);
      return { reading };
    });
    const [subscription] = (await reading).get(client.orgId) ?? [];
    expect([...(subscription?.since.keys() ?? [])]).toEqual(['task.finished']);
  });

  it('an account can be removed: the recorder locks it before its webhook, as the removal does', async () => {
    const client = await makeDeveloper({ types: ['sms.mo'] });
    const { pool } = world.test.database;
    const { reading } = await inTransaction(pool, async (tx) => {
      await tx.query('select from memberships where user_id = $1 for update', [client.userId]);
      const reading = inTransaction(pool, (other) => listSubscriptions(other, [client.orgId]));
      await waitForBlockedStatements(pool);
      await tx.query('delete from memberships where user_id = $1', [client.userId]);
      return { reading };
    });
    expect(await reading).toEqual(new Map());
  });
});
