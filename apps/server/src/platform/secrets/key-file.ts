import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UnusableSettings } from '../env/index.ts';
import { keyBytes, keyCheckOf } from './vault.ts';

/** Where the installation's key comes from: the settings, else a file in the data directory. */
export interface KeySource {
  /** Hexadecimal. */
  secretKey: string | undefined;
  dataDir: string;
}

/** Who may read a file. */
interface Access {
  uid: number;
  gid: number;
  mode: number;
}

export const keyFileOf = ({ dataDir }: Pick<KeySource, 'dataDir'>): string => join(dataDir, 'secret.key');

const formerFileOf = (source: KeySource, check: string): string =>
  `${keyFileOf(source)}.former-${check.slice(0, 8)}`;

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
  // The next one first: if it is given the current one's name in between, it is found there.
  const next = await readKey(nextFileOf(source));
  const current = await readKey(keyFileOf(source));
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

/**
 * Creates a key once: if two processes start together, one names the file, and both read it. It belongs to the
 * owner of its directory, even if root runs the command that adopts it.
 */
export const createKeyFile = async (source: KeySource): Promise<Buffer> => {
  const path = keyFileOf(source);
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await mkdir(dirname(path), { recursive: true });
  await writeKey(draft, newKey(), { ...(await stat(dirname(path))), mode: 0o600 });
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

/**
 * Written to disk before the database adopts it, so that a kill between the two loses no key. It has the owner
 * and the mode of the present one: a rotation by root leaves it readable for the server's user.
 */
export const writeNextKey = async (source: KeySource, key: Buffer): Promise<void> =>
  writeKey(nextFileOf(source), key, await stat(keyFileOf(source)).catch(() => undefined));

/**
 * Gives the new key, which the database has adopted, the old one's name; the old one is kept next to it, for older
 * backups. Several processes may do it at the same time, so a key has the name at any moment.
 */
export const promoteNextKey = async (source: KeySource, check: string): Promise<void> => {
  const path = keyFileOf(source);
  const isDone = async () => isKeyWith(await readKey(path), check);
  if (await isDone()) return;
  const isThere = isKeyWith(await readKey(nextFileOf(source)), check);
  const old = await readKey(path);
  // Another process was faster at each step: its result is the same.
  if (isThere && old)
    await link(path, formerFileOf(source, keyCheckOf(old))).catch(unless('EEXIST', 'ENOENT'));
  if (isThere) await rename(nextFileOf(source), path).catch(unless('ENOENT'));
  if (!(await isDone()))
    throw new UnusableSettings(`The new sealing key ${nextFileOf(source)} has disappeared`);
};

/** Gives a former key, which the database has again, its name back, for instance after an older backup was restored. */
export const restoreFormerKey = async (source: KeySource, check: string): Promise<Buffer | undefined> => {
  const key = await readFormerKey(source, check);
  if (!key) return undefined;
  await dropNextKey(source);
  await link(formerFileOf(source, check), nextFileOf(source)).catch(unless('EEXIST'));
  await promoteNextKey(source, check);
  return key;
};

/** The former key with this check value, if it was kept. */
export const readFormerKey = async (source: KeySource, check: string): Promise<Buffer | undefined> => {
  if (source.secretKey) return undefined;
  const key = await readKey(formerFileOf(source, check));
  return isKeyWith(key, check) ? key : undefined;
};

const isKeyWith = (key: Buffer | undefined, check: string): boolean =>
  key !== undefined && keyCheckOf(key) === check;

const unless =
  (...codes: readonly string[]) =>
  (error: NodeJS.ErrnoException): void => {
    if (!codes.includes(error.code ?? '')) throw error;
  };

export const dropNextKey = (source: KeySource): Promise<void> => rm(nextFileOf(source), { force: true });

const writeKey = async (path: string, key: Buffer, like?: Access): Promise<void> => {
  const file = await open(path, 'w', 0o600);
  try {
    // Before the key is in it. Only root may give a file away; one that can't be given is private.
    const isGiven = like && (await file.chown(like.uid, like.gid).then(succeeded, failed));
    await file.chmod(isGiven ? like.mode & 0o777 : 0o600);
    await file.writeFile(key.toString('hex'));
    await file.sync();
  } finally {
    await file.close();
  }
};

const succeeded = () => true;
const failed = () => false;
