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
