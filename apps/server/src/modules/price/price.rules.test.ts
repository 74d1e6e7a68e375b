import { overagePolicies } from '@simcube/contract/bundle';
import type { ChargeLine } from '@simcube/contract/price';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dashboardDays } from '../../platform/clock/business-day.ts';
import { cycleAt } from '../bundle/index.ts';
import {
  type ChargedQuantity,
  type CycleFacts,
  chargeDifference,
  chargesOf,
  costValidUpTo,
  type PoolCycleFacts,
  poolChargesOf,
  poolUsageOf,
  type TariffVersion,
  toPoolUsage,
  totalOf,
  zonedBytes,
  zoneOf,
} from './price.rules.ts';

const mb = 2n ** 20n;

const version: TariffVersion = {
  id: 1,
  tariff: { code: 'standard', name: 'Standard' },
  currency: 'EUR',
  startsOn: '2026-01-01',
  zones: [
    { code: 'asia', name: 'Asia', countries: ['JP', 'IN'], usageMicros: 123_456n },
    { code: 'rest', name: 'Rest of the world', countries: null, usageMicros: 1_500_001n },
  ],
  smsMtMicros: 0n,
  smsMoMicros: 0n,
  poolCycleMicros: 0n,
  poolOverMicros: 0n,
};

/** The sum of lines before rounding, in millionths. */
const exactly = (lines: readonly ChargedQuantity[]): bigint =>
  lines.reduce((sum, line) => sum + BigInt(line.quantity) * BigInt(line.price_micros), 0n);

const factsOf = (own: Partial<CycleFacts> & { bundle?: CycleFacts['bundle'] }): CycleFacts => ({
  bundle: {
    code: 'B',
    name: 'Bundle',
    overage_policy: 'billing',
    out_of_coverage_policy: 'billing',
    coverage_countries: ['DE'],
    threshold_bytes: null,
    stop_after_bytes: null,
  },
  prices: { activationMicros: 2_000_000n, cycleMicros: 4_990_000n, overMicros: 15_000n },
  usedBytes: 0n,
  limitBytes: 10n * mb,
  ownsCycleStart: true,
  activations: [],
  byCountry: [],
  pooledByCountry: [],
  ...own,
});
const brief = (lines: readonly ChargeLine[]) =>
  lines.map(({ kind, quantity, unit, amount_minor }) => `${kind} ${quantity} ${unit} ${amount_minor}`);

interface UsageRecord {
  country: string | null;
  bytes: number;
}
const records = fc.array(
  fc.record({
    country: fc.constantFrom('DE', 'JP', 'IN', 'US', 'BR', null),
    bytes: fc.integer({ min: 0, max: 8 * 2 ** 20 }),
  }),
  { maxLength: 40 },
);
/** The facts that counters and rollups have for records. */
const factsFrom = (used: readonly UsageRecord[]): CycleFacts => {
  const byCountry = new Map<string | null, bigint>();
  for (const { country, bytes } of used) {
    byCountry.set(country, (byCountry.get(country) ?? 0n) + BigInt(bytes));
  }
  return factsOf({
    usedBytes: used.reduce((sum, { bytes }) => sum + BigInt(bytes), 0n),
    byCountry: [...byCountry].map(([country, bytes]) => ({ country, bytes, ownBytes: bytes })),
  });
};
const chargesFrom = (used: readonly UsageRecord[]) => chargesOf(version, factsFrom(used));

describe('a zone', () => {
  it('is the one that names the country, else the rest of the world; none where the country is not known', () => {
    expect(['JP', 'US', null].map((country) => zoneOf(version, country)?.code)).toEqual([
      'asia',
      'rest',
      undefined,
    ]);
    expect(zoneOf({ zones: [] }, 'US')).toBeUndefined();
  });
});

describe('usage charged by zone', () => {
  it('is the part out of coverage, in known countries', () => {
    const usage = [
      { country: 'DE', bytes: 1n },
      { country: 'JP', bytes: 2n },
      { country: 'US', bytes: 4n },
      { country: null, bytes: 8n },
    ];
    expect(zonedBytes(version, factsOf({}).bundle, usage)).toBe(6n);
  });
});

