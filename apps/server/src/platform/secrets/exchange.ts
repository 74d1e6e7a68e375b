import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { inTransaction, type Sql } from '../db/index.ts';
import { UnusableSettings } from '../env/index.ts';
import {
  announceKey,
  findKeyCheck,
  type KeyContext,
  lockKeyCheck,
  writeKeyCheck,
} from './installation-key.ts';
import {
  createKeyFile,
  dropNextKey,
  newKey,
  promoteNextKey,
  readFormerKey,
  readKeys,
  writeNextKey,
} from './key-file.ts';
import { pagesOf, type SealedStore } from './sealed-store.ts';
import { type KeyRing, keyCheckOf, keyRingOf, UnsealError } from './vault.ts';

/** A report on a store, for the operator. */
export interface SealedReport {
  store: string;
  /** Number of values that the installation's key opens. */
  readable: number;
  /** Labels of the values that it can't open. */
  lost: string[];
}

export interface ExchangeOptions extends KeyContext {
  ring: KeyRing;
  /** The new key; generated here if the key is a file in the data directory. */
  key?: Buffer | undefined;
  /** Writes the audit entry in the transaction of the exchange. */
  record: (tx: Sql, report: readonly SealedReport[]) => Promise<void>;
  /** Pause between passes that look for values which running processes sealed with the old key at the last moment. */
  pauseMs?: number;
}

export interface Exchange {
  reports: SealedReport[];
  /** Why a step after the commit failed; the new key is in force all the same. */
  failure: Error | undefined;
}

const maxPasses = 10;
const defaultPauseMs = 1_000;

/**
 * Exchanges the installation's key: everything sealed is sealed again, in one transaction with the check value.
 * If it is killed at any point, either the old or the new key is in force: a new key file is on disk before the
 * commit, and takes the old one's name after it (or at the next start). Running processes adopt the new
 * key when the transaction is committed; what one of them seals with the old key until then is sealed again
 * afterwards. An error after the commit is returned: thrown, it would look as if nothing had been exchanged, and the new key be discarded.
 */
export const exchangeKey = async (options: ExchangeOptions): Promise<Exchange> => {
  const { pool, source, ring, stores, record, pauseMs = defaultPauseMs } = options;
  const previousCheck = ring.check;
  const key = options.key ?? newKey();
  if (keyCheckOf(key) === previousCheck) throw new UnusableSettings('The new sealing key is already in use');
  const isFile = !source.secretKey;
  // A separate ring: if the transaction fails, this process continues with the old key.
  const handover = ring.seal(key.toString('hex')).toString('base64');
  const reports = await inTransaction(pool, async (tx) => {
    if ((await lockKeyCheck(tx)) !== previousCheck)
      throw new UnusableSettings('Another process has just rotated the sealing key');
    // Under the lock: another rotation must not overwrite it.
    if (isFile) await writeNextKey(source, key);
    // Sent before the stores' notifications, so that a secret that is read again is opened with the new key.
    await announceKey(tx, handover);
    const sealed = await reseal(tx, { ring, to: keyRingOf(key), stores });
    await writeKeyCheck(tx, keyCheckOf(key));
    await record(tx, sealed);
    return sealed;
  });
  ring.switchTo(key);
  let failure: Error | undefined;
  const keepFailure = (error: Error) => {
    failure ??= error;
  };
  // If it fails, the next start does it.
  if (isFile) await promoteNextKey(source, keyCheckOf(key)).catch(keepFailure);
  await sealAllStragglers(options, pauseMs).catch(keepFailure);
  return { reports, failure };
};

/** At least two passes: the first may run while a transaction that sealed with the old key is still open. */
const sealAllStragglers = async ({ pool, ring, stores }: ExchangeOptions, pauseMs: number): Promise<void> => {
  for (let pass = 1, found = 1; pass <= 2 || (found > 0 && pass <= maxPasses); pass += 1) {
    await sleep(pauseMs);
    found = await sealStragglers(pool, ring, stores);
  }
};

