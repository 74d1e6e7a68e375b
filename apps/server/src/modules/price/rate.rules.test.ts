import { describe, expect, it } from 'vitest';
import type { TariffVersion } from './price.rules.ts';
import { type RatedFacts, rateOf } from './rate.rules.ts';

const mb = 2n ** 20n;

const version: TariffVersion = {
  id: 1,
  tariff: { code: 'standard', name: 'Standard' },
  currency: 'EUR',
  startsOn: '2026-01-01',
  zones: [
    { code: 'asia', name: 'Asia', countries: ['JP'], usageMicros: 123_456n },
    { code: 'rest', name: 'Rest of the world', countries: null, usageMicros: 1_500_001n },
  ],
  smsMtMicros: 0n,
  smsMoMicros: 0n,
  poolCycleMicros: 0n,
  poolOverMicros: 4_000n,
};

interface Changes extends Partial<Omit<RatedFacts, 'bundle'>> {
  bundle?: Partial<RatedFacts['bundle']>;
}

const rated = ({ bundle, ...changes }: Changes) => {
  const { included, price_micros, zone, unit } = rateOf(version, {
    bundle: {
      overage_policy: 'billing',
      out_of_coverage_policy: 'billing',
      coverage_countries: ['DE'],
      stop_after_bytes: null,
      ...bundle,
    },
    prices: { activationMicros: 0n, cycleMicros: 0n, overMicros: 15_000n },
    country: 'DE',
    bytes: mb,
    byCountry: [{ country: 'DE', bytes: 10n * mb }],
    limitBytes: 10n * mb,
    pool: null,
    ...changes,
  });
  return [zone, included, price_micros, ...(unit === 'block' ? [unit] : [])];
};

describe('a record is rated', () => {
  it.each<[string, Changes, ReturnType<typeof rated>]>([
    ['as included up to the limit', {}, ['Rest of the world', true, null]],
    ['at the price beyond the quota', { limitBytes: 10n * mb - 1n }, ['Rest of the world', false, 15_000]],
    ['as included without a limit', { limitBytes: null }, ['Rest of the world', true, null]],
    [
      'as included where usage stops at the limit',
      { limitBytes: mb, bundle: { overage_policy: 'stop' } },
      ['Rest of the world', true, null],
    ],
    [
      'at the price of each block where blocks are charged',
      { limitBytes: mb, bundle: { overage_policy: 'billing and threshold' } },
      ['Rest of the world', false, 15_000, 'block'],
    ],
    [
      'by the MB in a zone, where blocks are charged beyond the quota',
      { country: 'JP', bundle: { overage_policy: 'billing and threshold' } },
      ['Asia', false, 123_456],
    ],
    [
      'at the price beyond the quota up to the amount after which usage stops',
      {
        limitBytes: 8n * mb,
        bundle: { overage_policy: 'billing then stop after', stop_after_bytes: Number(mb) + 1 },
      },
      ['Rest of the world', false, 15_000],
    ],
    [
      'at the price beyond the quota if that amount is not known',
      { limitBytes: 8n * mb, bundle: { overage_policy: 'billing then stop after' } },
      ['Rest of the world', false, 15_000],
    ],
    [
      'as not charged where it went on beyond that amount',
      {
        limitBytes: 8n * mb,
        bundle: { overage_policy: 'billing then stop after', stop_after_bytes: Number(mb) },
      },
      ['Rest of the world', true, null],
    ],
    [
      'at the price beyond the quota however much that amount is, where usage does not stop',
      { limitBytes: 8n * mb, bundle: { stop_after_bytes: Number(mb) } },
      ['Rest of the world', false, 15_000],
    ],
    ['at the price of its zone out of coverage', { country: 'JP' }, ['Asia', false, 123_456]],
    ['by the rest of the world', { country: 'US' }, ['Rest of the world', false, 1_500_001]],
    [
      'as included where coverage is not charged',
      { country: 'JP', bundle: { out_of_coverage_policy: 'shut down' } },
      ['Asia', true, null],
    ],
    ['as included where its country is not known', { country: null }, [null, true, null]],
    [
      'as included in a shared pool, however much the SIM used',
      { limitBytes: mb, pool: { isCharged: false } },
      ['Rest of the world', true, null],
    ],
    [
      'at the price of a shared pool beyond its limit',
      { limitBytes: null, pool: { isCharged: true } },
      ['Rest of the world', false, 4_000],
    ],
    [
      'at the price of its zone in a shared pool, too',
      { country: 'JP', pool: { isCharged: true } },
      ['Asia', false, 123_456],
    ],
    [
      'without what zones are charged for counting against the quota',
      {
        byCountry: [
          { country: 'DE', bytes: 10n * mb },
          { country: 'JP', bytes: mb },
        ],
      },
      ['Rest of the world', true, null],
    ],
  ])('%s', (_, changes, expected) => expect(rated(changes)).toEqual(expected));
});
