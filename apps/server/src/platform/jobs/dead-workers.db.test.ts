import { EventEmitter, once } from 'node:events';
import { createServer, connect as dial, type Server, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { connect, type Database } from '../db/index.ts';
import { createLog } from '../log/index.ts';
import { holdWorkerLocks, type WorkerLocks } from './dead-workers.ts';

const log = createLog({ level: 'silent', format: 'json' });
const everyMs = 50;
const responseMs = 200;
let database: Database;
/** That of the process whose locks are tested. */
let own: Database;
let locks: WorkerLocks | undefined;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(() => {
  own = connect({ url: database.url, max: 3, name: 'own', onError: () => undefined });
});
afterEach(async () => {
  await locks?.stop();
  // A connection that is still in use would keep it from ending.
  await own.close();
});

const hold = (pool: Pool = own.pool) => {
  locks = holdWorkerLocks({ pool, log, everyMs, responseMs });
  return locks;
};

/** The backends that hold the lock of a worker pool. */
const holdersOf = async (id: string): Promise<number[]> => {
  const { rows } = await database.pool.query<{ pid: number }>(
    `select pid from pg_locks, hashtextextended('simcube workers ' || $1, 0) as key
     where locktype = 'advisory' and granted
       and (classid::bigint << 32 | objid::bigint) = key and database = (select oid from pg_database where datname = current_database())`,
    [id],
  );
  return rows.map(({ pid }) => pid);
};

/** The same pool, whose first connections fail, and the others wait for `ready`. */
const failingFirst = (failures: number, ready: Promise<unknown> = Promise.resolve()): Pool => {
  let remaining = failures;
  return new Proxy(own.pool, {
    get: (of, name) => {
      const value: unknown = Reflect.get(of, name);
      if (name !== 'connect') return typeof value === 'function' ? value.bind(of) : value;
      return async () => {
        remaining -= 1;
        if (remaining >= 0) throw new Error('too many connections');
        await ready;
        return of.connect();
      };
    },
  });
};

test('a lock that could not be acquired at first is acquired later', async () => {
  // Once for the check that is in progress, once for the lock.
  await expect(hold(failingFirst(2)).acquire('later')).rejects.toThrow('too many connections');
  await expect.poll(() => holdersOf('later')).toHaveLength(1);
});

test('a lock that the server took without telling is acquired again', async () => {
  const servers: Socket[] = [];
  const proxy: Server = createServer({ allowHalfOpen: true }, (client) => {
    const { hostname, port } = new URL(database.url);
    const server = dial({ host: hostname, port: Number(port) });
    servers.push(server);
    client.on('data', (octets) => server.destroyed || server.write(octets));
    server.on('data', (octets) => client.write(octets));
    client.on('end', () => client.end());
    client.on('close', () => server.destroy());
    for (const socket of [client, server]) socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as { port: number };
  const url = new URL(database.url);
  url.host = `127.0.0.1:${port}`;
  await own.close();
  own = connect({ url: url.href, max: 3, name: 'own', onError: () => undefined });
  await hold().acquire('dropped');
  const before = await holdersOf('dropped');
  const { rows } = await database.pool.query<{ client_port: number }>(
    'select client_port from pg_stat_activity where pid = any($1)',
    [before],
  );
  // The connection ends at the server; the client's side stays open.
  servers.find(({ localPort }) => localPort === rows[0]?.client_port)?.destroy();
  await expect
    .poll(async () => (await holdersOf('dropped')).filter((pid) => !before.includes(pid)), { timeout: 5_000 })
    .toHaveLength(1);
  await locks?.stop();
  proxy.close();
});

test('a lock that another session still holds costs one connection, and is acquired after that', async () => {
  const former = await database.pool.connect();
  await former.query(`select pg_advisory_lock(hashtextextended('simcube workers taken', 0))`);
  let attempts = 0;
  own.pool.on('connect', () => {
    attempts += 1;
  });
  const acquiring = hold().acquire('taken');
  await expect(acquiring).rejects.toThrow('lock timeout');
  await expect.poll(() => attempts).toBeGreaterThan(3);
  expect(own.pool.totalCount - own.pool.idleCount).toBeLessThanOrEqual(1);
  former.release(true);
  await expect.poll(() => holdersOf('taken')).toHaveLength(1);
});

test('stopping waits for a lock that is being acquired, and releases it', async () => {
  const gate = new EventEmitter();
  const started = hold(failingFirst(1, once(gate, 'open')));
  const acquiring = started.acquire('stopped');
  const stopped = started.stop();
  await setImmediate();
  gate.emit('open');
  await Promise.all([acquiring, stopped]);
  expect([own.pool.totalCount - own.pool.idleCount, await holdersOf('stopped')]).toEqual([0, []]);
});
