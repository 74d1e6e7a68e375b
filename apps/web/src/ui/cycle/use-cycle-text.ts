import { dayMs } from '@simcube/contract/time';
import { useMemo } from 'react';
import { useFormat } from '../../lib/format/index.ts';
import { businessDays } from '../../lib/time/index.ts';
import { lastInstantBefore } from '../../lib/time/last-instant.ts';

/** Shifts an instant so that its UTC date is its business day. */
const toBusinessTime = (at: string): number => Date.parse(at) + businessDays.offsetMs();

/**
 * A cycle by its first and last day, as on the dashboard and on bills, whatever the UTC/local switch: November is not "Oct 31 –
 * Nov 30". A cycle of 24 hours begins within a day, so it is named by its instants.
 */
export const useCycleText = (): ((from: string, endsAt: string) => string) => {
  const format = useFormat();
  return useMemo(() => {
    const days = new Intl.DateTimeFormat(format.language, {
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      timeZone: 'UTC',
    });
    return (from, endsAt) => {
      // The first cycle begins with the activation, and ends like the others.
      const endsAtDayBoundary = toBusinessTime(endsAt) % dayMs === 0;
      return endsAtDayBoundary
        ? days.formatRange(toBusinessTime(from), toBusinessTime(lastInstantBefore(endsAt)))
        : `${format.dateTime(from)} – ${format.dateTime(endsAt)}`;
    };
  }, [format]);
};
