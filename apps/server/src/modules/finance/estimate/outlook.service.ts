import { secondMs } from '@simcube/contract/time';
import { dashboardDays } from '../../../platform/clock/business-day.ts';
import { groupBy } from '../../../platform/collections/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { type Cycle, cycleAfter, cycleAt, orderEnd } from '../../bundle/index.ts';
import {
  type BilledPoolCycle,
  forecastOf,
  listChargedCycles,
  listForecastDays,
  listPooledSpans,
} from '../../pool/index.ts';
import {
  type ChargedQuantity,
  chargeDifference,
  findBundlePrices,
  findVersions,
  poolChargesOf,
  type TariffVersion,
} from '../../price/index.ts';
import {
  type BilledCycle,
  billTypeOf,
  endsWithin,
  isPrepaid,
  monthCharges,
  usageCharges,
} from '../charges/cycle-charges.rules.ts';
import { amountsOf, type LineBook } from '../charges/line-book.rules.ts';
import { isDue, poolFacts } from '../charges/pool-charges.service.ts';
import { poolUsageFacts } from '../charges/pool-usage.service.ts';
import type { Section } from '../charges/section.rules.ts';
import { type ChargedSims, commonFacts, dayOf, lineFacts } from '../charges/section-charges.service.ts';
import {
  expectedMore,
  inScenario,
  type Pace,
  type Scenario,
  type Spread,
  scenarios,
  usageWithoutCountry,
  withMorePoolUsage,
  withMoreUsage,
} from './outlook.rules.ts';
import {
  listDailyParts,
  listRunning,
  listWaiting,
  type OrderPeriod,
  type RunningSim,
  type WaitingOrder,
} from './outlook.views.ts';

/** The rest of a section's month. */
export interface Outlook {
  section: Section;
  now: Date;
  spread: Spread;
  /** Each of them already contains the month so far. */
  books: Readonly<Record<Scenario, LineBook>>;
}

/** Adds the expected charges of SIMs to the end of the month: usage of running cycles, and cycles to come. */
export const addExpectedSims = async (sql: Sql, outlook: Outlook, basis: ChargedSims): Promise<void> => {
  const { section, now } = outlook;
  const running = await listRunning(sql, { simIds: basis.simIds, orgId: section.orgId, now });
  const members = running.filter(({ pooled }) => pooled);
  const spans = members.map(({ sim_id: simId }) => ({ simId, from: now, to: new Date(now.getTime() + 1) }));
  const poolMembers = new Set(
    (spans.length > 0 ? await listPooledSpans(sql, spans) : []).map(({ simId }) => simId),
  );
  const rows = new Map(basis.rows.map((row) => [keyOf(row), row]));
  for (const sim of running) {
    const row = rows.get(keyOf(sim));
    const version = row && basis.versions.get(dayOf(row));
    if (!version || !row.owns_end) continue;
    const cycle = basis.cycleOf(row);
    if (endsWithin(cycle, section.month)) {
      addRunningCycle(outlook, { version, cycle, sim, isPooled: poolMembers.has(sim.sim_id) });
    }
  }
  await addComingCycles(sql, outlook, { running, poolMembers });
};

const keyOf = ({ sim_id, cycle_started_at: at }: Pick<RunningSim, 'sim_id' | 'cycle_started_at'>): string =>
  `${sim_id} ${at.getTime()}`;

const secondsFrom = (from: Date, until: Date): bigint =>
  BigInt(Math.max(0, Math.floor((until.getTime() - from.getTime()) / secondMs)));

const later = (one: Date, other: Date): Date => (one > other ? one : other);

/** Its usage in its running cycle and in recently ended ones. */
const paceOf = (sim: RunningSim, now: Date): Pace => ({
  used: BigInt(sim.used_bytes) + BigInt(sim.former_bytes),
  seconds: secondsFrom(sim.cycle_started_at, now) + BigInt(sim.former_seconds),
});

const endOf = ({ expires_at: end }: Pick<OrderPeriod, 'expires_at'>, endsAt: Date): Date =>
  end && end < endsAt ? end : endsAt;

