import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Database } from '../platform/db/index.ts';
import {
  adoptKey,
  checkInstallationKey,
  exchangeKey,
  openInstallationKey,
} from '../platform/secrets/index.ts';
import { testDatabase } from '../testing/database.ts';
import { sealedStores } from './sealed-stores.ts';

let database: Database;
let dataDir: string;
const record = async () => undefined;

beforeEach(async () => {
  database = await testDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'simcube-former-'));
});

afterEach(async () => {
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

const context = () => ({
  pool: database.pool,
  source: { secretKey: undefined, dataDir },
  stores: sealedStores,
});
const start = () => openInstallationKey(context(), { mayCreate: true });
const rotate = async () => exchangeKey({ ...context(), ring: await start(), record, pauseMs: 0 });
const keyFile = () => join(dataDir, 'secret.key');
const storedKey = () => readFile(keyFile(), 'utf8');

it('a former key is used again with the backup of its time', async () => {
  const { check } = await start();
  const before = await storedKey();
  await rotate();
  const after = await storedKey();
  await database.pool.query(`update installation set value = $1 where key = 'sealing_key_check'`, [check]);
  await checkInstallationKey(context());
  await expect(adoptKey({ ...context(), record })).rejects.toThrow('nothing is lost');
  expect((await start()).check).toBe(check);
  expect(await storedKey()).toBe(before);
  const others = (await readdir(dataDir)).filter((name) => name !== 'secret.key');
  expect(await Promise.all(others.map((name) => readFile(join(dataDir, name), 'utf8')))).toContain(after);
});

it('the key is found under the name of a former one if its file is missing', async () => {
  const { check } = await start();
  const key = await storedKey();
  await rename(keyFile(), `${keyFile()}.former-${check.slice(0, 8)}`);
  expect((await start()).check).toBe(check);
  expect(await storedKey()).toBe(key);
});

it('the file of a former key that contains another is ignored', async () => {
  const { check } = await start();
  const wrong = 'ab'.repeat(32);
  await writeFile(`${keyFile()}.former-${check.slice(0, 8)}`, wrong);
  await writeFile(keyFile(), wrong);
  await expect(start()).rejects.toThrow('is not the key');
});
