import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { chmod, chown, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addGateway } from '../modules/aaa/index.ts';
import { FixedClock } from '../platform/clock/index.ts';
import { createListener, type Database, inTransaction, type Listener } from '../platform/db/index.ts';
import { UnusableSettings } from '../platform/env/index.ts';
import { createLog } from '../platform/log/index.ts';
import { createMail } from '../platform/mail/index.ts';
import {
  adoptKey,
  checkSealedStores,
  exchangeKey,
  type KeyRing,
  keyRingOf,
  openInstallationKey,
  vaultOf,
  watchInstallationKey,
} from '../platform/secrets/index.ts';
import { testDatabase } from '../testing/database.ts';
import { runProgram } from '../testing/run-program.ts';
import { sealedStores } from './sealed-stores.ts';

let database: Database;
let dataDir: string;
const clock = new FixedClock('2026-11-21T12:00:00Z');
const log = createLog({ level: 'silent', format: 'json' });
const record = async () => undefined;

beforeEach(async () => {
  database = await testDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'simcube-key-'));
});

afterEach(async () => {
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

const sourceOf = (secretKey?: string) => ({ secretKey, dataDir });
const start = (secretKey?: string, mayCreate = true): Promise<KeyRing> =>
  openInstallationKey(
    { pool: database.pool, source: sourceOf(secretKey), stores: sealedStores },
    { mayCreate },
  );
const check = (ring: KeyRing) => checkSealedStores(database.pool, { ring, stores: sealedStores });
const rotate = async (ring: KeyRing, more: { secretKey?: string; key?: Buffer } = {}) => {
  const { reports, failure } = await exchangeKey({
    pool: database.pool,
    source: sourceOf(more.secretKey),
    stores: sealedStores,
    ring,
    record,
    key: more.key,
    pauseMs: 0,
  });
  expect(failure).toBeUndefined();
  return reports;
};
const keyFile = (): string => join(dataDir, 'secret.key');
const storedKey = (): Promise<string> => readFile(keyFile(), 'utf8');

const addOne = (vault: KeyRing, name = 'paris-1', network = '192.0.2.0/28') =>
  addGateway(
    { pool: database.pool, vault },
    {
      name,
      network,
      coaHost: null,
      coaPort: 3799,
      interimSeconds: 300,
      rateAttribute: 'WISPr-Bandwidth-Max-Down',
      requireMessageAuthenticator: true,
    },
    'a shared secret',
  );

const mailWith = (vault: KeyRing) =>
  createMail({
    vault,
    clock,
    from: { name: '', address: 'simcube@example.test' },
    publicUrl: () => 'https://console.example.test',
  });

/**
 * Everything that is sealed: a gateway, a connection to an SMSC, second factors, the secret of an API target, a
 * queued mail and a dead-lettered one.
 */
const fill = async (vault: KeyRing): Promise<void> => {
  await addOne(vault);
  await inTransaction(database.pool, async (tx) => {
    await tx.query(
      `insert into smsc_connections (name, host, port, tls, bind, system_id, sealed_password, system_type, priority, window_size)
       values ('madrid-1', 'localhost', 2775, false, 'transceiver', 'cube', $1, '', 0, 50)`,
      [vault.seal('secret')],
    );
    for (const name of ['ana', 'bea']) {
      await tx.query(
        `insert into users (email, first_name, last_name, password_hash, totp_secret, totp_enabled_at)
         values ($1, 'A', 'B', 'x', $2, now())`,
        [`${name}@example.test`, vault.seal(`SECRET${name}`)],
      );
    }
    await tx.query(
      `with org as (insert into organisations (code, name, country) values ('own', 'Northwind', 'DE') returning id),
       target as (
         insert into notification_targets (org_id, kind, name, addresses)
         select id, 'api', 'Hook', '{https://hooks.example.test/}' from org returning id)
       insert into target_secrets (target_id, sealed, created_at) select id, $1, now() from target`,
      [vault.seal('whsec_c2VjcmV0')],
    );
    await mailWith(vault).queue(tx, {
      to: 'ana@example.test',
      language: 'en-US',
      template: 'password-changed',
      values: { name: 'Ana' },
    });
    await tx.query(
      `insert into dead_lettered_jobs (id, name, payload, max_attempts, attempts, error, queued_at)
       values (1, 'mail.send', jsonb_build_object('sealed', $1::text), 5, 5, 'no', now())`,
      [vault.seal('{}').toString('base64')],
    );
  });
};

/** The places in the whole database with a value that this key opens, whatever the tables are called. */
const openedBy = async (key: string): Promise<string[]> => {
  const vault = vaultOf(Buffer.from(key, 'hex'));
  const opens = (text: string): boolean =>
    [Buffer.from(text, 'base64'), Buffer.from(text.replace(/^\\x/, ''), 'hex')].some((octets) => {
      try {
        return vault.open(octets).length > 0;
      } catch {
        return false;
      }
    });
  const textsOf = (value: unknown): string[] => {
    if (typeof value === 'string') return [value];
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
  };
  const tables = await database.pool.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relkind = 'r'
       and relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace) order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables.rows) {
    const { rows } = await database.pool.query<{ row: object }>(`select to_jsonb(t) as row from ${name} t`);
    found.push(...rows.flatMap(({ row }) => (textsOf(row).some(opens) ? [name] : [])));
  }
  return found;
};
const all = [
  { store: 'gateways', readable: 1, lost: [] },
  { store: 'SMSC connections', readable: 1, lost: [] },
  { store: 'second factors', readable: 2, lost: [] },
  { store: 'API targets and webhooks', readable: 1, lost: [] },
  { store: 'queued jobs', readable: 1, lost: [] },
  { store: 'dead-lettered jobs', readable: 1, lost: [] },
];
const places = [
  'dead_lettered_jobs',
  'graphile_worker._private_jobs',
  'radius_clients',
  'smsc_connections',
  'target_secrets',
  'users',
  'users',
];