const addRunningCycle = (
  outlook: Outlook,
  input: { version: TariffVersion; cycle: BilledCycle; sim: RunningSim; isPooled: boolean },
): void => {
  const { version, cycle, sim, isPooled } = input;
  const pace = paceOf(sim, outlook.now);
  const remaining = secondsFrom(outlook.now, cycle.endsAt);
  const before = usageCharges(version, cycle);
  for (const scenario of scenarios) {
    const more = expectedMore(pace, remaining, outlook.spread[scenario]);
    const after = usageCharges(version, withMoreUsage(cycle, { more, isPooled }));
    addLines(outlook, { scenario, version, lines: chargeDifference(after, before), prepaid: noPrepaid });
  }
};

const noPrepaid: ReadonlySet<string> = new Set();

const addLines = (
  { section, books }: Outlook,
  work: {
    scenario: Scenario;
    version: TariffVersion;
    lines: readonly ChargedQuantity[];
    prepaid: ReadonlySet<string>;
  },
): void => {
  const { scenario, version, lines, prepaid } = work;
  for (const line of lines) {
    const type = billTypeOf(line, { prepaid, terms: section.terms });
    books[scenario].add({ ...commonFacts(section, version), type, ...lineFacts(line) }, amountsOf(line));
  }
};

interface ComingCycle {
  sim: RunningSim;
  order: OrderPeriod;
  cycle: Cycle;
}

/** Cycles that begin before the month ends: their fees, and the usage of those that end in it. */
const addComingCycles = async (
  sql: Sql,
  outlook: Outlook,
  { running, poolMembers }: { running: readonly RunningSim[]; poolMembers: ReadonlySet<number> },
): Promise<void> => {
  const { section } = outlook;
  const coming = await listComing(sql, running, section.month.until);
  if (coming.length === 0) return;
  const days = coming.map(({ cycle }) => dashboardDays.dayOf(cycle.startedAt));
  const versions = await findVersions(sql, { ...section, days });
  const pricesOf = await findBundlePrices(
    sql,
    [...versions.values()].map(({ id }) => id),
  );
  for (const { sim, order, cycle } of coming) {
    const version = versions.get(dashboardDays.dayOf(cycle.startedAt));
    if (!version) continue;
    const pace = paceOf(sim, outlook.now);
    const prices = pricesOf(version.id, order.bundle_id);
    const begins = cycle.startedAt.getTime() === order.activated_at.getTime();
    const facts = {
      bundle: order,
      prices,
      limitBytes: order.quota_bytes === null ? null : BigInt(order.quota_bytes),
      activations: begins ? [{ ...order, prices }] : [],
    };
    const prepaid = isPrepaid(order.type) ? new Set([order.code]) : noPrepaid;
    const isPooled = order === sim && poolMembers.has(sim.sim_id);
    const length = secondsFrom(cycle.startedAt, cycle.endsAt);
    for (const scenario of scenarios) {
      const usage = usageWithoutCountry(expectedMore(pace, length, outlook.spread[scenario]), isPooled);
      const owned = { ...cycle, activatedAt: order.activated_at, ownsBegin: true, ownsEnd: true };
      const lines = monthCharges(version, { ...owned, facts: { ...facts, ...usage } }, section.month);
      addLines(outlook, { scenario, version, lines, prepaid });
    }
  }
};

/** Cycles that begin before an instant, of the orders in use and of those that follow them. */
const listComing = async (sql: Sql, running: readonly RunningSim[], until: Date): Promise<ComingCycle[]> => {
  const ending = running.filter((sim) => endOf(sim, until) < until);
  const simIds = ending.map(({ sim_id: id }) => id);
  const orders = simIds.length > 0 ? await listWaiting(sql, simIds) : [];
  const waiting = groupBy(orders, (order) => order.sim_id);
  return running.flatMap((sim) => {
    const coming = cyclesOf(sim, { from: sim.cycle_ends_at, until });
    const later = followingOrders(sim, waiting.get(sim.sim_id) ?? []).map((order) => ({
      order,
      cycles: cyclesOf(order, { from: order.activated_at, until }),
    }));
    return [{ order: sim, cycles: coming }, ...later].flatMap(({ order, cycles }) =>
      cycles.map((cycle) => ({ sim, order, cycle })),
    );
  });
};

