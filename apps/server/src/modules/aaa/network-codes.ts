import type pg from 'pg';
import type { Log } from '../../platform/log/index.ts';
import { listLongCodes } from './aaa.queries.ts';

/** Networks (mcc * 1000 + mnc) whose MNC has three digits, of which the number has lost leading zeros. */
export type LongCodes = ReadonlySet<number>;

/** `262-02`, `334-020`: MCC and MNC, as people write them. */
export const networkCode = (plmn: number, longCodes: LongCodes): string => {
  const mcc = String(Math.floor(plmn / 1000)).padStart(3, '0');
  return `${mcc}-${String(plmn % 1000).padStart(longCodes.has(plmn) ? 3 : 2, '0')}`;
};

const reloadMs = 10 * 60_000;

/** Keeps the networks with long codes in memory. Those that an import adds are seen within the interval. */
export const followLongCodes = async ({
  pool,
  log,
}: {
  pool: pg.Pool;
  log: Log;
}): Promise<{ current: () => LongCodes; stop: () => void }> => {
  let codes = await listLongCodes(pool);
  const reloading = setInterval(() => {
    listLongCodes(pool).then(
      (found) => {
        codes = found;
      },
      (error: Error) => log.warn({ err: error }, 'the codes of networks could not be read'),
    );
  }, reloadMs);
  reloading.unref();
  return { current: () => codes, stop: () => clearInterval(reloading) };
};
