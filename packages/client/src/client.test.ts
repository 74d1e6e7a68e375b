import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endpoints } from '@simcube/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Client, createClient } from './client.ts';

/** The server answers each request with the next of these responses. */
let responses: { http: number; headers?: Record<string, string>; data?: unknown }[] = [];
let received: IncomingHttpHeaders[] = [];
let receivedAt: number[] = [];
let targets: string[] = [];
let client: Client;

const success = { data: null, status: { success: true, code: 'CB-00-0000', message: '' }, trace_id: 't' };
const server = createServer((request, response) => {
  received.push(request.headers);
  receivedAt.push(performance.now());
  targets.push(request.url ?? '');
  const { http, headers = {}, data = null } = responses.shift() ?? { http: 200 };
  request
    .resume()
    .on('end', () => response.writeHead(http, headers).end(JSON.stringify({ ...success, data })));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const { port } = server.address() as AddressInfo;
  const now = () => new Date('2026-11-21T12:00:00Z');
  client = createClient({ url: `http://127.0.0.1:${port}/`, keyId: 'k', privateKey, now });
});
afterAll(() => server.close());
beforeEach(() => {
  responses = [];
  received = [];
  receivedAt = [];
  targets = [];
});

const unavailable = { http: 503, headers: { 'retry-after': '0' } };
const group = { name: 'Ops', emails: ['ops@example.test'] };

it('a write is retried with its Idempotency-Key and a new signature', async () => {
  responses = [unavailable, { http: 429, headers: { 'retry-after': '0' } }];
  await client.call(endpoints.notify.createGroup, { body: group });
  expect(received).toHaveLength(3);
  expect(new Set(received.map((headers) => headers['idempotency-key'])).size).toBe(1);
  expect(received[0]?.['idempotency-key']).toMatch(/^[\w-]{36}$/);
  expect(new Set(received.map((headers) => headers['signature-input'])).size).toBe(3);
});

it('waits until the date in Retry-After', async () => {
  responses = [{ http: 503, headers: { 'retry-after': 'Sat, 21 Nov 2026 12:00:01 GMT' } }];
  await client.call(endpoints.notify.listGroups);
  const [first = 0, second = 0] = receivedAt;
  expect(second - first).toBeGreaterThan(950);
});

it('stops waiting for the next attempt when it is aborted, with the reason', async () => {
  responses = [{ http: 503, headers: { 'retry-after': '60' } }];
  const controller = new AbortController();
  const call = client.call(endpoints.notify.listGroups, { signal: controller.signal });
  const startedAt = performance.now();
  setTimeout(() => controller.abort(new Error('enough')), 500);
  await expect(call).rejects.toThrow('enough');
  expect(performance.now() - startedAt).toBeLessThan(30_000);
});

it('a write may have a given Idempotency-Key, reads have none', async () => {
  await client.call(endpoints.notify.createGroup, { body: group, idempotencyKey: 'nightly' });
  await client.call(endpoints.notify.listGroups);
  await client.call(endpoints.sim.list, { body: {} });
  expect(received.map((headers) => headers['idempotency-key'])).toEqual(['nightly', undefined, undefined]);
});

it('a call that is not retryable and accepts no key is sent once', async () => {
  responses = [unavailable];
  const body = { name: 'Hook', url: 'https://hooks.example.test/' };
  await expect(client.call(endpoints.notify.createApiTarget, { body })).rejects.toMatchObject({ http: 503 });
  expect(received).toHaveLength(1);
});

it('waits for a write whose first attempt is still running, however often it has to ask', async () => {
  const running = { http: 409, headers: { 'retry-after': '0' } };
  responses = [running, running, running, running];
  await client.call(endpoints.notify.createGroup, { body: group });
  expect(received).toHaveLength(5);
  expect(new Set(received.map((headers) => headers['idempotency-key'])).size).toBe(1);
});

it('downloads the report of a task by a one-time token, in a header', async () => {
  const disposition = { 'content-disposition': "attachment; filename*=UTF-8''T7.xlsx" };
  responses = [
    { http: 200, data: { token: 'sct_once' } },
    { http: 200, headers: disposition },
  ];
  expect(await client.downloadReport('T7', 'xlsx')).toMatchObject({ name: 'T7.xlsx' });
  expect(targets).toEqual([
    '/job-service/rest/job/my/oneTimeToken?taskReference=T7&format=xlsx',
    '/public-sphere/rest/job/T7/download',
  ]);
  expect(received.map((headers) => headers['one-time-token'])).toEqual([undefined, 'sct_once']);
});

it('another conflict is reported at once', async () => {
  responses = [{ http: 409 }];
  await expect(client.call(endpoints.notify.createGroup, { body: group })).rejects.toMatchObject({
    http: 409,
  });
  expect(received).toHaveLength(1);
});

it('gives up after all attempts and reports the HTTP status', async () => {
  responses = [unavailable, unavailable, unavailable];
  await expect(client.call(endpoints.notify.listGroups)).rejects.toMatchObject({ http: 503 });
  expect(received).toHaveLength(3);
});
