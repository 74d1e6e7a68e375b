import { endpoints } from '@simcube/contract';
import { queueEvents } from '../../../modules/notify/index.ts';
import type { TestClient } from '../../app.ts';
import type { References, Sides } from './references.ts';

const { setUrl, setStatus, resume } = endpoints.webhook;
const event = { id: '', type: 'sms.mo', about: { kind: 'sim', id: '89860012300000000001' }, body: '{}' };

/** Webhooks, each of its own account, with a pending event. */
export const webhookReferences = async ({
  test,
  clients,
  stranger,
}: Sides): Promise<Pick<References, 'accountId' | 'notificationId'>> => {
  const { pool } = test.database;
  let made = 0;
  const deliveryOf = async (client: TestClient): Promise<string> => {
    const params = { accountId: client.userId };
    await client.call(setUrl, { params, body: { url: 'https://hooks.example.test/' } });
    await client.call(setStatus, { params, body: { status: 'enabled' } });
    const { rows } = await pool.query<{ id: number; url: string }>(
      'select id, addresses[1] as url from notification_targets where account_id = $1',
      [client.userId],
    );
    made += 1;
    const id = `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`;
    const to = rows.map(({ id: targetId, url }) => ({ targetId, url, isPaused: false }));
    await queueEvents(pool, [{ ...event, id, orgId: client.orgId, to }], test.clock.now());
    const { rows: sent } = await pool.query<{ id: number }>(
      'select id from deliveries where notification_id = $1',
      [id],
    );
    return String(sent[0]?.id ?? 0);
  };
  const own = new Map<TestClient, string>();
  for (const client of clients) own.set(client, await deliveryOf(client));
  return {
    accountId: {
      own: async (client, { id }) => {
        // For calls that need a URL, or that switch off the webhook first.
        if (id === resume.id || id === setStatus.id) await deliveryOf(client);
        return client.userId;
      },
      foreign: stranger.userId,
    },
    notificationId: {
      own: async (client) => {
        const params = { accountId: client.userId };
        await client.call(setStatus, { params, body: { status: 'enabled' } });
        return own.get(client) ?? '0';
      },
      foreign: await deliveryOf(stranger),
    },
  };
};
