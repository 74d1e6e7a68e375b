import { expect, test } from 'vitest';
import { businessDays } from '../../lib/time/index.ts';
import { snapToGrid } from './api/use-heatmap.ts';
import { levelsOf } from './levels.ts';
import { daysOf, daysOfSuggestion, periodOf, periodProblem } from './period.ts';

const at = Date.parse('2026-11-22T17:00:00Z');

test.each([
  // 17:00 UTC is one o'clock of the next day in UTC+8.
  [{}, { from: '2026-11-01', to: '2026-11-23' }],
  [{ from: '2026-10-05' }, { from: '2026-10-05', to: '2026-11-04' }],
  [{ to: '2026-02-14' }, { from: '2026-02-01', to: '2026-02-14' }],
  [
    { from: '2026-11-10', to: '2026-11-01' },
    { from: '2026-11-10', to: '2026-11-10' },
  ],
  [{ from: '2026-12-01' }, { from: '2026-12-01', to: '2026-12-01' }],
])('the period of %j is %j', (wanted, period) => {
  expect(periodOf(wanted, at)).toEqual(period);
});

test.each([
  ['thisMonth', at, undefined],
  ['lastMonth', at, { from: '2026-10-01', to: '2026-10-31' }],
  // Eight hours later in UTC+8: already the first day of the year.
  ['lastMonth', Date.parse('2026-12-31T16:00:00Z'), { from: '2026-12-01', to: '2026-12-31' }],
  ['lastWeek', at, { from: '2026-11-17', to: '2026-11-23' }],
] as const)('the suggestion %s at %i stands for %j', (suggestion, now, days) => {
  expect(daysOfSuggestion(suggestion, now)).toEqual(days);
});

test.each([
  [{ from: '2026-10-01', to: '2026-10-31' }, undefined],
  [{ from: '2026-10-01', to: '2026-11-01' }, 'spanTooLong'],
  [{ from: '2028-02-01', to: '2028-03-02' }, undefined],
  [{ from: '2026-11-10', to: '2026-11-09' }, 'endBeforeStart'],
  [{ from: '2026-11-10' }, undefined],
])('the problem with %j is %s', (wanted, problem) => {
  expect(periodProblem(wanted)).toBe(problem);
});

test('the days of a period include leap days', () => {
  expect(daysOf({ from: '2028-02-28', to: '2028-03-01' })).toEqual([
    '2028-02-28',
    '2028-02-29',
    '2028-03-01',
  ]);
});

test('the requested part contains the visible one, and is the same for similar views', () => {
  const box = { west: -9.1, south: 36, east: 31, north: 61.2 };
  const part = snapToGrid(box);
  expect(part.west <= box.west && part.east >= box.east).toBe(true);
  expect(part.south <= box.south && part.north >= box.north).toBe(true);
  expect(snapToGrid({ ...box, west: -9, east: 31.1 })).toEqual(part);
  expect(snapToGrid({ west: -180, south: -85, east: 180, north: 85 })).toEqual({
    west: -180,
    south: -85,
    east: 180,
    north: 85,
  });
});

test('shades begin at round figures', () => {
  const { bounds, levelOf } = levelsOf('countries', [742, 3], false);
  expect(bounds).toEqual([20, 50, 200, 200].filter((one, index, all) => all.indexOf(one) === index));
  expect([levelOf(0), levelOf(20), levelOf(742)]).toEqual([0, 1, 3]);
  const gb = 1024 ** 3;
  expect(levelsOf('countries', [742 * gb], true).bounds.map((bound) => bound / gb)).toEqual([20, 50, 200]);
});

test('a day of the map begins at 16:00 UTC', () => {
  expect(
    ['2026-11-22T15:59:59Z', '2026-11-22T16:00:00Z'].map((one) => businessDays.dayOf(Date.parse(one))),
  ).toEqual(['2026-11-22', '2026-11-23']);
});
