import type pg from 'pg';
import { type Listener, readInstallation, type Sql, writeInstallation } from '../db/index.ts';
import { UnusableSettings } from '../env/index.ts';
import type { Log } from '../log/index.ts';
import {
  createKeyFile,
  type FoundKey,
  type KeySource,
  keyFileOf,
  keyFromText,
  promoteNextKey,
  readFormerKey,
  readKeys,
  restoreFormerKey,
} from './key-file.ts';
import { pagesOf, type SealedStore } from './sealed-store.ts';
import { type KeyRing, keyCheckOf, keyRingOf, UnsealError } from './vault.ts';

const checkName = 'sealing_key_check';
/**
 * The channel on which an exchange sends the new key to running processes, sealed with the old key; it is not
 * stored.
 */
const keyChannel = 'sealing_key';

export interface KeyContext {
  pool: pg.Pool;
  source: KeySource;
  stores: readonly SealedStore[];
}

/**
 * The vault of the installation, with the key that matches the database's check value. An installation that has
 * none yet uses the key of the settings or of the data directory; with `mayCreate`, one is generated there.
 * @throws UnusableSettings that says what to do when the key is missing or the wrong one
 */
export const openInstallationKey = async (
  { pool, source, stores }: KeyContext,
  { mayCreate }: { mayCreate: boolean },
): Promise<KeyRing> => {
  const check = await findKeyCheck(pool);
  const found = await readKeys(source);
  if (check) return matchingRing(check, found, source);
  const [first] = found;
  const isUsed = await hasSealedValues(pool, stores);
  if (!first && (!mayCreate || isUsed)) throw missingKey(source, isUsed);
  const key = first?.key ?? (await createKeyFile(source));
  if (isUsed && !(await canOpenAny(pool, stores, keyRingOf(key)))) throw wrongKey(source);
  return matchingRing(await settleKeyCheck(pool, keyCheckOf(key)), await readKeys(source), source);
};

/**
 * Checks whether the installation's key is present and the right one, without changing anything.
 * @throws UnusableSettings as `openInstallationKey` does
 */
export const checkInstallationKey = async ({ pool, source, stores }: KeyContext): Promise<void> => {
  const check = await findKeyCheck(pool);
  const found = await readKeys(source);
  if (check && (await readFormerKey(source, check))) return;
  const isUsed = check !== undefined || (await hasSealedValues(pool, stores));
  if (found.length === 0) throw missingKey(source, isUsed);
  for (const { key } of found) {
    if (check ? keyCheckOf(key) === check : !isUsed || (await canOpenAny(pool, stores, keyRingOf(key))))
      return;
  }
  throw wrongKey(source);
};

const matchingRing = async (
  check: string,
  found: readonly FoundKey[],
  source: KeySource,
): Promise<KeyRing> => {
  const match = found.find(({ key }) => keyCheckOf(key) === check);
  if (match?.isNext) await promoteNextKey(source, check);
  const key = match?.key ?? (await restoreFormerKey(source, check));
  if (!key) throw found.length === 0 ? missingKey(source, true) : wrongKey(source);
  return keyRingOf(key);
};

export const findKeyCheck = async (sql: Sql): Promise<string | undefined> =>
  (await readInstallation(sql, [checkName])).get(checkName);

/**
 * If several processes start together, the first one decides.
 * @returns the value in force
 */
const settleKeyCheck = async (sql: Sql, check: string): Promise<string> => {
  const { rows } = await sql.query<{ value: string }>(
    `insert into installation (key, value) values ($1, $2)
     on conflict (key) do update set value = installation.value returning value`,
    [checkName, check],
  );
  return rows[0]?.value ?? check;
};

/** Locks the check value until the transaction ends, so that only one exchange of the key runs at a time. */
export const lockKeyCheck = async (tx: Sql): Promise<string | undefined> =>
  (await tx.query<{ value: string }>('select value from installation where key = $1 for update', [checkName]))
    .rows[0]?.value;

export const writeKeyCheck = (tx: Sql, check: string): Promise<void> =>
  writeInstallation(tx, { [checkName]: check });

