import { startOfDay, type TimeZoneChoice } from '../../../lib/time/index.ts';

/** Periods at hand, up to now; `31d` is shown when none is chosen. */
export const lastPeriods = ['today', '7d', '31d', 'all'] as const;
export type LastPeriod = (typeof lastPeriods)[number];

/** What the address says of the time. */
export interface PeriodParams {
  last?: LastPeriod | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

const days = { today: 0, '7d': 6, '31d': 30 } as const;
const dayMs = 86_400_000;

export const isOfDates = ({ from, to }: PeriodParams): boolean => (from ?? to) !== undefined;
export const lastOf = ({ last = '31d' }: PeriodParams): LastPeriod => last;

/** From the first day on, whole, of the zone that days are shown in; dates as they are, their last instant included. */
export const spanOf = (
  params: PeriodParams,
  { zone, now }: { zone: TimeZoneChoice; now: number },
): { from?: string; to?: string } => {
  if (isOfDates(params)) {
    const { from, to } = params;
    return {
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to: new Date(Date.parse(to) + 1).toISOString() }),
    };
  }
  const last = lastOf(params);
  if (last === 'all') return {};
  const from = startOfDay(dayAgo(days[last], { zone, now }), zone);
  return from === undefined ? {} : { from };
};

/** `YYYY-MM-DD` so many days ago, by the calendar: a day of a clock change has other hours than 24. */
const dayAgo = (ago: number, { zone, now }: { zone: TimeZoneChoice; now: number }): string => {
  if (zone === 'UTC') return new Date(now - ago * dayMs).toISOString().slice(0, 10);
  const at = new Date(now);
  const two = (part: number): string => String(part).padStart(2, '0');
  const day = new Date(at.getFullYear(), at.getMonth(), at.getDate() - ago);
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
};
