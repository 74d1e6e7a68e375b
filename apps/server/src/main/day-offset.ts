import { limits } from '@simcube/contract';
import { daysAt, setDayOffset } from '../platform/clock/business-day.ts';
import { readInstallation, type Sql, writeInstallationOnce } from '../platform/db/index.ts';
import { type Env, UnusableSettings } from '../platform/env/index.ts';

const key = 'day-offset';

/**
 * Sets the business days of this process to the installation's: to the setting with which it was made,
 * permanently, because usage, cycles and bills are stored by these days.
 * @throws UnusableSettings if the setting has another offset
 */
export const adoptDayOffset = async (
  sql: Sql,
  { dayOffset: wanted }: Pick<Env, 'dayOffset'>,
): Promise<void> => {
  const noted = Number(await writeInstallationOnce(sql, key, String(wanted ?? limits.dayOffset.usual)));
  refuseAnother(wanted, noted);
  setDayOffset(noted);
};

/**
 * Checks whether that would be adopted.
 * @returns the zone of the days, `UTC+8`; undefined before the first start
 * @throws UnusableSettings as above
 */
export const checkDayOffset = async (
  sql: Sql,
  { dayOffset: wanted }: Pick<Env, 'dayOffset'>,
): Promise<string | undefined> => {
  const noted = (await readInstallation(sql, [key])).get(key);
  if (noted === undefined) return undefined;
  refuseAnother(wanted, Number(noted));
  return zoneOf(Number(noted));
};

const zoneOf = (hours: number): string => daysAt(hours * 60).zone;

const refuseAnother = (wanted: number | undefined, noted: number): void => {
  if (wanted === undefined || wanted === noted) return;
  throw new UnusableSettings(
    `Business days of this installation end at ${zoneOf(noted)}, and its usage, cycles and bills are stored accordingly: ` +
      `SIMCUBE_DAY_OFFSET can't change this to ${zoneOf(wanted)}. Remove it, or create another installation with it.`,
  );
};
