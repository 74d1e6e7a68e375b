import { hourMs } from '@simcube/contract/time';
import { listChargedCycles } from '../modules/pool/index.ts';
import type { TestApp } from './app.ts';
import {
  type BundleCode,
  blockBytes,
  laterTariffFrom,
  type OrgCode,
  orgCodes,
  quotaBytes,
  type YearSim,
  yearPrices,
} from './bill-year.ts';

/** The last month of the year. */
export const lastMonth = '2028-09';

/**
 * The expected bills of a year, computed from single records with a separate calendar and separate sums, so
 * that it shares no mistake with the code under test. Quantities by month, organisation, kind, item and price.
 */
export const expectedYear = async (
  { database: { pool } }: Pick<TestApp, 'database'>,
  simulated: { sims: readonly YearSim[]; orgs: Record<OrgCode, number>; poolId: number; hours: number },
): Promise<Map<string, bigint>> => {
  const { sims, orgs, poolId } = simulated;
  const { dayOf, monthOf, cyclesOf, yearEnd } = calendarAt(simulated.hours);
  const { rows: records } = await pool.query<UsageRecord>(
    // Records are materialised first, as a cluster requires.
    `with c as materialized (
       select sim_id, org_id, ended_at, plmn, (up_bytes + down_bytes)::int8 as bytes from cdrs)
     select c.sim_id as sim, c.org_id as org, c.ended_at as at, c.bytes, n.country,
       exists (select from pool_members m where m.sim_id = c.sim_id and c.ended_at >= m.enrolled_at
         and c.ended_at < coalesce(m.left_at, 'infinity')) as pooled
     from c join networks n using (plmn)`,
  );
  const billed = new Map<string, bigint>();
  const add = (key: readonly (string | number)[], quantity: number) => {
    if (quantity === 0 || String(key[0]) > lastMonth) return;
    billed.set(key.join(' '), (billed.get(key.join(' ')) ?? 0n) + BigInt(quantity));
  };
  for (const sim of sims) {
    const ownRecords = records.filter((record) => record.sim === sim.id);
    for (const [index, { start, end }] of cyclesOf(sim).entries()) {
      const startsAt = index === 0 ? sim.startsAt : start;
      const first = pricesOn(ownerAt(sim, startsAt), dayOf(startsAt));
      const monthAndOwner = [monthOf(startsAt), ownerAt(sim, startsAt)];
      add([...monthAndOwner, 'cycle', sim.bundle, first.of('cycle', sim.bundle)], 1);
      const activation = first.of('activation', sim.bundle);
      if (index === 0 && activation !== '0') add([...monthAndOwner, 'activation', sim.bundle, activation], 1);
      const used = ownRecords.filter(({ at }) => at >= start && at < end);
      const month = monthOf(new Date(end.getTime() - 1));
      const isAbroad = ({ country }: UsageRecord) => sim.bundle !== 'SHARED' && country !== 'DE';
      for (const org of orgCodes)
        for (const [zone, country] of [
          ['asia', 'JP'],
          ['rest', 'US'],
        ] as const) {
          const usedThere = used.filter(
            (one) => isAbroad(one) && one.country === country && one.org === orgs[org],
          );
          const price = pricesOn(org, dayOf(cycleDay(sim, index, start)))[zone];
          add([month, org, 'out-of-coverage', zone, micros(price)], unitsOf(sumOf(usedThere), megabyte));
        }
      const counted = sumOf(used.filter((one) => !isAbroad(one) && !one.pooled));
      const owner = ownerAt(sim, end);
      const over = pricesOn(owner, dayOf(cycleDay(sim, index, start))).of('over', sim.bundle);
      const overQuota = Math.max(0, counted - quotaBytes);
      if (over !== '0')
        add(
          [month, owner, 'over-quota', sim.bundle, over],
          unitsOf(overQuota, sim.bundle === 'FULL' ? blockBytes : megabyte),
        );
    }
  }
  const cycles = await listChargedCycles(pool, { orgId: orgs.euro, from: new Date(0), until: yearEnd });
  for (const { id, startedAt, endsAt, limit } of cycles.filter((cycle) => cycle.id === poolId)) {
    const { pool: prices } = pricesOn('euro', dayOf(startedAt));
    const used = records.filter(({ at, pooled }) => pooled && at >= startedAt && at < endsAt);
    const month = monthOf(startedAt);
    if (prices.cycle) add([month, 'euro', 'pool-cycle', id, micros(prices.cycle)], 1);
    if (prices.over)
      add(
        [month, 'euro', 'over-pool-limit', id, micros(prices.over)],
        unitsOf(Math.max(0, sumOf(used) - limit), megabyte),
      );
  }
  return billed;
};

