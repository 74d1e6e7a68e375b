import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { hourMs } from '@simcube/contract/time';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { beginOutage } from '../../testing/outage.ts';
import { UnusableSettings } from '../env/index.ts';
import { createLog } from '../log/index.ts';
import { type Database, type DatabaseHealth, troubleOf, waitForDatabase, watchDatabase } from './index.ts';

let database: Database;
let lines: string[];
let log: ReturnType<typeof createLog>;
const watches: DatabaseHealth[] = [];

beforeEach(async () => {
  database = await testDatabase();
  lines = [];
  log = createLog({ level: 'info', format: 'json', destination: { write: (line) => lines.push(line) } });
});
afterEach(async () => {
  for (const watch of watches.splice(0)) await watch.stop();
  await database.close();
});

const watch = (url: string): DatabaseHealth => {
  // Checks only when asked to.
  const health = watchDatabase({ url, log, everyMs: hourMs });
  watches.push(health);
  return health;
};
const records = (): unknown[] => lines.map((line) => JSON.parse(line) as unknown);

describe.each([
  ['read-only', 'read-only'],
  ['refusing', 'away'],
] as const)('a database that is %s', (kind, trouble) => {
  test('is noticed at the next check, and so is its recovery, each logged once', async () => {
    const health = watch(database.url);
    expect(await health.check()).toBeUndefined();
    const over = await beginOutage(database.url, kind);
    expect(await health.check()).toBe(trouble);
    expect(await health.check()).toBe(trouble);
    expect(health.trouble()).toBe(trouble);
    await over();
    expect(await health.check()).toBeUndefined();
    expect(health.trouble()).toBeUndefined();
    expect(records()).toEqual([
      expect.objectContaining({ msg: 'the database is unavailable', trouble, reason: expect.any(String) }),
      expect.objectContaining({ msg: 'the database is available again' }),
    ]);
  });

  test('is rejected by the pool until it recovers', async () => {
    await database.pool.query('create table facts (n integer)');
    const over = await beginOutage(database.url, kind);
    const refused = await database.pool
      .query('insert into facts values (1)')
      .catch((error: unknown) => error);
    expect(troubleOf(refused)).toBeDefined();
    const again = await database.pool.query('insert into facts values (1)').catch((error: unknown) => error);
    expect(troubleOf(again)).toBe(trouble);
    await over();
    await database.pool.query('insert into facts values (2)');
    expect((await database.pool.query('select n from facts')).rows).toEqual([{ n: 2 }]);
  });

  test('is retried at startup, with the reason in the log', async () => {
    const over = await beginOutage(database.url, kind);
    const waiting = waitForDatabase(database.url, { log, signal: new AbortController().signal });
    await expect.poll(() => lines.length, { timeout: 20_000 }).toBeGreaterThan(1);
    await over();
    await waiting;
    for (const record of records()) {
      expect(record).toMatchObject({
        msg: 'the database cannot be used yet; retrying',
        reason: expect.stringMatching(/./),
        retryInMs: expect.any(Number),
      });
    }
  });

  test('ends a command with an error instead of waiting', async () => {
    const over = await beginOutage(database.url, kind);
    await expect(waitForDatabase(database.url, { log, signal: undefined })).rejects.toThrow(
      /^The database cannot be used: .+/,
    );
    await over();
  });
});

test('a server that accepts connections but never responds is unavailable', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  expect(await watch(`postgresql://someone:secret@127.0.0.1:${port}/simcube`).check()).toBe('away');
  expect(lines.join()).not.toContain('secret');
  for (const socket of sockets) socket.destroy();
  server.close();
});

test('waiting for a database ends on shutdown', async () => {
  const over = await beginOutage(database.url, 'refusing');
  const ending = new AbortController();
  const waiting = waitForDatabase(database.url, { log, signal: ending.signal });
  const refused = expect(waiting).rejects.toThrow(/abort/i);
  await expect.poll(() => lines.length, { timeout: 20_000 }).toBeGreaterThan(0);
  ending.abort();
  await refused;
  await over();
});

test.each([
  ['a password that is wrong', { password: 'guess' }],
  ['a database that does not exist', { pathname: '/no_such_database' }],
])('%s is not retried: the settings are unusable', async (_, wrong) => {
  const url = Object.assign(new URL(database.url), wrong).href;
  const { signal } = new AbortController();
  const refusal = await waitForDatabase(url, { log, signal }).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(UnusableSettings);
  expect(String(refusal)).not.toContain('guess');
  expect(lines).toEqual([]);
});
