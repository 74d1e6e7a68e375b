import type { TimeZoneChoice } from './instants.ts';

/**
 * Converts days, as chosen under the UTC/local switch, to the instants that a filter holds: a URL with instants means the same
 * for everyone.
 */
export const startOfDay = (day: string | undefined, zone: TimeZoneChoice): string | undefined =>
  instantOf(day, { time: '00:00:00.000', zone });

/** The last millisecond: both ends of a period are inclusive. */
export const endOfDay = (day: string | undefined, zone: TimeZoneChoice): string | undefined =>
  instantOf(day, { time: '23:59:59.999', zone });

const instantOf = (
  day: string | undefined,
  { time, zone }: { time: string; zone: TimeZoneChoice },
): string | undefined => {
  if (day === undefined) return undefined;
  const at = new Date(`${day}T${time}${zone === 'UTC' ? 'Z' : ''}`);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
};

/** The day, `YYYY-MM-DD`, that the instant falls in. */
export const dayOf = (instant: string | undefined, zone: TimeZoneChoice): string | undefined => {
  if (instant === undefined) return undefined;
  if (zone === 'UTC') return instant.slice(0, 10);
  const at = new Date(instant);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
};
