import fc from 'fast-check';
import { operatorActor } from '../modules/audit/index.ts';
import { createBundle, moveOrders } from '../modules/bundle/index.ts';
import { rollOverPoolsAt } from '../modules/pool/index.ts';
import { enrolSims, exitSims } from '../modules/pool/membership/membership.service.ts';
import { bindTariff } from '../modules/price/index.ts';
import { applyTariffs } from '../modules/price/tariffs/tariffs.service.ts';
import { applyZones } from '../modules/price/tariffs/zones.service.ts';
import { lockLive, moveSims } from '../modules/sim/transfer/transfer.queries.ts';
import { turnDueCycles } from '../modules/usage/cycle-turns.service.ts';
import { recordUsageHandover } from '../modules/usage/index.ts';
import { ensurePartitions, inTransaction } from '../platform/db/index.ts';
import { makeOrganisation, type TestApp } from './app.ts';
import { bundleOf } from './bundles.ts';
import { makePool } from './pools.ts';
import { importUsage, makeSimWithBundles, tariff } from './prices.ts';

/** A year of bills with a leap day: October 2027 to September 2028. */
export const yearOfBills = { first: '2027-10', months: 12 };
/** Its beginning in local business time, written as if it were UTC. */
const localBegin = Date.parse('2027-10-01T00:00:00Z');

const megabyte = 2 ** 20;
const minute = 60_000;
const day = 24 * 60 * minute;
const yearDays = 366;
const hour = 60 * minute;

export const orgCodes = ['euro', 'branch', 'yen', 'dinar'] as const;
export type OrgCode = (typeof orgCodes)[number];
export type BundleCode = 'MONTH' | 'FULL' | 'PREPAID' | 'SHARED';
export const quotaBytes = 10 * megabyte;
/** The block size in which FULL charges usage beyond its quota. */
export const blockBytes = 5 * megabyte;

/** The events of a year, in milliseconds from its beginning. */
export interface YearPlan {
  /** By how much business days are ahead of UTC. */
  hours: number;
  sims: { org: OrgCode; bundle: BundleCode; startsAt: number }[];
  records: {
    sim: number;
    at: number;
    bytes: number;
    country: 'DE' | 'JP' | 'US';
    late: number;
    twice: boolean;
  }[];
  transfers: { sim: number; to: OrgCode; at: number }[];
  memberships: { sim: number; at: number; joins: boolean }[];
  raises: { at: number; bytes: number }[];
}

const minutesOf = (days: number) =>
  fc.integer({ min: 1, max: days * 1440 }).map((minutes) => minutes * minute);
const simOf = fc.nat(9);

/** Days on which cycles end, and the leap day: the second before midnight and midnight itself. */
const cycleEnds = [
  '2027-10-31',
  '2028-01-31',
  '2028-02-28',
  '2028-02-29',
  '2028-04-30',
  '2028-09-30',
].flatMap((date) => {
  const end = Date.parse(`${date}T00:00:00Z`) + day - localBegin;
  return [end - 1000, end, end - day];
});

export const yearPlan: fc.Arbitrary<YearPlan> = fc.record({
  hours: fc.constantFrom(8, 8, -5, 14),
  sims: fc
    .array(
      fc.record({
        org: fc.constantFrom(...orgCodes),
        bundle: fc.constantFrom<BundleCode>('MONTH', 'FULL', 'PREPAID'),
        startsAt: fc.oneof(minutesOf(60), fc.constant(30 * day + 5 * minute)),
      }),
      { minLength: 7, maxLength: 7 },
    )
    .chain((plain) =>
      fc.array(minutesOf(60), { minLength: 3, maxLength: 3 }).map((shared) => [
        // Each organisation has one at the start.
        ...plain.map((sim, index) => ({ ...sim, org: orgCodes[index] ?? sim.org })),
        ...shared.map((startsAt) => ({ org: 'euro', bundle: 'SHARED', startsAt }) as const),
      ]),
    ),
  records: fc.array(
    fc.record({
      sim: simOf,
      at: fc.oneof(minutesOf(yearDays), fc.constantFrom(...cycleEnds)),
      bytes: fc.integer({ min: 1, max: 25 * megabyte }),
      country: fc.constantFrom('DE', 'DE', 'JP', 'US'),
      late: fc.oneof(fc.constant(0), minutesOf(45)),
      twice: fc.boolean(),
    }),
    { minLength: 110, maxLength: 110 },
  ),
  transfers: fc.array(
    fc.record({
      sim: fc.nat(6),
      to: fc.constantFrom(...orgCodes),
      at: fc.nat(yearDays).map((days) => days * day),
    }),
    { minLength: 8, maxLength: 8 },
  ),
  memberships: fc.array(
    fc.record({
      sim: fc.integer({ min: 7, max: 9 }),
      // Between the minutes, so that a record at the very instant of an exit has already been counted.
      at: minutesOf(yearDays).map((at) => at + minute / 2),
      joins: fc.boolean(),
    }),
    { minLength: 12, maxLength: 12 },
  ),
  raises: fc.array(fc.record({ at: minutesOf(yearDays), bytes: fc.integer({ min: 1, max: 5 * megabyte }) }), {
    maxLength: 3,
  }),
});