describe('charges of a cycle', () => {
  it('are its fees, usage beyond the quota and usage out of coverage, each line rounded', () => {
    const order = { code: 'B', name: 'Bundle', prices: factsOf({}).prices };
    const topUp = { code: 'T', name: 'Top-up', prices: { ...order.prices, activationMicros: 1_005_000n } };
    const lines = chargesOf(
      version,
      factsOf({
        usedBytes: 13n * mb + 1n + 3n * mb,
        activations: [order, topUp, topUp],
        byCountry: [
          { country: 'DE', bytes: 13n * mb + 1n, ownBytes: 13n * mb + 1n },
          { country: 'JP', bytes: mb, ownBytes: mb },
          { country: 'IN', bytes: mb / 2n, ownBytes: mb / 2n },
          { country: 'US', bytes: (3n * mb) / 2n, ownBytes: (3n * mb) / 2n },
        ],
      }),
    );
    expect(brief(lines)).toEqual([
      'activation 1 each 200',
      'activation 2 each 201',
      'cycle 1 each 499',
      'over-quota 4 MB 6',
      'out-of-coverage 2 MB 25',
      'out-of-coverage 2 MB 300',
    ]);
    expect(totalOf(lines)).toBe(200 + 201 + 499 + 6 + 25 + 300);
  });

  const policy = (own: Partial<CycleFacts['bundle']>, used: bigint) =>
    brief(
      chargesOf(
        version,
        factsOf({ bundle: { ...factsOf({}).bundle, ...own }, ownsCycleStart: false, usedBytes: used }),
      ),
    );

  it.each([
    ['stop', {}, []],
    ['billing', {}, ['over-quota 6 MB 9']],
    ['billing and slow down', {}, ['over-quota 6 MB 9']],
    ['billing and threshold', { threshold_bytes: 4 * 2 ** 20 }, ['over-quota 2 block 3']],
    ['billing and threshold', {}, ['over-quota 6 MB 9']],
    ['billing then stop after', { stop_after_bytes: 3 * 2 ** 20 }, ['over-quota 3 MB 5']],
    ['billing then stop after', { stop_after_bytes: 9 * 2 ** 20 }, ['over-quota 6 MB 9']],
    ['billing then stop after', {}, ['over-quota 6 MB 9']],
    ['billing', { threshold_bytes: 4 * 2 ** 20, stop_after_bytes: 3 * 2 ** 20 }, ['over-quota 6 MB 9']],
  ] as const)('beyond the quota under "%s"', (overage_policy, own, lines) =>
    expect(policy({ overage_policy, ...own }, 15n * mb + 1n)).toEqual(lines),
  );

  it('start with the first octet beyond the quota', () => {
    expect(policy({}, 10n * mb)).toEqual([]);
    expect(policy({}, 10n * mb + 1n)).toEqual(['over-quota 1 MB 2']);
  });

  it('without a limit, or for usage in covered countries, are the fees alone', () => {
    const used = { usedBytes: 99n * mb, limitBytes: null };
    const byCountry = [{ country: 'DE', bytes: 99n * mb, ownBytes: 99n * mb }];
    expect(brief(chargesOf(version, factsOf({ ...used, byCountry })))).toEqual(['cycle 1 each 499']);
  });

  it.each(['shut down', 'not applicable'] as const)(
    'out of coverage under "%s" are those beyond the quota',
    (out_of_coverage_policy) => {
      const byCountry = [{ country: 'JP', bytes: 12n * mb, ownBytes: 12n * mb }];
      const bundle = { ...factsOf({}).bundle, out_of_coverage_policy };
      expect(brief(chargesOf(version, factsOf({ bundle, usedBytes: 12n * mb, byCountry })))).toEqual([
        'cycle 1 each 499',
        'over-quota 2 MB 3',
      ]);
    },
  );

  it('name the bundle or the zone, and octets only where they are counted', () => {
    const byCountry = [{ country: 'JP', bytes: mb, ownBytes: mb }];
    const [bundle, asia] = [
      { code: 'B', name: 'Bundle' },
      { code: 'asia', name: 'Asia' },
    ];
    expect(chargesOf(version, factsOf({ usedBytes: 12n * mb, byCountry }))).toMatchObject([
      { kind: 'cycle', bundle, zone: null, bytes: null },
      { kind: 'over-quota', bundle, zone: null, bytes: Number(mb) },
      { kind: 'out-of-coverage', bundle: null, zone: asia, bytes: Number(mb) },
    ]);
  });

  it('of a transferred SIM have the new organisation’s part of usage by zone, and no earlier fees', () => {
    const byCountry = [{ country: 'JP', bytes: 20n * mb, ownBytes: 2n * mb }];
    expect(
      brief(chargesOf(version, factsOf({ usedBytes: 20n * mb, ownsCycleStart: false, byCountry }))),
    ).toEqual(['out-of-coverage 2 MB 25']);
  });

  it('do not depend on the order of records', () =>
    fc.assert(
      fc.property(
        records.chain((used) =>
          fc.tuple(fc.constant(used), fc.shuffledSubarray(used, { minLength: used.length })),
        ),
        ([used, shuffled]) => {
          expect(chargesFrom(shuffled)).toEqual(chargesFrom(used));
        },
      ),
    ));

  it('are what was charged before and the difference from a late record, whenever it arrives', () =>
    fc.assert(
      fc.property(records, fc.nat(), (used, at) => {
        const cut = used.length === 0 ? 0 : at % (used.length + 1);
        const [before, after] = [chargesFrom(used.slice(0, cut)), chargesFrom(used)];
        const late = chargeDifference(after, before);
        expect(exactly(before) + exactly(late)).toBe(exactly(after));
        expect(late.filter(({ quantity }) => quantity === 0)).toEqual([]);
        expect(chargeDifference(after, after)).toEqual([]);
      }),
    ));

  it('of each record as a difference add up to those of all', () =>
    fc.assert(
      fc.property(records, (used) => {
        let charged = chargesFrom([]);
        let sum = exactly(charged);
        for (let count = 1; count <= used.length; count += 1) {
          const now = chargesFrom(used.slice(0, count));
          sum += exactly(chargeDifference(now, charged));
          charged = now;
        }
        expect(sum).toBe(exactly(chargesFrom(used)));
      }),
    ));

  it('are differences from all that was charged, also under former names', () => {
    const charged: ChargedQuantity = {
      kind: 'out-of-coverage',
      bundle: null,
      zone: { code: 'asia', name: 'Asia' },
      unit: 'MB',
      price_micros: 1_000_000,
      quantity: 3,
      bytes: 3_000_000,
    };
    const renamed = { ...charged, zone: { code: 'asia', name: 'APAC' }, quantity: 2, bytes: 2_000_000 };
    const now = { ...renamed, quantity: 6, bytes: 6_000_000 };
    expect(chargeDifference([now], [charged, renamed])).toEqual([{ ...now, quantity: 1, bytes: 1_000_000 }]);
    expect(chargeDifference([], [charged, renamed])).toMatchObject([{ quantity: -5, bytes: -5_000_000 }]);
  });

  it('are differences without octets where none are counted', () => {
    const fee: ChargedQuantity = {
      kind: 'activation',
      bundle: { code: 'B', name: 'Bundle' },
      zone: null,
      unit: 'each',
      price_micros: 1_000_000,
      quantity: 2,
      bytes: null,
    };
    expect(chargeDifference([{ ...fee, quantity: 5 }], [fee, fee])).toEqual([{ ...fee, quantity: 1 }]);
    expect(chargeDifference([], [fee])).toEqual([{ ...fee, quantity: -2 }]);
  });

  it('charge no octet twice: covered usage and that of zones are all usage', () =>
    fc.assert(
      fc.property(records, (used) => {
        const lines = chargesOf(version, { ...factsFrom(used), limitBytes: 0n });
        const charged = lines.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
        expect(charged).toBe(used.reduce((sum, { bytes }) => sum + bytes, 0));
      }),
    ));
});

