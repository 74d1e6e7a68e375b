import type { DeviceKind } from './device-kinds.ts';
import { hourMs } from './time.ts';

const DAY_HOURS = 24;

/** Cumulative sums of a curve by hour, with a whole day being 1; computed once per kind. */
const sums = new WeakMap<readonly number[], readonly number[]>();

function cumulative(curve: readonly number[]): readonly number[] {
  const cached = sums.get(curve);
  if (cached !== undefined) return cached;
  const total = curve.reduce((sum, weight) => sum + weight, 0);
  const cumulativeShares = [0];
  for (const weight of curve) cumulativeShares.push((cumulativeShares.at(-1) ?? 0) + weight / total);
  sums.set(curve, cumulativeShares);
  return cumulativeShares;
}

/** Share of a day's volume before this local hour (0 to 24, with fractions). */
function shareBefore(curve: readonly number[], hour: number): number {
  const cumulativeShares = cumulative(curve);
  const wholeHour = Math.floor(hour);
  const from = cumulativeShares[wholeHour] ?? 1;
  const to = cumulativeShares[wholeHour + 1] ?? 1;
  return from + (to - from) * (hour - wholeHour);
}

/** Days since that midnight, measured in volume instead of time. */
function position(curve: readonly number[], hour: number): number {
  const day = Math.floor(hour / DAY_HOURS);
  return day + shareBefore(curve, hour - day * DAY_HOURS);
}

/** Share of a day's volume between two points in local hours since some midnight; spans may run over several days. */
export const shareOfDay = (curve: readonly number[], fromHour: number, toHour: number): number =>
  Math.max(0, position(curve, toHour) - position(curve, fromHour));

export interface UsageInterval {
  kind: DeviceKind;
  fromMs: number;
  toMs: number;
  utcOffsetHours: number;
}

/** Share of a mean day in a period of time, with weights for weekends. */
export function shareOfInterval({ kind, fromMs, toMs, utcOffsetHours }: UsageInterval): number {
  const from = fromMs / hourMs + utcOffsetHours;
  const share = shareOfDay(kind.curve, from, from + (toMs - fromMs) / hourMs);
  return isWeekend(from) ? share * kind.weekend : share;
}

/** 1 January 1970 was a Thursday. */
function isWeekend(hours: number): boolean {
  const weekday = (Math.floor(hours / DAY_HOURS) + 4) % 7;
  return weekday === 0 || weekday === 6;
}

/** Limits octets to what a rate in bits per second allows in a time. */
export const capOctets = (octets: number, bitsPerSecond: number | undefined, seconds: number): number =>
  bitsPerSecond === undefined ? octets : Math.min(octets, (bitsPerSecond * seconds) / 8);

const GIGAWORD = 2 ** 32;

/** A 64-bit counter as two attributes (RFC 2869 §5.1): octets modulo 2^32, and the number of overflows. */
export const splitOctets = (total: number): { octets: number; gigawords: number } => ({
  octets: total % GIGAWORD,
  gigawords: Math.floor(total / GIGAWORD),
});