describe('the sealing key of an installation', () => {
  it('is created once by concurrent processes, unreadable to others, and stays the same', async () => {
    const rings = await Promise.all([start(), start(), start()]);
    expect(new Set(rings.map((ring) => ring.check)).size).toBe(1);
    expect((await stat(keyFile())).mode & 0o077).toBe(0);
    expect((await start()).check).toBe(rings[0]?.check);
    expect(await readdir(dataDir)).toEqual(['secret.key']);
  });

  it('prevents the start when wrong or missing, and the error names the fix', async () => {
    const ring = await start();
    await fill(ring);
    const key = await storedKey();
    const other = start(randomBytes(32).toString('hex'));
    await expect(other).rejects.toThrow(UnusableSettings);
    await expect(other).rejects.toThrow(
      /SIMCUBE_SECRET_KEY is not the key .*secrets adopt --old-key-is-lost/,
    );
    await expect(other).rejects.not.toThrow(key);
    await rm(keyFile());
    await expect(start()).rejects.toThrow(
      /is missing: SIMCUBE_SECRET_KEY is not set.*Set the variable to the key/,
    );
    expect(await readdir(dataDir)).toEqual([]);
    await writeFile(keyFile(), 'no key\n');
    await expect(start()).rejects.toThrow('is not a sealing key: expected 64 hexadecimal digits');
    expect((await start(key)).check).toBe(ring.check);
  });

  it('is verified against stored secrets if there is no check value', async () => {
    const key = randomBytes(32);
    await fill(keyRingOf(key));
    await expect(start()).rejects.toThrow(/is missing/);
    await expect(start(randomBytes(32).toString('hex'))).rejects.toThrow(/is not the key/);
    expect(await check(await start(key.toString('hex')))).toEqual(all);
  });

  it('is never created by a command', async () => {
    await expect(start(undefined, false)).rejects.toThrow(
      /There is no sealing key yet: start the server once/,
    );
    expect(await readdir(dataDir)).toEqual([]);
  });
});

