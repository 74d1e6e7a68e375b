import { includesAllUpTo, includesEvent } from '@simcube/contract';
import type { DashboardCard, DashboardStatistics } from '@simcube/contract/dashboard';
import type { Answer } from '../../lib/api-client/index.ts';
import { businessDays } from '../../lib/time/index.ts';
import { startOfPoint } from './points.ts';

/** What one batch added to the organisation's hours; null if the event does not say. */
export interface UsageFact {
  /** Id of the live event. */
  id: string;
  /** When it was counted. */
  at: string | null;
  hours: readonly { at: string; bytes: number }[] | null;
}

/** Usage counted since a position in the live stream. */
export interface UsageNews {
  /** Null until the stream is open. */
  since: string | null;
  facts: readonly UsageFact[];
}

export const noNews: UsageNews = { since: null, facts: [] };

/** With more facts than this, responses are refetched instead. */
const factsMost = 2000;

export const withFact = ({ since, facts }: UsageNews, fact: UsageFact): UsageNews => {
  const dropped = facts.length >= factsMost ? facts[0] : undefined;
  return { since: dropped ? dropped.id : since, facts: [...(dropped ? facts.slice(1) : facts), fact] };
};

/** A response with later events added; `isBehind` if events alone can't bring it up to date, so that it must be refetched. */
export interface Told<T> {
  answer: T;
  isBehind: boolean;
}

interface Hour {
  at: number;
  bytes: number;
}

interface Beyond {
  hours: Hour[];
  /** When the last of it was counted. */
  asOf: string | null;
}

/** @returns the facts that the response does not include; undefined if not all of them are known here */
const usageBeyond = (
  { snapshot, asOf }: Answer<unknown>,
  { since, facts }: UsageNews,
): Beyond | undefined => {
  if (snapshot === undefined || since === null || !includesAllUpTo(snapshot, since)) return undefined;
  const beyond = facts.filter(({ id }) => !includesEvent(snapshot, id));
  if (beyond.some(({ hours }) => hours === null)) return undefined;
  return {
    hours: beyond.flatMap(({ hours }) =>
      (hours ?? []).map(({ at, bytes }) => ({ at: Date.parse(at), bytes })),
    ),
    asOf: beyond.reduce((last, { at }) => (at !== null && at > (last ?? '') ? at : last), asOf),
  };
};

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const monthOf = (at: number): string => businessDays.dayOf(at).slice(0, 7);
const dayOf = (at: number): number => Math.floor((at + businessDays.offsetMs()) / dayMs);

/**
 * Usage over time, with what was counted since. It is behind when a new hour, day or month has begun and its points must shift.
 */
export const toldStatistics = (
  answer: Answer<DashboardStatistics>,
  news: UsageNews,
): Told<Answer<DashboardStatistics>> => {
  const beyond = usageBeyond(answer, news);
  if (!beyond) return { answer, isBehind: news.since !== null };
  const { hours, asOf } = beyond;
  if (hours.length === 0) return { answer, isBehind: false };
  const { range, points } = answer.data;
  const placeOf = places[range];
  const last = points.at(-1);
  const isBehind = last !== undefined && hours.some(({ at }) => placeOf(at) > placeOf(startOfPoint(last.at)));
  const sumAt = (place: number): number =>
    hours.reduce((sum, { at, bytes }) => (placeOf(at) === place ? sum + bytes : sum), 0);
  const next = points.map((point) => {
    const place = placeOf(startOfPoint(point.at));
    const { previous_bytes: previous } = point;
    const before = previous === null ? null : previous + sumAt(place - placesADay);
    return { ...point, bytes: point.bytes + sumAt(place), previous_bytes: before };
  });
  return { answer: { ...answer, asOf, data: { ...answer.data, points: next } }, isBehind };
};

/** Consecutive numbers of hours, days and months. */
const places: Record<DashboardStatistics['range'], (at: number) => number> = {
  '24h': (at) => Math.floor(at / hourMs),
  week: dayOf,
  '6months': (at) => {
    const [year = 0, month = 0] = monthOf(at).split('-').map(Number);
    return 12 * year + month;
  },
};
/** Only hours are compared with the previous day. */
const placesADay = 24;

/**
 * The figures at the top, with the usage counted since; usage of an earlier month changes the figure that they are compared with.
 */
export const toldCard = (answer: Answer<DashboardCard>, news: UsageNews): Told<Answer<DashboardCard>> => {
  const beyond = usageBeyond(answer, news);
  if (!beyond) return { answer, isBehind: news.since !== null };
  const { hours, asOf } = beyond;
  if (hours.length === 0) return { answer, isBehind: false };
  const { cycle, usage_bytes: usage } = answer.data;
  const [from, to] = [Date.parse(cycle.started_at), Date.parse(cycle.ends_at)];
  const today = dayOf(Date.parse(answer.asOf ?? ''));
  const isBehind = hours.some(({ at }) => at < from || at >= to || dayOf(at) > today);
  const added = hours.reduce((sum, { at, bytes }) => (at >= from && at < to ? sum + bytes : sum), 0);
  const trend = usage.trend.map((bytes, index) => {
    const day = today - (usage.trend.length - 1 - index);
    return hours.reduce((sum, hour) => (dayOf(hour.at) === day ? sum + hour.bytes : sum), bytes);
  });
  const told = { ...answer.data, usage_bytes: { ...usage, value: usage.value + added, trend } };
  return { answer: { ...answer, asOf, data: told }, isBehind };
};
