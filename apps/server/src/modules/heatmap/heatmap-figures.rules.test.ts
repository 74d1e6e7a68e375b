import fc from 'fast-check';
import { expect, test } from 'vitest';
import { figuresOf, type NetworkUsage } from './heatmap-figures.rules.ts';

const day = '2026-11-20';
const used = (plmn: number, country: string | null): NetworkUsage => ({
  day,
  plmn,
  mcc: null,
  mnc: null,
  operator: null,
  country,
  bytes: 5,
});
const rows = [
  used(262_002, 'DE'),
  used(262_001, 'DE'),
  used(208_001, 'FR'),
  used(999_099, null),
  used(0, null),
];

test('countries and operators with equal figures have the same order, whatever the order of the rows', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(rows, { minLength: rows.length }), (shuffled) => {
      const period = { from: day, to: day };
      const { countries, operators } = figuresOf({
        query: { ...period, metric: 'sessions' },
        compared: undefined,
        before: { from: '2026-11-19', to: '2026-11-19' },
        today: day,
        uncounted: new Set(),
        used: shuffled,
        counted: [],
        seen: [],
      });
      expect(countries.map(({ country }) => country)).toEqual([null, 'DE', 'FR']);
      expect(operators.map(({ mcc, mnc }) => mcc + mnc)).toEqual([
        '00000',
        '20801',
        '26201',
        '26202',
        '99999',
      ]);
    }),
  );
});

test('figures of SIMs and sessions are of the counted days, and null if there are none', () => {
  const counted = (on: string, sims: number) => ({
    day: on,
    country: '*',
    plmn: -1,
    sims,
    sessions: 2 * sims,
  });
  const figuresFor = (metric: 'sims' | 'sessions' | 'usage', uncounted: string[]) => {
    const { total, days, uncounted_days } = figuresOf({
      query: { from: '2026-11-17', to: '2026-11-20', metric },
      compared: { from: '2026-11-17', to: '2026-11-19' },
      before: { from: '2026-11-14', to: '2026-11-16' },
      today: '2026-11-20',
      uncounted: new Set(uncounted),
      used: [used(262_002, 'DE')],
      counted: ['15', '18', '19', '20'].map((date) => counted(`2026-11-${date}`, Number(date))),
      seen: [],
    });
    const { sims, sessions, compared, before } = total;
    return { sims, sessions, compared, before, days, uncounted_days };
  };
  const [first, rest] = ['2026-11-17', ['2026-11-14', '2026-11-16']];
  expect(figuresFor('sims', [first, ...rest])).toEqual({
    sims: 19,
    sessions: 114,
    compared: 19,
    before: 15,
    days: [null, 18, 19, 20],
    uncounted_days: [first],
  });
  expect(figuresFor('sessions', [first])).toMatchObject({ sessions: 114, compared: null, before: 30 });
  expect(figuresFor('sessions', rest)).toMatchObject({ compared: 74, before: null, days: [0, 36, 38, 40] });
  expect(figuresFor('sims', [...rest, '2026-11-15'])).toMatchObject({ sims: 14, before: null });
  expect(figuresFor('usage', [first, ...rest])).toMatchObject({ compared: 0, before: 0, days: [0, 0, 0, 5] });
  const all = ['2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20'];
  expect(figuresFor('sims', all)).toMatchObject({ sims: null, sessions: null, compared: null });
});
