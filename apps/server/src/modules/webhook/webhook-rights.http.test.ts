import { endpoints } from '@simcube/contract';
import type { Webhook, WebhookEventType } from '@simcube/contract/webhook';
import { describe, expect, it } from 'vitest';
import { signedInAs, type TestClient } from '../../testing/app.ts';
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

describe('an API key with fewer rights than its account', () => {
  /** Changes the URL with a key that may manage webhooks, and read nothing of the organisation. */
  const moved = async (client: TestClient, url: string) => {
    const signing = await readSigning();
    const key = await createApiKey(client, { rights: { 'cube-developer-key': ['all'] } });
    const request = {
      method: calls.setUrl.method,
      url: calls.setUrl.path.replace('{accountId}', client.userId),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url }),
    };
    const created = Math.floor(world.test.clock.now().getTime() / 1000);
    return sendCall(world.test, request, signing.signed(request, key, { created }));
  };
  const url = 'https://elsewhere.example.test/';

  it('creates a webhook with the types that the key may read', async () => {
    const client = await signedInAs(world.test, 'admin', world.org);
    const { code, data } = await moved(client, url);
    expect([code, (data as Webhook).event_types]).toEqual(['CB-00-0000', ['task.finished']]);
  });

  it('can’t redirect events that it may not read', async () => {
    const led = async (types: WebhookEventType[]) => {
      const client = await makeDeveloper({ types });
      const { code } = await moved(client, url);
      return [code, (await client.call(calls.key, accountParams(client))).body.data.url === url];
    };
    expect(await led(['task.finished', 'sms.mo'])).toEqual(['CB-08-0034', false]);
    expect(await led(['task.finished'])).toEqual(['CB-00-0000', true]);
  });
});
