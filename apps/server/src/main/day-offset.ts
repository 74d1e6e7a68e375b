import { limits } from '@simcube/contract';
import { daysAt, setDayOffset } from '../platform/clock/business-day.ts';
import { noteInstallation, type Sql } from '../platform/db/index.ts';
import { type Env, UnusableSettings } from '../platform/env/index.ts';

const key = 'day-offset';

/**
 * Business days of this process are those of the installation: by the setting of whoever made it, then for good, as usage, cycles
 * and bills are stored by these days.
 * @throws UnusableSettings where the setting says another offset
 */
export const adoptDayOffset = async (
  sql: Sql,
  { dayOffset: wanted }: Pick<Env, 'dayOffset'>,
): Promise<void> => {
  const noted = Number(await noteInstallation(sql, key, String(wanted ?? limits.dayOffset.usual)));
  if (wanted !== undefined && wanted !== noted) {
    throw new UnusableSettings(
      `Business days of this installation end at ${daysAt(noted * 60).zone}, by which its usage, cycles and bills are stored: ` +
        `SIMCUBE_DAY_OFFSET can't make it ${daysAt(wanted * 60).zone}. Leave it out, or make another installation with it.`,
    );
  }
  setDayOffset(noted);
};