/** Running processes receive it when the transaction is committed. */
export const announceKey = async (tx: Sql, handover: string): Promise<void> => {
  await tx.query('select pg_notify($1, $2)', [keyChannel, handover]);
};

const hasSealedValues = async (sql: Sql, stores: readonly SealedStore[]): Promise<boolean> => {
  for (const store of stores) {
    if ((await store.list(sql, { after: undefined, limit: 1, locked: false })).length > 0) return true;
  }
  return false;
};

const canOpenAny = async (sql: Sql, stores: readonly SealedStore[], ring: KeyRing): Promise<boolean> => {
  for (const store of stores) {
    for await (const page of pagesOf(sql, store, { locked: false })) {
      if (page.some(({ sealed }) => ring.isCurrent(sealed))) return true;
    }
  }
  return false;
};

const locationOf = (source: KeySource): string =>
  source.secretKey ? 'SIMCUBE_SECRET_KEY' : `the sealing key in ${keyFileOf(source)}`;

const ifLostHint =
  'If it is permanently lost, run `simcube secrets adopt --old-key-is-lost`: secrets of gateways must then be set again.';

const wrongKey = (source: KeySource): UnusableSettings =>
  new UnusableSettings(
    `${locationOf(source)} is not the key with which the secrets in this database were sealed. ` +
      `Set SIMCUBE_SECRET_KEY to the right one, or put its file back at ${keyFileOf(source)}. ${ifLostHint}`,
  );

const missingKey = (source: KeySource, isUsed: boolean): UnusableSettings =>
  new UnusableSettings(
    isUsed
      ? `The sealing key of this installation is missing: SIMCUBE_SECRET_KEY is not set, and there is no file ` +
          `${keyFileOf(source)}. Set the variable to the key that the other processes use, or restore the file. ${ifLostHint}`
      : `There is no sealing key yet: start the server once, which creates ${keyFileOf(source)}, or set SIMCUBE_SECRET_KEY.`,
  );

export interface KeyWatch {
  pool: pg.Pool;
  listener: Listener;
  source: KeySource;
  ring: KeyRing;
  log: Log;
  /** Called when the installation's key was exchanged and this process can't obtain the new one. */
  onLost: (error: UnusableSettings) => void;
}

/** Follows exchanges of the key while the process runs: it adopts the new key, or reports that it can't. */
export const watchInstallationKey = async (watch: KeyWatch): Promise<void> => {
  const { listener, log } = watch;
  await listener.on(keyChannel, (handover) => {
    adoptExchangedKey(watch, handover).catch((error: Error) =>
      error instanceof UnusableSettings
        ? watch.onLost(error)
        : log.warn({ err: error }, 'the sealing key could not be checked'),
    );
  });
};

const adoptExchangedKey = async ({ pool, source, ring, log }: KeyWatch, handover: string): Promise<void> => {
  const previousCheck = ring.check;
  // Immediately, before anything sealed with the new key is read again.
  const handedKey = openHandover(ring, handover);
  if (handedKey) ring.switchTo(handedKey);
  const check = await findKeyCheck(pool);
  if (check !== undefined && check !== ring.check) {
    const key = await keyOnDisk(source, check);
    if (!key) throw wrongKey(source);
    ring.switchTo(key);
  }
  if (ring.check === previousCheck) return;
  log.warn(
    source.secretKey
      ? 'the sealing key was rotated: this process uses the new one, and SIMCUBE_SECRET_KEY must be set to it before the next start'
      : 'the sealing key was rotated: this process uses the new one',
  );
};

/** The new key, if the old one sealed it; undefined after a gap in listening. */
const openHandover = (ring: KeyRing, handover: string): Buffer | undefined => {
  try {
    return keyFromText(ring.open(Buffer.from(handover, 'base64')));
  } catch (error) {
    if (error instanceof UnsealError) return undefined;
    throw error;
  }
};

const keyOnDisk = async (source: KeySource, check: string): Promise<Buffer | undefined> =>
  (await readKeys(source)).find(({ key }) => keyCheckOf(key) === check)?.key;