interface Resealing {
  /** Opens values. */
  ring: KeyRing;
  /** Seals values. */
  to: KeyRing;
  stores: readonly SealedStore[];
}

const reseal = async (tx: Sql, { ring, to, stores }: Resealing): Promise<SealedReport[]> => {
  const reports: SealedReport[] = [];
  for (const store of stores) {
    const report: SealedReport = { store: store.name, readable: 0, lost: [] };
    for await (const page of pagesOf(tx, store, { locked: true })) {
      const resealed = page.flatMap(({ id, label, sealed }) => {
        const plain = tryOpen(ring, sealed);
        if (plain === undefined) report.lost.push(label);
        return plain === undefined ? [] : [{ id, sealed: to.seal(plain) }];
      });
      report.readable += resealed.length;
      await store.replace(tx, resealed);
    }
    reports.push(report);
  }
  return reports;
};

const sealStragglers = (pool: pg.Pool, ring: KeyRing, stores: readonly SealedStore[]): Promise<number> =>
  inTransaction(pool, async (tx) => {
    let found = 0;
    for (const store of stores) {
      for await (const page of pagesOf(tx, store, { locked: true })) {
        const late = page.flatMap(({ id, sealed }) => {
          const plain = ring.isCurrent(sealed) ? undefined : tryOpen(ring, sealed);
          return plain === undefined ? [] : [{ id, sealed: ring.seal(plain) }];
        });
        await store.replace(tx, late);
        found += late.length;
      }
    }
    return found;
  });

const tryOpen = (ring: KeyRing, sealed: Buffer): string | undefined => {
  try {
    return ring.open(sealed);
  } catch (error) {
    if (error instanceof UnsealError) return undefined;
    throw error;
  }
};

/** Counts which values of the stores can be opened; changes nothing. */
export const checkSealedStores = async (
  sql: Sql,
  { ring, stores }: { ring: KeyRing; stores: readonly SealedStore[] },
): Promise<SealedReport[]> => {
  const reports: SealedReport[] = [];
  for (const store of stores) {
    const report: SealedReport = { store: store.name, readable: 0, lost: [] };
    for await (const page of pagesOf(sql, store, { locked: false })) {
      for (const { label, sealed } of page) {
        if (tryOpen(ring, sealed) === undefined) report.lost.push(label);
        else report.readable += 1;
      }
    }
    reports.push(report);
  }
  return reports;
};

/**
 * For a permanently lost key: the key of this process (generated if there is none) becomes the installation's.
 * What only the lost key opens can no longer be read: it is kept until it is set again, or dropped if it is
 * worthless.
 * @throws UnusableSettings when nothing is lost: the present key is the right one
 */
export const adoptKey = async ({
  pool,
  source,
  stores,
  record,
}: KeyContext & Pick<ExchangeOptions, 'record'>): Promise<SealedReport[]> => {
  const check = await findKeyCheck(pool);
  const found = await readKeys(source);
  if (check && (found.some(({ key }) => keyCheckOf(key) === check) || (await readFormerKey(source, check))))
    throw new UnusableSettings('The sealing key fits: nothing is lost, and nothing was changed');
  await dropNextKey(source);
  const key = found.find(({ isNext }) => !isNext)?.key ?? (await createKeyFile(source));
  const ring = keyRingOf(key);
  return inTransaction(pool, async (tx) => {
    if ((await lockKeyCheck(tx)) !== check)
      throw new UnusableSettings('Another process has just rotated the sealing key');
    const reports = await reseal(tx, { ring, to: ring, stores });
    for (const store of stores) await dropLost(tx, ring, store);
    await writeKeyCheck(tx, ring.check);
    await announceKey(tx, '');
    await record(tx, reports);
    return reports;
  });
};

const dropLost = async (tx: Sql, ring: KeyRing, store: SealedStore): Promise<void> => {
  if (!store.drop) return;
  for await (const page of pagesOf(tx, store, { locked: true })) {
    await store.drop(
      tx,
      page.filter(({ sealed }) => !ring.isCurrent(sealed)).map(({ id }) => id),
    );
  }
};
