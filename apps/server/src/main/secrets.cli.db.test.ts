import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Command } from 'commander';
import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { FixedClock } from '../platform/clock/index.ts';
import type { Database } from '../platform/db/index.ts';
import { keyRingOf, openInstallationKey } from '../platform/secrets/index.ts';
import { testDatabase } from '../testing/database.ts';
import { sealedStores } from './sealed-stores.ts';
import { secretsCommands } from './secrets.cli.ts';

let database: Database;
let dataDir: string;

beforeAll(async () => {
  database = await testDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'simcube-secrets-'));
});
afterAll(async () => {
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** The same pool, which serves one transaction. */
const servingOnce = (pool: Pool): Pool => {
  let transactions = 0;
  return new Proxy(pool, {
    get: (of, name) => {
      const value: unknown = Reflect.get(of, name);
      if (name !== 'connect') return typeof value === 'function' ? value.bind(of) : value;
      return async () => {
        transactions += 1;
        if (transactions > 1) throw new Error('the connection was lost');
        return of.connect();
      };
    },
  });
};

test('a rotation of which only a later step failed says that the new key is in force', async () => {
  const [secretKey, next] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
  const env = { secretKey, dataDir };
  const { pool } = database;
  const ring = await openInstallationKey({ pool, source: env, stores: sealedStores }, { mayCreate: true });
  const program = new Command().exitOverride();
  secretsCommands(program, async () => ({
    pool: servingOnce(pool),
    clock: new FixedClock('2026-11-21T12:00:00Z'),
    vault: ring,
    env,
    close: async () => undefined,
  }));
  const lines: string[] = [];
  const spies = [
    vi.spyOn(console, 'info').mockImplementation((text: unknown) => void lines.push(String(text))),
    vi.spyOn(console, 'warn').mockImplementation((text: unknown) => void lines.push(String(text))),
    vi
      .spyOn(process, 'stdin', 'get')
      .mockReturnValue(Readable.from([next]) as unknown as typeof process.stdin),
  ];
  const { exitCode } = process;
  await program.parseAsync(['secrets', 'rotate', '--new-key-stdin'], { from: 'user' });
  const ended = process.exitCode;
  process.exitCode = exitCode;
  for (const spy of spies) spy.mockRestore();
  expect(lines.slice(-2)).toEqual([
    expect.stringContaining('Set SIMCUBE_SECRET_KEY to the new one everywhere'),
    expect.stringContaining('a step after the rotation failed: the connection was lost'),
  ]);
  expect(ended).toBe(1);
  expect(ring.check).toBe(keyRingOf(Buffer.from(next, 'hex')).check);
});