describe('rotation of the sealing key', () => {
  it('re-encrypts everything, with a key file or setting, and keeps the old key file', async () => {
    const ring = await start();
    await fill(ring);
    const before = await storedKey();
    expect(await openedBy(before)).toEqual(places);
    expect(await rotate(ring)).toEqual(all);
    const after = await storedKey();
    expect([await openedBy(before), await openedBy(after)]).toEqual([[], places]);
    expect(await check(await start())).toEqual(all);
    const [former = ''] = (await readdir(dataDir)).filter((name) => name !== 'secret.key');
    expect(await readFile(join(dataDir, former), 'utf8')).toBe(before);

    const key = randomBytes(32);
    await rotate(await start(after), { secretKey: after, key });
    await expect(start(after)).rejects.toThrow(/is not the key/);
    expect(await check(await start(key.toString('hex')))).toEqual(all);
    await expect(rotate(await start(key.toString('hex')), { key })).rejects.toThrow('is already in use');
  });

  it('leaves a key file that the server’s user can read, also if root rotates', async () => {
    // Root can give a file to the server's user; another user keeps its own.
    const owner = process.getuid?.() === 0 ? { uid: 65_533, gid: 65_532 } : await stat(dataDir);
    await chown(dataDir, owner.uid, owner.gid);
    const ring = await start();
    const created = await stat(keyFile());
    expect([created.uid, created.gid, created.mode & 0o777]).toEqual([owner.uid, owner.gid, 0o600]);
    await chmod(keyFile(), 0o640);
    await writeFile(`${keyFile()}.new`, 'left behind');
    await rotate(ring);
    const { uid, gid, mode } = await stat(keyFile());
    expect([uid, gid, mode & 0o777]).toEqual([owner.uid, owner.gid, 0o640]);
  });

  it.each([
    ['statement', 6],
    ['before-commit', 1],
    ['after-commit', 1],
  ])('leaves everything readable when killed at %s %i', async (step, count) => {
    await fill(await start());
    expect(await runProgram('key-steps', [database.url, dataDir, step, String(count)])).toBe('SIGKILL');
    const ring = await start();
    expect(await check(ring)).toEqual(all);
    await rotate(ring);
    expect(await check(await start())).toEqual(all);
  });

  it('completes after a kill between database and key file', async () => {
    const ring = await start();
    await fill(ring);
    const before = await storedKey();
    await rotate(ring);
    const after = await storedKey();
    await writeFile(keyFile(), before);
    await writeFile(`${keyFile()}.new`, after);
    expect(await check(await start())).toEqual(all);
    expect(await storedKey()).toBe(after);
    // Killed before the database adopted it: the new file is ignored.
    await writeFile(`${keyFile()}.new`, randomBytes(32).toString('hex'));
    expect(await check(await start())).toEqual(all);
    expect(await storedKey()).toBe(after);
  });

  it('happens once on concurrent commands', async () => {
    const ring = await start();
    await fill(ring);
    const key = await storedKey();
    const rings = [keyRingOf(Buffer.from(key, 'hex')), keyRingOf(Buffer.from(key, 'hex'))];
    const keys = [randomBytes(32), randomBytes(32)];
    const ends = await Promise.allSettled(
      rings.map((one, index) => rotate(one, { secretKey: key, ...(keys[index] && { key: keys[index] }) })),
    );
    expect(ends.map(({ status }) => status).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'fulfilled',
      'rejected',
    ]);
    const won = keys[ends.findIndex(({ status }) => status === 'fulfilled')];
    expect(await check(await start(won?.toString('hex')))).toEqual(all);
  });

  it('reaches running processes, and re-encrypts what they sealed with the old key meanwhile', async () => {
    const listener: Listener = createListener(database.url, log);
    try {
      const ring = await start();
      const key = await storedKey();
      const running = await start(key);
      const stale = await start(key);
      const events = new EventEmitter();
      const turned = once(events, 'turned');
      const onLost = (error: Error) => events.emit('error', error);
      const handovers = Object.assign(Object.create(log), {
        warn: () => events.emit('turned'),
      }) as typeof log;
      const watch = { pool: database.pool, source: sourceOf(key), ring: running, log: handovers, onLost };
      await watchInstallationKey({ ...watch, listener });
      // A process that has not been notified yet: later passes find what it seals after the transaction.
      const late = exchangeKey({
        pool: database.pool,
        source: sourceOf(),
        stores: sealedStores,
        ring,
        pauseMs: 0,
        record: async () => {
          await addOne(stale, 'late-1', '192.0.2.16/28');
        },
      });
      await Promise.all([late, turned]);
      expect(running.check).toBe(ring.check);
      await fill(running);
      expect(await check(await start())).toEqual([{ ...all[0], readable: 2 }, ...all.slice(1)]);
    } finally {
      await listener.close();
    }
  });

  it('ends a process that missed it and has its key from a setting', async () => {
    const listener: Listener = createListener(database.url, log);
    try {
      const ring = await start();
      const key = await storedKey();
      const events = new EventEmitter();
      const lost = once(events, 'lost');
      await watchInstallationKey({
        pool: database.pool,
        listener,
        source: sourceOf(key),
        ring: keyRingOf(Buffer.from(key, 'hex')),
        log,
        onLost: (error) => events.emit('lost', error),
      });
      await inTransaction(database.pool, async (tx) => {
        await tx.query(`update installation set value = 'another' where key = 'sealing_key_check'`);
        // As after a gap: something happened, but it is unknown what.
        await tx.query(`select pg_notify('sealing_key', '')`);
      });
      const [error] = (await lost) as [Error];
      expect(error.message).toMatch(/SIMCUBE_SECRET_KEY is not the key/);
      expect(ring.seal('x').length).toBeGreaterThan(0);
    } finally {
      await listener.close();
    }
  });
});

describe('a lost sealing key', () => {
  it('is replaced; unreadable secrets are reported, and worthless ones deleted', async () => {
    const adopt = (secretKey?: string) =>
      adoptKey({ pool: database.pool, source: sourceOf(secretKey), stores: sealedStores, record });
    await fill(await start());
    await expect(adopt()).rejects.toThrow('The sealing key fits: nothing is lost');
    await rm(keyFile());
    expect(await adopt()).toEqual([
      { store: 'gateways', readable: 0, lost: ['paris-1'] },
      { store: 'SMSC connections', readable: 0, lost: ['madrid-1'] },
      {
        store: 'second factors',
        readable: 0,
        lost: expect.arrayContaining(['ana@example.test', 'bea@example.test']),
      },
      { store: 'API targets and webhooks', readable: 0, lost: ['Hook'] },
      { store: 'queued jobs', readable: 0, lost: ['mail.send'] },
      { store: 'dead-lettered jobs', readable: 0, lost: ['mail.send'] },
    ]);
    const ring = await start();
    await addOne(ring);
    expect((await check(ring)).map(({ readable, lost }) => [readable, lost.length])).toEqual([
      [1, 0],
      [0, 1],
      [0, 2],
      [0, 1],
      [0, 0],
      [0, 0],
    ]);
  });
});
