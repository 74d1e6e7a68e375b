import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UnusableSettings } from '../env/index.ts';
import { keyBytes, keyCheckOf } from './vault.ts';

/** Where the installation's key comes from: the settings, else a file in the data directory. */
export interface KeySource {
  /** Hexadecimal. */
  secretKey: string | undefined;
  dataDir: string;
}

export const keyFileOf = ({ dataDir }: Pick<KeySource, 'dataDir'>): string => join(dataDir, 'secret.key');

/** Where an exchange stores the new key until the database has adopted it. */
const nextFileOf = (source: KeySource): string => `${keyFileOf(source)}.new`;

export const newKey = (): Buffer => randomBytes(keyBytes);

/**
 * Parses a key as people write it.
 * @returns undefined when it is invalid
 */
export const keyFromText = (text: string): Buffer | undefined =>
  /^[0-9a-f]{64}$/i.test(text.trim()) ? Buffer.from(text.trim(), 'hex') : undefined;

export interface FoundKey {
  key: Buffer;
  /** Left behind by an interrupted exchange: it replaces the other one if the database has adopted it. */
  isNext: boolean;
}

/** The possible keys of the installation; more than one only after an exchange that was killed in the middle. */
export const readKeys = async (source: KeySource): Promise<FoundKey[]> => {
  if (source.secretKey) return [{ key: Buffer.from(source.secretKey, 'hex'), isNext: false }];
  const [current, next] = await Promise.all([readKey(keyFileOf(source)), readKey(nextFileOf(source))]);
  return [
    ...(current ? [{ key: current, isNext: false }] : []),
    ...(next ? [{ key: next, isNext: true }] : []),
  ];
};

const readKey = async (path: string): Promise<Buffer | undefined> => {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new UnusableSettings(`The sealing key in ${path} can't be read (${error.code ?? error.message})`);
  });
  if (text === undefined) return undefined;
  const key = keyFromText(text);
  if (!key) throw new UnusableSettings(`${path} is not a sealing key: expected 64 hexadecimal digits`);
  return key;
};

/** Creates a key once: if two processes start together, one names the file, and both read it. */
export const createKeyFile = async (source: KeySource): Promise<Buffer> => {
  const path = keyFileOf(source);
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await mkdir(dirname(path), { recursive: true });
  await writeKey(draft, newKey());
  try {
    // Unlike a file written under its final name, a link appears either with its complete content or not at
    // all.
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  const key = await readKey(path);
  if (!key) throw new UnusableSettings(`The sealing key ${path} has disappeared`);
  return key;
};

/** Written to disk before the database adopts it, so that a kill between the two loses no key. */
export const writeNextKey = (source: KeySource, key: Buffer): Promise<void> =>
  writeKey(nextFileOf(source), key);

/** Gives the new key the old one's name; the old one is kept next to it, for older backups. */
export const promoteNextKey = async (source: KeySource): Promise<void> => {
  const path = keyFileOf(source);
  const old = await readKey(path);
  if (old) await rename(path, `${path}.former-${keyCheckOf(old).slice(0, 8)}`);
  await rename(nextFileOf(source), path);
};

export const dropNextKey = (source: KeySource): Promise<void> => rm(nextFileOf(source), { force: true });

const writeKey = async (path: string, key: Buffer): Promise<void> => {
  const file = await open(path, 'w', 0o600);
  try {
    await chmod(path, 0o600);
    await file.writeFile(key.toString('hex'));
    await file.sync();
  } finally {
    await file.close();
  }
};
