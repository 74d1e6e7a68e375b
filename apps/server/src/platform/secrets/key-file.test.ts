import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keyFileOf, newKey, promoteNextKey, writeNextKey } from './key-file.ts';
import { keyCheckOf } from './vault.ts';

let dataDir: string;
const sourceOf = () => ({ secretKey: undefined, dataDir });
const [old, next] = [newKey(), newKey()];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'simcube-key-file-'));
  await writeFile(keyFileOf(sourceOf()), old.toString('hex'));
  await writeNextKey(sourceOf(), next);
});

afterEach(() => rm(dataDir, { recursive: true, force: true }));

const files = async () =>
  Object.fromEntries(
    await Promise.all(
      (await readdir(dataDir)).map(async (name) => [name, await readFile(join(dataDir, name), 'utf8')]),
    ),
  );

const promoted = {
  'secret.key': next.toString('hex'),
  [`secret.key.former-${keyCheckOf(old).slice(0, 8)}`]: old.toString('hex'),
};

it('a new key takes the old one’s name once, whichever process is second', async () => {
  await promoteNextKey(sourceOf(), keyCheckOf(next));
  await promoteNextKey(sourceOf(), keyCheckOf(next));
  expect(await files()).toEqual(promoted);
});

it('a new key takes the old one’s name once, if many processes do it together', async () => {
  await Promise.all(Array.from({ length: 12 }, () => promoteNextKey(sourceOf(), keyCheckOf(next))));
  expect(await files()).toEqual(promoted);
});

it('a key that the database has not adopted does not take the present one’s name', async () => {
  const before = await files();
  await expect(promoteNextKey(sourceOf(), keyCheckOf(newKey()))).rejects.toThrow('has disappeared');
  expect(await files()).toEqual(before);
});
