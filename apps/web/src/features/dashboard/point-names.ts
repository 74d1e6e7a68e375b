import type { DashboardStatistics } from '@simcube/contract/dashboard';
import type { Format } from '../../lib/format/index.ts';
import type { Calendar } from '../../ui/time/index.ts';

interface Names {
  /** On the axis. */
  short: (at: string) => string;
  /** In the tooltip and the data table. */
  long: (at: string) => string;
}

/** Names of the points of a range: hours follow the UTC/local switch, days and months the business day. */
export const pointNames = (
  range: DashboardStatistics['range'],
  { format, calendar }: { format: Pick<Format, 'time' | 'dateTime'>; calendar: Calendar },
): Names => {
  // In time zones that are not whole hours from UTC, hours start at those minutes.
  if (range === '24h') return { short: (at) => format.time(at).replace(/:00$/, ''), long: format.dateTime };
  if (range === 'week') return { short: calendar.businessWeekday, long: calendar.businessDay };
  return { short: calendar.month, long: calendar.longMonth };
};
