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
  readKeys,
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
  if (check) return fitting(check, found, source);
  const [first] = found;
  const isUsed = await holdsAnything(pool, stores);
  if (!first && (!mayCreate || isUsed)) throw missing(source, isUsed);
  const key = first?.key ?? (await createKeyFile(source));
  if (isUsed && !(await opensAnything(pool, stores, keyRingOf(key)))) throw wrong(source);
  return fitting(await settleKeyCheck(pool, keyCheckOf(key)), await readKeys(source), source);
};

/**
 * Checks whether the installation's key is present and the right one, without changing anything.
 * @throws UnusableSettings as `openInstallationKey` does
 */
export const checkInstallationKey = async ({ pool, source, stores }: KeyContext): Promise<void> => {
  const check = await findKeyCheck(pool);
  const found = await readKeys(source);
  const isUsed = check !== undefined || (await holdsAnything(pool, stores));
  if (found.length === 0) throw missing(source, isUsed);
  for (const { key } of found) {
    if (check ? keyCheckOf(key) === check : !isUsed || (await opensAnything(pool, stores, keyRingOf(key))))
      return;
  }
  throw wrong(source);
};

const fitting = async (check: string, found: readonly FoundKey[], source: KeySource): Promise<KeyRing> => {
  const right = found.find(({ key }) => keyCheckOf(key) === check);
  if (!right) throw found.length === 0 ? missing(source, true) : wrong(source);
  if (right.isNext) await promoteNextKey(source);
  return keyRingOf(right.key);
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

const holdsAnything = async (sql: Sql, stores: readonly SealedStore[]): Promise<boolean> => {
  for (const store of stores) {
    if ((await store.list(sql, { after: undefined, limit: 1, locked: false })).length > 0) return true;
  }
  return false;
};

const opensAnything = async (sql: Sql, stores: readonly SealedStore[], ring: KeyRing): Promise<boolean> => {
  for (const store of stores) {
    for await (const page of pagesOf(sql, store, { locked: false })) {
      if (page.some(({ sealed }) => ring.isCurrent(sealed))) return true;
    }
  }
  return false;
};

const placeOf = (source: KeySource): string =>
  source.secretKey ? 'SIMCUBE_SECRET_KEY' : `the sealing key in ${keyFileOf(source)}`;

const ifLost =
  'If it is permanently lost, run `simcube secrets adopt --old-key-is-lost`: secrets of gateways must then be set again.';

const wrong = (source: KeySource): UnusableSettings =>
  new UnusableSettings(
    `${placeOf(source)} is not the key with which the secrets in this database were sealed. ` +
      `Set SIMCUBE_SECRET_KEY to the right one, or put its file back at ${keyFileOf(source)}. ${ifLost}`,
  );

const missing = (source: KeySource, isUsed: boolean): UnusableSettings =>
  new UnusableSettings(
    isUsed
      ? `The sealing key of this installation is missing: SIMCUBE_SECRET_KEY is not set, and there is no file ` +
          `${keyFileOf(source)}. Set the variable to the key that the other processes use, or restore the file. ${ifLost}`
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
    follow(watch, handover).catch((error: Error) =>
      error instanceof UnusableSettings
        ? watch.onLost(error)
        : log.warn({ err: error }, 'the sealing key could not be checked'),
    );
  });
};

const follow = async ({ pool, source, ring, log }: KeyWatch, handover: string): Promise<void> => {
  const former = ring.check;
  // Immediately, before anything sealed with the new key is read again.
  const handed = handedOver(ring, handover);
  if (handed) ring.switchTo(handed);
  const check = await findKeyCheck(pool);
  if (check !== undefined && check !== ring.check) {
    const key = await keyOnDisk(source, check);
    if (!key) throw wrong(source);
    ring.switchTo(key);
  }
  if (ring.check === former) return;
  log.warn(
    source.secretKey
      ? 'the sealing key was rotated: this process uses the new one, and SIMCUBE_SECRET_KEY must be set to it before the next start'
      : 'the sealing key was rotated: this process uses the new one',
  );
};

/** The new key, if the old one sealed it; undefined after a gap in listening. */
const handedOver = (ring: KeyRing, handover: string): Buffer | undefined => {
  try {
    return keyFromText(ring.open(Buffer.from(handover, 'base64')));
  } catch (error) {
    if (error instanceof UnsealError) return undefined;
    throw error;
  }
};

const keyOnDisk = async (source: KeySource, check: string): Promise<Buffer | undefined> =>
  (await readKeys(source)).find(({ key }) => keyCheckOf(key) === check)?.key;
