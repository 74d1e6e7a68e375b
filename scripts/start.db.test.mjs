import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isAlive } from '../apps/server/src/platform/embedded/processes.ts';
import { testDatabase } from '../apps/server/src/testing/database.ts';
import { beginOutage } from '../apps/server/src/testing/outage.ts';
import { buildProducts } from './build.mjs';
import { root } from './run.mjs';

/** The product in production mode, with each process started as an operator would. */
let database;
let dataDir;
const started = [];

beforeAll(() => buildProducts());
beforeEach(async () => {
  database = await testDatabase({ max: 2 });
  dataDir = mkdtempSync(join(tmpdir(), 'simcube-start-'));
});
afterEach(async () => {
  for (const { child, pids } of started.splice(0)) {
    for (const pid of [child.pid, ...pids]) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  }
  await database.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const start = (command, args, env = {}) => {
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: dataDir,
      DATABASE_URL: database.url,
      SIMCUBE_DATA_DIR: dataDir,
      SIMCUBE_DEMO: '0',
      SIMCUBE_PORT: '0',
      SIMCUBE_MANAGEMENT_PORT: '0',
      SIMCUBE_RADIUS_AUTH_PORT: '0',
      SIMCUBE_RADIUS_ACCT_PORT: '0',
      ...env,
    },
  });
  const lines = [];
  const run = { child, lines, pids: [], closed: once(child, 'close') };
  started.push(run);
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => lines.push(line));
  }
  return run;
};
const server = (env) => start(process.execPath, ['apps/server/dist/server.js'], env);

/** All lines of output as JSON objects; any other line fails the test. */
const records = ({ lines }) => lines.map((line) => JSON.parse(line));
const waitForRecord = async (run, msg) => {
  const find = () => records(run).find((entry) => msg.test(entry.msg));
  await expect.poll(find, { timeout: 60_000 }).toBeDefined();
  return find();
};
const waitUntilReady = async (run) => {
  const found = await waitForRecord(run, /^ready$/);
  run.pids.push(found.pid);
  return found;
};
const fetchJson = async (url) => {
  const response = await fetch(url);
  return [response.status, await response.json()];
};

describe('SIGTERM stops everything', () => {
  test.each([
    ['scripts/start.mjs', process.execPath, ['scripts/start.mjs']],
    ['npm', 'npm', ['start', '--silent']],
  ])('when sent to the process of %s, with every log line in JSON', async (_, command, args) => {
    const run = start(command, args);
    const { pid } = await waitUntilReady(run);
    run.child.kill('SIGTERM');
    await run.closed;
    await expect.poll(() => isAlive(pid), { timeout: 30_000 }).toBe(false);
    expect(records(run).map(({ msg }) => msg)).toContain('stopping');
  });
});

test('a RADIUS port in use ends the start with a sentence and exit code 78', async () => {
  const other = createSocket('udp4').bind(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address();
  const run = start(process.execPath, ['scripts/start.mjs'], { SIMCUBE_RADIUS_AUTH_PORT: String(port) });
  expect(await run.closed).toEqual([78, null]);
  other.close();
  expect(records(run).at(-1)).toMatchObject({
    level: 60,
    msg: `Port ${port} of 127.0.0.1 for RADIUS authentication (UDP) is in use by another program. Free it, or set SIMCUBE_RADIUS_AUTH_PORT to another one.`,
  });
});

test('invalid settings end the start with one line of JSON and exit code 78', async () => {
  const run = server({ SIMCUBE_MANAGEMENT_PORT: 'here' });
  expect(await run.closed).toEqual([78, null]);
  expect(records(run)).toEqual([
    expect.objectContaining({ level: 60, msg: expect.stringContaining('SIMCUBE_MANAGEMENT_PORT') }),
  ]);
});

test('a server waits for its database, becomes ready, and stops cleanly', async () => {
  const endOutage = await beginOutage(database.url, 'refusing');
  const run = server({ SIMCUBE_MANAGEMENT_PORT: '0' });
  await waitForRecord(run, /^the database cannot be used yet; retrying$/);
  await endOutage();
  const { management, url } = await waitUntilReady(run);
  expect(await fetchJson(`${management}/readyz`)).toEqual([200, { status: 'ready' }]);
  expect(await fetchJson(`${url}/readyz`)).toEqual([200, { status: 'ready' }]);
  run.child.kill('SIGTERM');
  expect(await run.closed).toEqual([0, null]);
});

describe('the metrics of a process', () => {
  test.each([
    ['web', ['simcube_http_request_seconds', 'simcube_live_clients'], ['radius', 'outbox', 'jobs']],
    ['worker', ['simcube_jobs_total', 'simcube_outbox_lag_seconds'], ['radius', 'http', 'live']],
    ['aaa', ['simcube_radius_packets_total', 'simcube_radius_queue'], ['outbox', 'jobs', 'http', 'live']],
  ])('of role %s are on its management port, and only those of that role', async (role, expected, others) => {
    const run = server({ SIMCUBE_ROLES: role });
    const { management } = await waitUntilReady(run);
    expect(await fetchJson(`${management}/healthz`)).toEqual([200, { status: 'alive' }]);
    expect(await fetchJson(`${management}/readyz`)).toEqual([200, { status: 'ready' }]);
    const names = (await (await fetch(`${management}/metrics`)).text()).match(/^# TYPE \S+/gm);
    const productMetrics = names.map((line) => line.slice('# TYPE '.length));
    expect(productMetrics).toEqual(expect.arrayContaining(expected));
    expect(
      productMetrics.filter((name) => others.some((part) => name.startsWith(`simcube_${part}_`))),
    ).toEqual([]);
    run.child.kill('SIGTERM');
    expect(await run.closed).toEqual([0, null]);
  });
});