describe('a cost', () => {
  const bundles = fc.record({
    code: fc.constant('B'),
    name: fc.constant('Bundle'),
    overage_policy: fc.constantFrom(...overagePolicies),
    out_of_coverage_policy: fc.constant('shut down' as const),
    coverage_countries: fc.constant<string[]>(['DE']),
    threshold_bytes: fc.constant(Number(3n * mb)),
    stop_after_bytes: fc.constant(Number(2n * mb)),
  });
  const amount = fc.bigInt({ min: 0n, max: 20n * mb });

  it('stays the same up to the usage that it states', () =>
    fc.assert(
      fc.property(
        bundles,
        fc.option(amount),
        amount,
        amount,
        fc.constantFrom(0n, 1n, 15_000n),
        (bundle, limitBytes, usedBytes, more, overMicros) => {
          const facts = factsOf({ bundle, limitBytes, usedBytes });
          const priced = { ...facts, prices: { ...facts.prices, overMicros } };
          const to = costValidUpTo(version, priced);
          const then = to === null || usedBytes + more < to ? usedBytes + more : to;
          expect(chargesOf(version, { ...priced, usedBytes: then })).toEqual(chargesOf(version, priced));
        },
      ),
    ));

  it('is valid for no other usage if a zone may be charged', () => {
    const facts = factsOf({ usedBytes: 5n });
    expect(costValidUpTo(version, facts)).toBe(5n);
    expect(costValidUpTo({ zones: version.zones.slice(1) }, facts)).toBe(5n);
    expect(costValidUpTo({ zones: [] }, facts)).toBe(10n * mb);
    const bundles = [{ coverage_countries: [] }, { out_of_coverage_policy: 'shut down' as const }];
    for (const own of bundles) {
      expect(costValidUpTo(version, { ...facts, bundle: { ...facts.bundle, ...own } })).toBe(10n * mb);
    }
  });

  it('is valid up to the quota and what counted for pools, and for any usage if none beyond is charged', () => {
    const facts = factsOf({ usedBytes: 5n, pooledByCountry: [{ country: 'DE', bytes: 2n * mb }] });
    const upTo = (own: Partial<CycleFacts>) => costValidUpTo({ zones: [] }, { ...facts, ...own });
    expect(upTo({})).toBe(12n * mb);
    expect(upTo({ limitBytes: null })).toBeNull();
    expect(upTo({ bundle: { ...facts.bundle, overage_policy: 'stop' } })).toBeNull();
    expect(upTo({ prices: { ...facts.prices, overMicros: 0n } })).toBeNull();
  });
});

