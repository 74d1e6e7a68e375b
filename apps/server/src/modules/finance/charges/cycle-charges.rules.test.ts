import { bundleTypes } from '@simcube/contract/bundle';
import { describe, expect, it } from 'vitest';
import type { TariffVersion } from '../../price/index.ts';
import { billMonth } from '../bill.rules.ts';
import { type BilledCycle, billTypeOf, endsWithin, isPrepaid, monthCharges } from './cycle-charges.rules.ts';

const mb = 2n ** 20n;
const month = billMonth('2026-10');
const before = (at: Date) => new Date(at.getTime() - 1);

const version: TariffVersion = {
  id: 1,
  tariff: { code: 'standard', name: 'Standard' },
  currency: 'EUR',
  startsOn: '2026-01-01',
  zones: [{ code: 'rest', name: 'Rest of the world', countries: null, usageMicros: 1_000_000n }],
  smsMtMicros: 0n,
  smsMoMicros: 0n,
  poolCycleMicros: 0n,
  poolOverMicros: 0n,
};
const bundle = { code: 'B', name: 'Bundle' };
const prices = { activationMicros: 2_000_000n, cycleMicros: 3_000_000n, overMicros: 10_000n };

/** The first cycle of an order: 2 MB beyond the quota, and 5 MB in a zone, 4 of which are the organisation's own. */
const chargesOf = (own: Partial<BilledCycle>) =>
  monthCharges(
    version,
    {
      startedAt: month.from,
      activatedAt: month.from,
      endsAt: month.until,
      ownsBegin: true,
      ownsEnd: true,
      facts: {
        bundle: {
          ...bundle,
          overage_policy: 'billing',
          out_of_coverage_policy: 'billing',
          coverage_countries: ['DE'],
          threshold_bytes: null,
          stop_after_bytes: null,
        },
        prices,
        usedBytes: 17n * mb,
        limitBytes: 10n * mb,
        activations: [{ ...bundle, prices }],
        byCountry: [
          { country: 'DE', bytes: 12n * mb, ownBytes: 12n * mb },
          { country: 'US', bytes: 5n * mb, ownBytes: 4n * mb },
        ],
        pooledByCountry: [],
      },
      ...own,
    },
    month,
  ).map(({ kind, amount_minor }) => `${kind} ${amount_minor}`);

const [activation, cycle, overQuota, zone] = [
  'activation 200',
  'cycle 300',
  'over-quota 2',
  'out-of-coverage 400',
];

describe('the charges of a cycle in a month', () => {
  it('are its fees and its usage if it begins and ends in the month', () => {
    expect(chargesOf({})).toEqual([activation, cycle, overQuota, zone]);
  });

  it('have the fee of the cycle in the month in which it begins, and usage in that in which it ends', () => {
    expect(chargesOf({ startedAt: before(month.from), activatedAt: before(month.from) })).toEqual([
      ...[activation, overQuota, zone],
    ]);
    expect(chargesOf({ startedAt: before(month.until), endsAt: new Date('2026-11-30') })).toEqual([
      ...[activation, cycle],
    ]);
    expect(chargesOf({ startedAt: month.until, endsAt: new Date('2026-11-30') })).toEqual([activation]);
  });

  it('have the fee of a first cycle in the month of the activation', () => {
    expect(chargesOf({ startedAt: before(month.from), activatedAt: month.from })).toContain(cycle);
    expect(chargesOf({ startedAt: before(month.until), activatedAt: month.until })).not.toContain(cycle);
  });

  it('have no fee of a cycle that began with another organisation', () => {
    expect(chargesOf({ ownsBegin: false })).toEqual([activation, overQuota, zone]);
  });

  it('have nothing beyond the quota for an organisation that gave the SIM away before the cycle ended', () => {
    expect(chargesOf({ ownsEnd: false })).toEqual([activation, cycle, zone]);
  });
});

describe('a cycle', () => {
  it('ends within a month after its first instant, and up to its end', () => {
    const ends = [month.from, new Date(month.from.getTime() + 1), month.until];
    expect(ends.map((endsAt) => endsWithin({ endsAt }, month))).toEqual([false, true, true]);
    expect(endsWithin({ endsAt: new Date(month.until.getTime() + 1) }, month)).toBe(false);
  });
});

describe('the bill of a charge', () => {
  it('is in advance for fees of prepaid bundles, and otherwise by the terms of the customer', () => {
    const prepaid = new Set(['B']);
    const type = (kind: 'activation' | 'cycle' | 'over-quota', code: string | null) =>
      billTypeOf({ kind, bundle: code === null ? null : { code, name: code } }, { prepaid, terms: 'credit' });
    expect([type('activation', 'B'), type('cycle', 'B')]).toEqual(['advance', 'advance']);
    expect([type('over-quota', 'B'), type('cycle', 'C'), type('cycle', null)]).toEqual([
      ...['credit', 'credit', 'credit'],
    ]);
  });

  it('regards test plans and both kinds of prepaid bundles as prepaid', () => {
    expect(bundleTypes.filter((type) => !isPrepaid(type))).toEqual([
      ...['postpaid flow', 'postpaid bundle', 'postpaid shared'],
    ]);
  });
});