const bundlePrices = (cycle: string, over: string) => ({
  MONTH: { activation: '1', cycle, over },
  FULL: { activation: '0.333333', cycle, over },
  PREPAID: { activation: '3', cycle },
  SHARED: { cycle, over },
});

/** Versions of each organisation's tariffs by their first days; prices as written. */
export const yearPrices = {
  euro: [
    {
      from: '2027-01-01',
      prices: bundlePrices('4.99', '0.0153'),
      asia: '0.1234',
      rest: '1.5',
      pool: { cycle: '25', over: '0.0217' },
    },
    {
      from: '2028-01-15',
      prices: bundlePrices('5.49', '0.0166'),
      asia: '0.1111',
      rest: '1.25',
      pool: { cycle: '20', over: '0.03' },
    },
  ],
  // Without a fee for pools: a pool within its limit is on no bill.
  later: [
    {
      from: '2027-01-01',
      prices: bundlePrices('3.333333', '0.009999'),
      asia: '0.2',
      rest: '0.7',
      pool: { over: '0.05' },
    },
  ],
  yen: [
    { from: '2027-01-01', prices: bundlePrices('500', '1.5'), asia: '7.25', rest: '90', pool: {} },
    { from: '2028-06-01', prices: bundlePrices('512.5', '1.333333'), asia: '8.125', rest: '88', pool: {} },
  ],
  dinar: [
    {
      from: '2027-01-01',
      prices: bundlePrices('1.2345', '0.00515'),
      asia: '0.0335',
      rest: '0.4444',
      pool: {},
    },
  ],
} as const;

/** From this day on the organisation euro, and so branch, has the tariff "later". */
export const laterTariffFrom = '2028-04-01';
const currencies = { euro: 'EUR', later: 'EUR', yen: 'JPY', dinar: 'KWD' } as const;

export interface YearSim {
  id: number;
  bundle: BundleCode;
  startsAt: Date;
  /** Its owners, and since when. */
  owners: { org: OrgCode; since: Date }[];
}

/** Called at the beginning of the first three business days of a month. */
type DayCallback = (month: string, dayOfMonth: number) => Promise<void>;

/**
 * Simulates a year: `begin` is called before anything happens, `beforeCycles` before a day's cycles end, `afterCycles`
 * after.
 */
export const simulateYear = async (
  test: TestApp,
  plan: YearPlan,
  {
    afterCycles,
    beforeCycles = async () => undefined,
    begin: prepare = async () => undefined,
  }: {
    afterCycles: DayCallback;
    beforeCycles?: DayCallback;
    begin?: (orgs: Readonly<Record<OrgCode, number>>) => Promise<void>;
  },
) => {
  const { pool } = test.database;
  const { orgs, shared } = await setUpYear(test, new Date(localBegin - plan.hours * hour));
  await prepare(orgs);
  const sims: YearSim[] = [];
  const yearBegin = localBegin - plan.hours * hour;
  const midnightUtc = (plan.hours + 24) % 24;
  const at = (offset: number) => new Date(yearBegin + offset);
  const iccids: string[] = [];
  const begin = async (index: number) => {
    const sim = plan.sims[index];
    if (!sim) throw new Error('No such SIM');
    const startsAt = at(sim.startsAt);
    const made = await makeSimWithBundles(test, {
      orgId: orgs[sim.org],
      now: startsAt,
      bundles: [sim.bundle === 'SHARED' ? shared.spec.bundle : sim.bundle],
    });
    sims[index] = {
      id: made.id,
      bundle: sim.bundle,
      startsAt,
      owners: [{ org: sim.org, since: new Date(0) }],
    };
    iccids[index] = made.iccid;
  };
  const transfer = async ({ sim: index, to }: YearPlan['transfers'][number], now: Date) => {
    const sim = sims[index];
    const from = sim?.owners.at(-1)?.org;
    if (!sim || !from || from === to) return;
    const transferred = { simIds: [sim.id], from: orgs[from], to: orgs[to], at: now };
    await inTransaction(pool, async (tx) => {
      await lockLive(tx, transferred.simIds);
      await moveSims(tx, transferred, []);
      await recordUsageHandover(tx, { simIds: transferred.simIds, at: now });
      await moveOrders(tx, { simIds: transferred.simIds, orgId: transferred.to });
    });
    sim.owners.push({ org: to, since: now });
  };
  const joined = new Set<number>();
  const join = async ({ sim: index, joins }: YearPlan['memberships'][number], now: Date) => {
    const sim = sims[index];
    if (!sim || joined.has(index) === joins) return;
    const simIds = [sim.id];
    const membership = { poolId: shared.id, sims: [{ simId: sim.id, enrolledAt: now }], now };
    await inTransaction(pool, (tx) =>
      joins ? enrolSims(tx, membership) : exitSims(tx, { simIds, reason: 'ordered', now }),
    );
    if (joins) joined.add(index);
    else joined.delete(index);
  };
  const occurrences = [
    ...plan.sims.map(({ startsAt }, index) => ({ at: startsAt, run: () => begin(index) })),
    ...plan.records.flatMap((record) => {
      const startsAt = plan.sims[record.sim]?.startsAt ?? 0;
      const usedAt = Math.max(record.at, startsAt + minute);
      const importRecord = () =>
        importUsage(test, iccids[record.sim] ?? '', [{ ...record, at: at(usedAt).toISOString() }]);
      const arrival = { at: usedAt + record.late, run: importRecord };
      return record.twice ? [arrival, { ...arrival, at: arrival.at + day }] : [arrival];
    }),
    ...plan.transfers.map((one) => ({
      at: one.at + midnightUtc * hour,
      run: () => transfer(one, at(one.at + midnightUtc * hour)),
    })),
    ...plan.memberships.map((one) => ({ at: one.at, run: () => join(one, at(one.at)) })),
    ...plan.raises.map((one) => ({ at: one.at, run: () => shared.raise(one.bytes, at(one.at)) })),
  ].toSorted((one, other) => one.at - other.at);
  const run = async (offset: number, what: () => Promise<unknown>, first?: () => Promise<unknown>) => {
    test.clock.set(at(offset).toISOString());
    await first?.();
    await turnDueCycles({ pool, now: at(offset) });
    await inTransaction(pool, (tx) => rollOverPoolsAt(tx, at(offset)));
    await what();
  };
  // Two more months contain the corrections of the last one.
  for (let dayOffset = 0; dayOffset < (yearDays + 65) * day; dayOffset += day) {
    const local = new Date(localBegin + dayOffset).toISOString();
    const dayOfMonth = Number(local.slice(8, 10));
    const callbackOf = (what: DayCallback) => () => what(local.slice(0, 7), dayOfMonth);
    if (dayOfMonth <= 3 && dayOffset > 0)
      await run(dayOffset + 25 * minute, callbackOf(afterCycles), callbackOf(beforeCycles));
    for (const one of occurrences)
      if (one.at >= dayOffset && one.at < dayOffset + day) await run(one.at, one.run);
  }
  return { sims, orgs, poolId: shared.id, hours: plan.hours };
};