describe('the charges of a shared pool', () => {
  const priced = { ...version, poolCycleMicros: 25_000_000n, poolOverMicros: 20_000n };
  const poolOf = (own: Partial<PoolCycleFacts>): PoolCycleFacts => ({
    policy: 'no limit',
    usedBytes: 0n,
    limitBytes: 10n * mb,
    zonedBytes: 0n,
    ...own,
  });

  it('are the fee of the cycle and started megabytes beyond the limit, if usage continues there', () => {
    const used = { usedBytes: 12n * mb + 1n };
    expect(brief(poolChargesOf(priced, poolOf(used)))).toEqual([
      'pool-cycle 1 each 2500',
      'over-pool-limit 3 MB 6',
    ]);
    expect(brief(poolChargesOf(priced, poolOf({ ...used, policy: 'stop overage SIMs' })))).toEqual([
      'pool-cycle 1 each 2500',
    ]);
    expect(brief(poolChargesOf(priced, poolOf({ usedBytes: 10n * mb })))).toEqual(['pool-cycle 1 each 2500']);
    expect(poolChargesOf(version, poolOf(used))).toEqual([]);
  });

  it('leave out what zones are charged for, and begin with the first octet beyond the limit', () => {
    const used = { usedBytes: 12n * mb, zonedBytes: 2n * mb };
    const limits = [11n * mb, 10n * mb, 10n * mb - 1n];
    const usages = limits.map((limitBytes) => toPoolUsage(poolUsageOf(poolOf({ ...used, limitBytes }))));
    expect(usages.map(({ beyond_bytes }) => beyond_bytes)).toEqual([0, 0, 1]);
    const [used_bytes, zoned_bytes, limit_bytes] = [12n, 2n, 11n].map((count) => Number(count * mb));
    expect(usages[0]).toEqual({ used_bytes, zoned_bytes, limit_bytes, beyond_bytes: 0 });
  });

  it('and those of its members charge each octet once, whenever it left', () =>
    fc.assert(
      fc.property(records, fc.nat(), (used, at) => {
        // Up to a record the SIM was in the pool, afterwards on its own; neither gets anything for free.
        const pooled = used.slice(0, at % (used.length + 1));
        const member = factsFrom(used);
        const inPool = factsFrom(pooled);
        const zoned = zonedBytes(priced, inPool.bundle, inPool.byCountry);
        const lines = [
          ...chargesOf(priced, { ...member, limitBytes: 0n, pooledByCountry: inPool.byCountry }),
          ...poolChargesOf(
            priced,
            poolOf({ usedBytes: inPool.usedBytes, limitBytes: 0n, zonedBytes: zoned }),
          ),
        ];
        const charged = lines.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
        expect(charged).toBe(used.reduce((sum, { bytes }) => sum + bytes, 0));
      }),
    ));
});

describe('the version of a cycle', () => {
  it.each([
    ['full month', '2026-01-31T04:00:00Z', '2026-02-28T05:00:00Z', '2026-02-28'],
    ['full month', '2026-01-31T04:00:00Z', '2028-02-29T05:00:00Z', '2028-02-29'],
    ['month', '2026-01-31T04:00:00Z', '2026-02-28T16:00:00Z', '2026-03-01'],
    ['day', '2028-02-28T04:00:00Z', '2028-02-28T16:00:00Z', '2028-02-29'],
    ['full year', '2028-02-29T04:00:00Z', '2029-03-01T00:00:00Z', '2029-02-28'],
  ] as const)('of %s from %s is that of its first day in UTC+8', (resetCycle, activatedAt, at, day) => {
    const cycle = cycleAt({ resetCycle, activatedAt: new Date(activatedAt), at: new Date(at) });
    expect(dashboardDays.dayOf(cycle.startedAt)).toBe(day);
  });
});
