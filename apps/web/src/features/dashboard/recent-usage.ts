import { includesAllUpTo, includesEvent } from '@simcube/contract';
import type { DashboardCard, DashboardStatistics } from '@simcube/contract/dashboard';
import { dayMs, hourMs } from '@simcube/contract/time';
import type { ApiResponse } from '../../lib/api-client/index.ts';
import { businessDays } from '../../lib/time/index.ts';
import { startOfPoint } from './points.ts';

/** What one batch added to the organisation's hours; null if the event does not say. */
export interface UsageEvent {
  /** Id of the live event. */
  id: string;
  /** When it was counted. */
  at: string | null;
  hours: readonly { at: string; bytes: number }[] | null;
}

/** Usage counted since a position in the live stream. */
export interface RecentUsage {
  /** Null until the stream is open. */
  since: string | null;
  events: readonly UsageEvent[];
}

export const noRecentUsage: RecentUsage = { since: null, events: [] };

/** With more facts than this, responses are refetched instead. */
const maxEvents = 2000;

export const withEvent = ({ since, events }: RecentUsage, event: UsageEvent): RecentUsage => {
  const dropped = events.length >= maxEvents ? events[0] : undefined;
  return { since: dropped ? dropped.id : since, events: [...(dropped ? events.slice(1) : events), event] };
};

/** A response with later events added; `isBehind` if events alone can't bring it up to date, so that it must be refetched. */
export interface Updated<T> {
  response: T;
  isBehind: boolean;
}

interface Hour {
  at: number;
  bytes: number;
}

interface NewUsage {
  hours: Hour[];
  /** When the last of it was counted. */
  asOf: string | null;
}

/** @returns the facts that the response does not include; undefined if not all of them are known here */
const newUsageSince = (
  { snapshot, asOf }: ApiResponse<unknown>,
  { since, events }: RecentUsage,
): NewUsage | undefined => {
  if (snapshot === undefined || since === null || !includesAllUpTo(snapshot, since)) return undefined;
  const newUsage = events.filter(({ id }) => !includesEvent(snapshot, id));
  if (newUsage.some(({ hours }) => hours === null)) return undefined;
  return {
    hours: newUsage.flatMap(({ hours }) =>
      (hours ?? []).map(({ at, bytes }) => ({ at: Date.parse(at), bytes })),
    ),
    asOf: newUsage.reduce((last, { at }) => (at !== null && at > (last ?? '') ? at : last), asOf),
  };
};

const monthOf = (at: number): string => businessDays.dayOf(at).slice(0, 7);
const dayOf = (at: number): number => Math.floor((at + businessDays.offsetMs()) / dayMs);

/**
 * Usage over time, with what was counted since. It is behind when a new hour, day or month has begun and its points must shift.
 */
export const updatedStatistics = (
  response: ApiResponse<DashboardStatistics>,
  recent: RecentUsage,
): Updated<ApiResponse<DashboardStatistics>> => {
  const newUsage = newUsageSince(response, recent);
  if (!newUsage) return { response, isBehind: recent.since !== null };
  const { hours, asOf } = newUsage;
  if (hours.length === 0) return { response, isBehind: false };
  const { range, points } = response.data;
  const periodNumber = periodNumbers[range];
  const last = points.at(-1);
  const isBehind =
    last !== undefined && hours.some(({ at }) => periodNumber(at) > periodNumber(startOfPoint(last.at)));
  const sumAt = (number: number): number =>
    hours.reduce((sum, { at, bytes }) => (periodNumber(at) === number ? sum + bytes : sum), 0);
  const next = points.map((point) => {
    const number = periodNumber(startOfPoint(point.at));
    const { previous_bytes: previous } = point;
    const before = previous === null ? null : previous + sumAt(number - hoursADay);
    return { ...point, bytes: point.bytes + sumAt(number), previous_bytes: before };
  });
  return { response: { ...response, asOf, data: { ...response.data, points: next } }, isBehind };
};

/** Consecutive numbers of hours, days and months. */
const periodNumbers: Record<DashboardStatistics['range'], (at: number) => number> = {
  '24h': (at) => Math.floor(at / hourMs),
  week: dayOf,
  '6months': (at) => {
    const [year = 0, month = 0] = monthOf(at).split('-').map(Number);
    return 12 * year + month;
  },
};
/** Only hours are compared with the previous day. */
const hoursADay = 24;

/**
 * The figures at the top, with the usage counted since; usage of an earlier month changes the figure that they are compared with.
 */
export const updatedCard = (
  response: ApiResponse<DashboardCard>,
  recent: RecentUsage,
): Updated<ApiResponse<DashboardCard>> => {
  const newUsage = newUsageSince(response, recent);
  if (!newUsage) return { response, isBehind: recent.since !== null };
  const { hours, asOf } = newUsage;
  if (hours.length === 0) return { response, isBehind: false };
  const { cycle, usage_bytes: usage } = response.data;
  const [from, to] = [Date.parse(cycle.started_at), Date.parse(cycle.ends_at)];
  const today = dayOf(Date.parse(response.asOf ?? ''));
  const isBehind = hours.some(({ at }) => at < from || at >= to || dayOf(at) > today);
  const added = hours.reduce((sum, { at, bytes }) => (at >= from && at < to ? sum + bytes : sum), 0);
  const trend = usage.trend.map((bytes, index) => {
    const day = today - (usage.trend.length - 1 - index);
    return hours.reduce((sum, hour) => (dayOf(hour.at) === day ? sum + hour.bytes : sum), bytes);
  });
  const updated = { ...response.data, usage_bytes: { ...usage, value: usage.value + added, trend } };
  return { response: { ...response, asOf, data: updated }, isBehind };
};