/** Each begins when the one before it ends. */
const followingOrders = (sim: RunningSim, waiting: readonly WaitingOrder[]): OrderPeriod[] => {
  const orders: OrderPeriod[] = [];
  let begin = sim.expires_at;
  for (const order of waiting) {
    if (!begin) break;
    const end = orderEnd(begin, order.duration_days);
    orders.push({ ...order, activated_at: begin, expires_at: end });
    begin = end;
  }
  return orders;
};

/** The cycles of an order that begin within a time; its last one ends with it. */
const cyclesOf = (order: OrderPeriod, { from, until }: { from: Date; until: Date }): Cycle[] => {
  const { reset_cycle: resetCycle, activated_at: activatedAt } = order;
  const last = endOf(order, until);
  const cycles: Cycle[] = [];
  for (
    let cycle = cycleAt({ resetCycle, activatedAt, at: from });
    cycle.startedAt < last;
    cycle = cycleAfter({ resetCycle, activatedAt, cycle })
  )
    cycles.push({ ...cycle, endsAt: endOf(order, cycle.endsAt) });
  return cycles;
};

/** Adds the expected charges of shared pools to the end of the month. */
export const addExpectedPools = async (sql: Sql, outlook: Outlook): Promise<void> => {
  const { section, now } = outlook;
  const { orgId, month } = section;
  const cycles = await listChargedCycles(sql, { orgId, from: now, until: month.until });
  if (cycles.length === 0) return;
  const versions = await findVersions(sql, { ...section, days: cycles.map(dayOfPool) });
  // Only of those whose usage may be charged.
  const charged = cycles.filter(({ policy }) => policy === 'no limit');
  const past = await listForecastDays(sql, charged, now);
  for (const cycle of cycles) {
    const version = versions.get(dayOfPool(cycle));
    if (!version) continue;
    const expected = expectedPoolUsage(cycle, { days: past.get(cycle.id) ?? [], now });
    const moreIn = (scenario: Scenario) => inScenario(expected, outlook.spread[scenario]);
    const facts = await poolUsageFacts(sql, section, cycle, moreIn('high'));
    const before = cycle.startedAt > now ? [] : poolChargesOf(version, facts);
    for (const scenario of scenarios) {
      const after = poolChargesOf(version, withMorePoolUsage(facts, moreIn(scenario)));
      for (const line of chargeDifference(after, before)) {
        if (!isDue(line.kind, cycle, section)) continue;
        outlook.books[scenario].add(poolFacts(section, { version, cycle, line }), amountsOf(line));
      }
    }
  }
};

const expectedPoolUsage = (
  { startedAt, endsAt }: BilledPoolCycle,
  { days, now }: { days: readonly number[]; now: Date },
): bigint => {
  const limit = Number.POSITIVE_INFINITY;
  const forecast = forecastOf({ days, used: 0, limit, now: later(now, startedAt), endsAt });
  return BigInt(forecast?.used ?? 0);
};

const dayOfPool = ({ startedAt }: BilledPoolCycle): string => dashboardDays.dayOf(startedAt);

/** Adds the messages expected to the end of the month, at today's prices. */
export const addExpectedMessages = async (sql: Sql, outlook: Outlook): Promise<void> => {
  const { section, now, books } = outlook;
  const today = dashboardDays.dayOf(now);
  const version = (await findVersions(sql, { ...section, days: [today] })).get(today);
  if (!version) return;
  const days = await listDailyParts(sql, { orgId: section.orgId, now });
  const prices = { 'sms-mt': version.smsMtMicros, 'sms-mo': version.smsMoMicros };
  for (const kind of ['sms-mt', 'sms-mo'] as const) {
    const forecast = forecastOf({
      days: days[kind],
      used: 0,
      limit: Number.POSITIVE_INFINITY,
      now,
      endsAt: section.month.until,
    });
    if (!forecast || prices[kind] === 0n) continue;
    const parts = { low: forecast.low, expected: forecast.used, high: forecast.high };
    for (const scenario of scenarios) {
      const facts = {
        ...commonFacts(section, version),
        kind,
        bundle: null,
        zone: null,
        unit: 'part',
      } as const;
      books[scenario].add(
        { ...facts, type: section.terms, priceMicros: prices[kind] },
        { quantity: BigInt(parts[scenario]), bytes: null },
      );
    }
  }
};
