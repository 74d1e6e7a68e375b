import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endpoints } from '@simcube/contract';
import type { WebhookEventType } from '@simcube/contract/webhook';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { createListener, type Listener } from '../platform/db/index.ts';
import { createLog } from '../platform/log/index.ts';
import { createMetrics } from '../platform/metrics/index.ts';
import { createOutbound } from '../platform/outbound/index.ts';
import { consumeOnce, emit, registerConsumers } from '../platform/outbox/index.ts';
import { makeOrganisation, signedInAs, type TestApp, type TestClient, testApp } from './app.ts';
import { waitForOlderTransactions } from './older-transactions.ts';
import { facts } from './webhook-facts.ts';

const { webhook: calls } = endpoints;
const log = createLog({ level: 'silent', format: 'json' });
const metrics = createMetrics();
export const unusedUrl = 'https://hooks.example.test/simcube';

let listener: Listener;
let server: Server;
interface ReceivedRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}
export const noRequest: ReceivedRequest = { path: '', headers: {}, body: '' };
type Answer = (
  request: ReceivedRequest,
) => { status: number; body?: string; headers?: Record<string, string> } | 'silence';

/** The environment of a test with developers and their receiver. */
export const world = { received: [] as ReceivedRequest[], answer: (() => ({ status: 200 })) as Answer } as {
  test: TestApp;
  org: Awaited<ReturnType<typeof makeOrganisation>>;
  origin: string;
  received: ReceivedRequest[];
  answer: Answer;
};
const closes: (() => Promise<void>)[] = [];

/** Registers the set-up of a test file. */
export const useWebhookWorld = (): void => {
  beforeAll(async () => {
    world.test = await testApp();
    world.org = await makeOrganisation(world.test, { code: 'fleet' });
    listener = createListener(world.test.database.url, log);
    server = createServer((incoming, response) => {
      const pieces: Buffer[] = [];
      incoming.on('data', (piece: Buffer) => pieces.push(piece));
      incoming.on('end', () => {
        const body = Buffer.concat(pieces).toString();
        const request = { path: incoming.url ?? '', headers: incoming.headers, body };
        world.received.push(request);
        const answer = world.answer(request);
        if (answer !== 'silence') response.writeHead(answer.status, answer.headers).end(answer.body);
      });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    world.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await registerConsumers(world.test.database.pool, world.test.wiring.consumers);
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await listener.close();
    await world.test.close();
  });
  beforeEach(() => {
    world.test.clock.set('2026-11-21T12:00:00Z');
    world.received = [];
    world.answer = () => ({ status: 200 });
  });
  afterEach(async () => {
    for (const close of closes.splice(0)) await close();
    await query(
      'truncate notification_targets, notifications, delivery_lanes, webhook_events, delivery_exchanges cascade',
    );
  });
};

export const query = async (text: string, values: unknown[] = []) =>
  (await world.test.database.pool.query(text, values)).rows;
export const accountParams = ({ userId }: TestClient) => ({ params: { accountId: userId } });

/** The test's receiver has no certificate, so the stored URL is changed. */
export const makeDeveloper = async ({
  url = `${world.origin}/hook`,
  types,
  of = world.org,
  enabled = true,
}: {
  url?: string;
  types?: WebhookEventType[];
  of?: typeof world.org;
  enabled?: boolean;
} = {}): Promise<TestClient> => {
  const client = await signedInAs(world.test, 'admin', of);
  await client.call(calls.setUrl, { ...accountParams(client), body: { url: unusedUrl } });
  if (types)
    await client.call(calls.setEventTypes, { ...accountParams(client), body: { event_types: types } });
  if (enabled) await client.call(calls.setStatus, { ...accountParams(client), body: { status: 'enabled' } });
  await query('update notification_targets set addresses = array[$2] where account_id = $1', [
    client.userId,
    url,
  ]);
  return client;
};
export const startDelivery = async (): Promise<void> => {
  const delivering = await world.test.wiring.notify.startDelivering({
    listener,
    mailer: { send: async () => undefined },
    outbound: createOutbound({ allowedNetworks: ['127.0.0.1/32'], keepAlive: true }),
    log,
    metrics,
  });
  closes.push(delivering.stop);
};
export const advanceClock = async (ms: number): Promise<void> => {
  world.test.clock.advance(ms);
  await query('notify deliveries');
};
/** Has a consumer handle the facts that were emitted. */
export const consumeFacts = async (name: string): Promise<void> => {
  const consumer = world.test.wiring.consumers.find((one) => one.name === name);
  if (!consumer) throw new Error(`There is no consumer ${name}`);
  await waitForOlderTransactions(world.test.database.pool);
  while ((await consumeOnce(world.test.database.pool, consumer, { log, metrics })).handled > 0);
};
export const recordEvents = (): Promise<void> => consumeFacts('webhook.record-events');
export const emitFact = async (
  type: WebhookEventType,
  { orgId = world.org.id, userId = '' } = {},
): Promise<void> => {
  const { event, payload } = facts(userId)[type];
  await emit(world.test.database.pool, event, { orgId, payload });
  await recordEvents();
};
export const readFeed = async (client: TestClient, cursor?: string) =>
  (await client.call(calls.feed, { query: { cursor, limit: 100 } })).body.data;
export const listNotifications = async (client: TestClient, body = {}) =>
  (await client.call(calls.list, { body: { page_no: 1, page_size: 50, ...body } })).body.data;
export const readNotification = async (client: TestClient, id = '') =>
  (await client.call(calls.detail, { params: { notificationId: id } })).body.data;
