import { limits } from '@simcube/contract';
import { daysAt, setDayOffset } from '../platform/clock/business-day.ts';
import { readInstallation, type Sql, writeInstallationOnce } from '../platform/db/index.ts';
import { type Env, UnusableSettings } from '../platform/env/index.ts';

const key = 'day-offset';

/**
 * Sets the business days of this process to the installation's: to the setting with which its first server
 * started, permanently, because usage, cycles and bills are stored by these days. A command, which may lack the
 * servers' settings, stores nothing.
 * @throws UnusableSettings if the setting has another offset
 */
export const adoptDayOffset = async (
  sql: Sql,
  { dayOffset: configured }: Pick<Env, 'dayOffset'>,
  opener: 'server' | 'command',
): Promise<void> => {
  const usual = String(configured ?? limits.dayOffset.usual);
  const stored = Number(
    opener === 'server'
      ? await writeInstallationOnce(sql, key, usual)
      : ((await readInstallation(sql, [key])).get(key) ?? usual),
  );
  requireSameOffset(configured, stored);
  setDayOffset(stored);
};

/**
 * Checks whether that would be adopted.
 * @returns the zone of the days, `UTC+8`; undefined before the first start
 * @throws UnusableSettings as above
 */
export const checkDayOffset = async (
  sql: Sql,
  { dayOffset: configured }: Pick<Env, 'dayOffset'>,
): Promise<string | undefined> => {
  const stored = (await readInstallation(sql, [key])).get(key);
  if (stored === undefined) return undefined;
  requireSameOffset(configured, Number(stored));
  return zoneOf(Number(stored));
};

const zoneOf = (hours: number): string => daysAt(hours * 60).zone;

const requireSameOffset = (configured: number | undefined, stored: number): void => {
  if (configured === undefined || configured === stored) return;
  throw new UnusableSettings(
    `Business days of this installation end at ${zoneOf(stored)}, and its usage, cycles and bills are stored accordingly: ` +
      `SIMCUBE_DAY_OFFSET can't change this to ${zoneOf(configured)}. Remove it, or create another installation with it.`,
  );
};
