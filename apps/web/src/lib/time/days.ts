import type { TimeZoneChoice } from './instants.ts';

/**
 * Days as a person chooses them, by the UTC/local switch, and the instants that a filter holds: an address with
 * instants means the same on every desk.
 */
export const startOfDay = (day: string | undefined, zone: TimeZoneChoice): string | undefined =>
  instantOf(day, { time: '00:00:00.000', zone });

/** The last millisecond: both ends of a period belong to it. */
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

/** `YYYY-MM-DD` of the day in which the instant lies. */
export const dayOf = (instant: string | undefined, zone: TimeZoneChoice): string | undefined => {
  if (instant === undefined) return undefined;
  if (zone === 'UTC') return instant.slice(0, 10);
  const at = new Date(instant);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
};
