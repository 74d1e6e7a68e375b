import { session, useSession } from '../session/index.ts';
import type { TimeZoneChoice } from './instants.ts';

/** UTC unless the person chose local time; stored under the specification's name `TimeZone`. */
export const useTimeDisplay = (): TimeZoneChoice => useSession('TimeZone') ?? 'UTC';

export const setTimeDisplay = (choice: TimeZoneChoice): void => {
  session.set('TimeZone', choice);
};

export const deviceTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The IANA name of the zone in which times are displayed; files are written in it, too. */
export const displayedTimeZone = (): string =>
  session.get('TimeZone') === 'LOCAL' ? deviceTimeZone() : 'UTC';
