import { endpoints, errors } from '@simcube/contract';
import { hourMs } from '@simcube/contract/time';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createReadiness } from '../../main/readiness.ts';
import { makeOrganisation, signedInAs, type TestApp, type TestClient, testApp } from '../../testing/app.ts';
import { beginOutage } from '../../testing/outage.ts';
import { type DatabaseHealth, watchDatabase } from '../db/index.ts';
import { createLog } from '../log/index.ts';
import { createMetrics } from '../metrics/index.ts';
import { createManagementServer } from './index.ts';

const readiness = createReadiness();
let server: TestApp;
let health: DatabaseHealth;
let admin: TestClient;
let management: ReturnType<typeof createManagementServer>;
let managementUrl: string;

beforeAll(async () => {
  server = await testApp({ readiness });
  const log = createLog({ level: 'silent', format: 'json' });
  // Checks only when asked to.
  health = watchDatabase({ url: server.database.url, log, everyMs: hourMs });
  management = createManagementServer({ readiness, log, metrics: createMetrics([]) });
  managementUrl = await management.listen('127.0.0.1', 0);
  expect(await shown()).toContain('\nsimcube_ready 0\n');
  readiness.started(health);
  admin = await signedInAs(server, 'admin', await makeOrganisation(server, { code: 'OUT' }));
});
afterAll(async () => {
  await health.stop();
  await management.close();
  await server.close();
});

const ready = async () => {
  const answer = await server.app.inject({ url: '/readyz' });
  return [answer.statusCode, answer.json()] as const;
};
const shown = async () => (await fetch(`${managementUrl}/metrics`)).text();
const rename = () =>
  admin.call(endpoints.identity.updateProfile, {
    body: { first_name: 'Ada', last_name: 'L', language: 'en-US' },
  });
const read = () => admin.call(endpoints.identity.getProfile);

test.each([
  ['read-only', 'CB-99-0505', 'database-read-only'],
  ['refusing', 'CB-99-0504', 'database-away'],
] as const)(
  'while the database is %s, calls are 503 with their own code and /readyz gives the reason, until it recovers',
  async (kind, code, reason) => {
    expect(await ready()).toEqual([200, { status: 'ready' }]);
    const over = await beginOutage(server.database.url, kind);
    // Before any check: the database's own error decides.
    const unseen = await rename();
    expect([unseen.http, unseen.body.status.code]).toEqual([503, expect.stringMatching(/^CB-99-050[45]$/)]);
    expect(unseen.headers['retry-after']).toBe('1');
    expect(await ready()).toEqual([503, { status: 'not ready', reason }]);
    for (const answer of [await rename(), await read()]) {
      expect([answer.http, answer.body.status.code]).toEqual([errors[code].http, code]);
      expect(answer.headers['retry-after']).toBe('1');
    }
    expect((await server.app.inject({ url: '/healthz' })).statusCode).toBe(200);
    expect(await shown()).toContain('\nsimcube_ready 0\n');
    await over();
    expect(await ready()).toEqual([200, { status: 'ready' }]);
    expect(await shown()).toContain('\nsimcube_ready 1\n');
    expect((await rename()).http).toBe(200);
    expect((await read()).http).toBe(200);
  },
);

test('the reason is given in the caller’s language', async () => {
  const over = await beginOutage(server.database.url, 'read-only');
  await health.check();
  const messageIn = async (language: string) =>
    (await admin.call(endpoints.identity.getProfile, {}, { headers: { 'accept-language': language } })).body
      .status.message;
  expect(await messageIn('en-US')).toContain('read-only');
  expect(await messageIn('es-ES')).toContain('solo lectura');
  expect(await messageIn('zh-CN')).toContain('只读');
  expect(await messageIn('zh-TW')).toContain('唯讀');
  await over();
});