interface UsageRecord {
  sim: number;
  /** The organisation that had the SIM when it was counted. */
  org: number;
  at: Date;
  bytes: number;
  country: string;
  pooled: boolean;
}

const megabyte = 2 ** 20;
const sumOf = (records: readonly UsageRecord[]): number => records.reduce((sum, { bytes }) => sum + bytes, 0);
const unitsOf = (bytes: number, size: number): number => Math.ceil(bytes / size);
/** A written price in millionths. */
const micros = (price: string): string => String(Math.round(Number(price) * 1e6));

const ownerAt = ({ owners }: YearSim, at: Date): OrgCode =>
  owners.findLast(({ since }) => since <= at)?.org ?? 'euro';

/**
 * The first cycle of a calendar month begins with its order; a cycle anchored to a day begins at the start of
 * that day.
 */
const cycleDay = (sim: YearSim, index: number, start: Date): Date =>
  index === 0 && sim.bundle !== 'FULL' ? sim.startsAt : start;

/** The calendar of days that are this many hours ahead of UTC. */
const calendarAt = (hours: number) => {
  const offsetMs = hours * hourMs;
  const yearEnd = new Date(Date.UTC(2028, 9, 1) - offsetMs);
  const dayOf = (at: Date): string => new Date(at.getTime() + offsetMs).toISOString().slice(0, 10);
  /** The cycles that begin within the year: months, or from the day of the order to the day before its namesake. */
  const cyclesOf = ({ bundle, startsAt }: YearSim): { start: Date; end: Date }[] => {
    const [year = 0, month = 0, date = 0] = dayOf(startsAt).split('-').map(Number);
    const cycleStart = (count: number): Date => {
      const last = new Date(Date.UTC(year, month + count, 0)).getUTCDate();
      const dayOfCycle = bundle === 'FULL' ? Math.min(date, last) : 1;
      return new Date(Date.UTC(year, month - 1 + count, dayOfCycle) - offsetMs);
    };
    const cycles: { start: Date; end: Date }[] = [];
    for (let count = 0; cycleStart(count) < yearEnd; count += 1)
      cycles.push({ start: cycleStart(count), end: cycleStart(count + 1) });
    return cycles;
  };
  return { dayOf, monthOf: (at: Date): string => dayOf(at).slice(0, 7), cyclesOf, yearEnd };
};

const pricesOn = (org: OrgCode, day: string) => {
  const code = org === 'branch' ? 'euro' : org;
  const versions = yearPrices[code === 'euro' && day >= laterTariffFrom ? 'later' : code];
  const version = versions.findLast(({ from }) => from <= day);
  if (!version) throw new Error(`No prices on ${day}`);
  const bundles: { [code in BundleCode]?: BundlePrices } = version.prices;
  return {
    asia: version.asia,
    rest: version.rest,
    pool: version.pool as { cycle?: string; over?: string },
    of: (what: 'activation' | 'cycle' | 'over', bundle: BundleCode): string =>
      micros(bundles[bundle]?.[what] ?? '0'),
  };
};

interface BundlePrices {
  activation?: string;
  cycle?: string;
  over?: string;
}
