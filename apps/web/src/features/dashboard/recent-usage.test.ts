import type { DashboardCard, DashboardStatistics } from '@simcube/contract/dashboard';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ApiResponse } from '../../lib/api-client/index.ts';
import {
  noRecentUsage,
  type RecentUsage,
  updatedCard,
  updatedStatistics,
  withEvent,
} from './recent-usage.ts';

/** Read while transaction 105 was open: includes 104 and earlier, but not 106 and later. */
const snapshot = '105:106:105';
const readAt = Date.parse('2026-11-21T12:30:00.000Z');
const answerOf = <T>(data: T, changes: Partial<ApiResponse<T>> = {}): ApiResponse<T> => ({
  data,
  totalCount: null,
  totalRelation: 'eq',
  nextCursor: null,
  asOf: new Date(readAt).toISOString(),
  traceId: null,
  snapshot,
  ...changes,
});
/** One fact per second after the responses were read. */
const counted = (index: number): string => new Date(readAt + 1000 * (index + 1)).toISOString();
const newsOf = (...facts: [transaction: number, at: string, bytes: number][]): RecentUsage =>
  facts.reduce<RecentUsage>(
    (news, [transaction, at, bytes], index) =>
      withEvent(news, { id: `${transaction}-${index + 1}`, at: counted(index), hours: [{ at, bytes }] }),
    { since: '100-1', events: [] },
  );
const point = (at: string, bytes: number, previous: number | null = null) => ({
  at,
  bytes,
  previous_bytes: previous,
});
const statistics = (
  range: DashboardStatistics['range'],
  points: DashboardStatistics['points'],
): DashboardStatistics => ({ range, points, provisional_from: '2026-11-19T12:30:00.000Z' });
const bytesOf = ({ data: { points } }: ApiResponse<DashboardStatistics>) => points.map(({ bytes }) => bytes);

const day = answerOf(
  statistics('24h', [point('2026-11-21T11:00:00.000Z', 10, 1), point('2026-11-21T12:00:00.000Z', 20, 2)]),
);

describe('usage over time', () => {
  test('adds events that its response lacks, in their hour, and no others', () => {
    const { response, isBehind } = updatedStatistics(
      day,
      newsOf(
        [104, '2026-11-21T12:00:00.000Z', 1000],
        [105, '2026-11-21T12:00:00.000Z', 5],
        [107, '2026-11-21T11:00:00.000Z', 7],
        [108, '2026-11-20T12:00:00.000Z', 3],
      ),
    );
    expect(response.data.points).toEqual([
      point('2026-11-21T11:00:00.000Z', 17, 1),
      point('2026-11-21T12:00:00.000Z', 25, 5),
    ]);
    expect(isBehind).toBe(false);
    expect(response.asOf).toBe('2026-11-21T12:30:04.000Z');
  });

  test('is behind when a new hour has begun', () => {
    expect(updatedStatistics(day, newsOf([107, '2026-11-21T13:00:00.000Z', 7])).isBehind).toBe(true);
  });

  test('of days and months follows UTC+8', () => {
    const week = answerOf(
      statistics('week', [point('2026-11-20T16:00:00.000Z', 1), point('2026-11-21T16:00:00.000Z', 2)]),
    );
    const news = newsOf([107, '2026-11-21T15:00:00.000Z', 10], [108, '2026-11-21T16:00:00.000Z', 100]);
    expect(bytesOf(updatedStatistics(week, news).response)).toEqual([11, 102]);
    const months = answerOf(statistics('6months', [point('2026-10', 1), point('2026-11', 2)]));
    const turn = newsOf([107, '2026-10-31T15:00:00.000Z', 10], [108, '2026-10-31T16:00:00.000Z', 100]);
    expect(bytesOf(updatedStatistics(months, turn).response)).toEqual([11, 102]);
    const december = newsOf([107, '2026-11-30T16:00:00.000Z', 1]);
    expect(updatedStatistics(months, december)).toMatchObject({ isBehind: true });
    expect(bytesOf(updatedStatistics(months, december).response)).toEqual([1, 2]);
  });

  test('adds up to all usage, however response and events interleave', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { maxLength: 30 }), fc.nat(30), (used, held) => {
        const at = '2026-11-21T12:00:00.000Z';
        const sum = (bytes: number[]) => bytes.reduce((total, one) => total + one, 0);
        const read = answerOf(statistics('24h', [point(at, sum(used.slice(0, held)), 0)]), {
          snapshot: `${101 + held}:${101 + held}:`,
        });
        const news = newsOf(
          ...used.map((bytes, index): [number, string, number] => [101 + index, at, bytes]),
        );
        expect(sum(bytesOf(updatedStatistics(read, news).response))).toBe(sum(used));
      }),
    );
  });
});

describe('a response', () => {
  test.each<[string, Partial<ApiResponse<DashboardStatistics>>, RecentUsage]>([
    ['it was read before the stream opened', { snapshot: '99:99:' }, newsOf()],
    ['it has no snapshot', { snapshot: undefined }, newsOf()],
    ['an event has no hours', {}, withEvent(newsOf(), { id: '107-1', at: null, hours: null })],
  ])('is behind when %s', (_, changes, news) => {
    const updated = updatedStatistics({ ...day, ...changes }, news);
    expect(updated.isBehind).toBe(true);
    expect(bytesOf(updated.response)).toEqual([10, 20]);
  });

  test('is not behind without a stream', () => {
    expect(updatedStatistics(day, noRecentUsage)).toEqual({ response: day, isBehind: false });
  });

  test('is behind when events were dropped from a full buffer', () => {
    let news = newsOf();
    for (let index = 0; index < 2002; index += 1)
      news = withEvent(news, { id: `${200 + index}-1`, at: null, hours: [] });
    expect(news.events).toHaveLength(2000);
    expect(updatedStatistics(day, news).isBehind).toBe(true);
  });
});

describe('the cards', () => {
  const figure = { value: 0, compared_with: null, trend: [] };
  const card: ApiResponse<DashboardCard> = answerOf({
    total_sims: 3,
    active_sims: figure,
    usage_bytes: { value: 100, compared_with: 50, trend: [1, 2, 3] },
    overage_sims: figure,
    expiring_sims: { ...figure, within_7_days: 0 },
    cycle: { started_at: '2026-10-31T16:00:00.000Z', ends_at: '2026-11-30T16:00:00.000Z' },
  });

  test('add usage to the month and to its days', () => {
    const { response, isBehind } = updatedCard(
      card,
      newsOf([106, '2026-11-21T12:00:00.000Z', 10], [107, '2026-11-19T16:00:00.000Z', 100]),
    );
    expect(response.data.usage_bytes).toEqual({ value: 210, compared_with: 50, trend: [1, 102, 13] });
    expect(isBehind).toBe(false);
  });

  test.each(['2026-10-31T15:00:00.000Z', '2026-11-30T16:00:00.000Z', '2026-11-21T16:00:00.000Z'])(
    'are behind after usage at %s',
    (at) => expect(updatedCard(card, newsOf([106, at, 10])).isBehind).toBe(true),
  );
});