const setUpYear = async (test: TestApp, start: Date) => {
  const { pool } = test.database;
  test.clock.set(start.toISOString());
  await ensurePartitions(pool, new Date('2027-08-01T00:00:00Z'), new Date('2028-12-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  const orgs = {} as Record<OrgCode, number>;
  for (const code of orgCodes) {
    const parentCode = code === 'branch' ? 'euro' : 'operator';
    orgs[code] = (await makeOrganisation(test, { code, parentCode })).id;
  }
  await pool.query(
    `insert into networks values (262001, '262', '01', 'A', 'DE'), (440010, '440', '10', 'B', 'JP'),
       (310410, '310', '410', 'C', 'US') on conflict do nothing`,
  );
  const common = {
    quota_bytes: quotaBytes,
    duration_days: null,
    coverage_countries: ['DE'],
    out_of_coverage_policy: 'billing' as const,
  };
  const month = {
    ...common,
    type: 'postpaid bundle',
    overage_policy: 'billing',
    reset_cycle: 'month',
  } as const;
  const blocks = { overage_policy: 'billing and threshold', threshold_bytes: blockBytes } as const;
  for (const bundle of [
    bundleOf({ ...month, code: 'MONTH' }),
    bundleOf({ ...month, ...blocks, code: 'FULL', reset_cycle: 'full month' }),
    bundleOf({ ...month, code: 'PREPAID', type: 'prepaid basic', overage_policy: 'stop' }),
  ])
    await createBundle(pool, bundle);
  const shared = await makePool(pool, orgs.euro, {
    now: start,
    bundle: 'SHARED',
    quotaBytes,
    policy: 'no limit',
  });
  const by = { actor: operatorActor(), at: start };
  await inTransaction(pool, async (tx) => {
    const zones = [{ code: 'rest', name: 'Rest of the world', countries: 'rest' as const }];
    await applyZones(tx, [{ code: 'asia', name: 'Asia', countries: ['JP'] }, ...zones], by);
    for (const [code, versions] of Object.entries(yearPrices)) {
      const currency = currencies[code as keyof typeof currencies];
      const tariffVersions = versions.map(({ from, prices, asia, rest, pool: poolPrices }) => ({
        starts_on: from,
        bundles: prices,
        zones: { asia, rest },
        pool: poolPrices,
      }));
      await applyTariffs(tx, [tariff({ code, name: code, currency, versions: tariffVersions })], by);
    }
    for (const code of ['euro', 'yen', 'dinar'])
      await bindTariff(tx, { organisation: code, tariff: code, from: '2027-01-01' }, by);
    await bindTariff(tx, { organisation: 'euro', tariff: 'later', from: laterTariffFrom }, by);
  });
  return { orgs, shared };
};
