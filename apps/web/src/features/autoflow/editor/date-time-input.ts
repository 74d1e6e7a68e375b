import type { TimeZoneChoice } from '../../../lib/time/index.ts';

const pad = (part: number): string => String(part).padStart(2, '0');

/** An instant as the value of a date and time field, in UTC or local time; empty for null. */
export const inputValueOf = (instant: string | null, zone: TimeZoneChoice): string => {
  if (instant === null) return '';
  if (zone === 'UTC') return instant.slice(0, 16);
  const at = new Date(instant);
  // While the year is typed, it has fewer than four digits; the field accepts only four.
  const year = String(at.getFullYear()).padStart(4, '0');
  const day = [year, pad(at.getMonth() + 1), pad(at.getDate())].join('-');
  return `${day}T${pad(at.getHours())}:${pad(at.getMinutes())}`;
};

export const instantOf = (text: string, zone: TimeZoneChoice): string | null => {
  const at = new Date(zone === 'UTC' ? `${text}Z` : text);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
};
