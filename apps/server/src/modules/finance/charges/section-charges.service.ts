import { dashboardDays } from '../../../platform/clock/business-day.ts';
import { groupBy } from '../../../platform/collections/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { readCycleUsage } from '../../pool/index.ts';
import {
  type ChargedQuantity,
  chargeDifference,
  chargesZones,
  findBundlePrices,
  type TariffVersion,
} from '../../price/index.ts';
import { type BillMonth, monthOfEnd } from '../bill.rules.ts';
import {
  type BilledCycle,
  billTypeOf,
  endsWithin,
  isPrepaid,
  monthCharges,
  usageCharges,
} from './cycle-charges.rules.ts';
import {
  type ActivationRow,
  type ChargedRow,
  type CycleRow,
  listActivations,
  listChangedCycles,
  listCycles,
  listEarlierCharges,
  listFormerSims,
  listMessageParts,
  listSims,
} from './cycles.views.ts';
import {
  amountsOf,
  type Charge,
  type CountedCycle,
  type LineBook,
  type LineFacts,
} from './line-book.rules.ts';
import { networkUsageOf } from './pool-usage.service.ts';
import { type Corrections, isCorrectable, type Section } from './section.rules.ts';
import { findSectionVersions, groupByBilledTariff, type Versions } from './versions.service.ts';

export interface SimCharges {
  /** Number of SIMs processed. */
  sims: number;
  charges: Charge[];
  cycles: CountedCycle[];
  /** Number of cycles without a tariff. */
  withoutTariff: number;
  basis: ChargedSims;
}

/** The data that SIMs were charged by. */
export interface ChargedSims {
  simIds: readonly number[];
  rows: readonly CycleRow[];
  versions: Versions;
  /** A cycle with its usage, without orders that began in it. */
  cycleOf: (row: CycleRow) => BilledCycle;
}

const batchSize = 1000;

/** The SIMs that an organisation has, and those that it had until recently, a thousand at a time. */
export async function* simBatches(
  sql: Sql,
  section: Pick<Section, 'orgId' | 'month'>,
): AsyncGenerator<readonly number[]> {
  for (const list of [listSims, listFormerSims]) {
    for (let after = 0; ; ) {
      const simIds = await list(sql, { ...section, after, limit: batchSize });
      const last = simIds.at(-1);
      if (last === undefined) break;
      yield simIds;
      if (simIds.length < batchSize) break;
      after = last;
    }
  }
}

/** Charges a section's SIMs, a thousand at a time, and adds them to the lines of the book. */
export async function* chargeSims(
  sql: Sql,
  book: LineBook,
  section: Section,
  { corrects }: { corrects: Corrections | null },
): AsyncGenerator<SimCharges> {
  for await (const simIds of simBatches(sql, section)) {
    yield await chargeBatch(sql, { book, section, simIds, corrects });
  }
}

interface SimBatch {
  book: LineBook;
  section: Section;
  simIds: readonly number[];
  corrects: Corrections | null;
}

const chargeBatch = async (sql: Sql, batch: SimBatch): Promise<SimCharges> => {
  const { section, simIds } = batch;
  const query = { simIds, orgId: section.orgId, month: section.month };
  const rows = await listCycles(sql, { ...query, source: section.source });
  const lateCycles = batch.corrects ? await findLateCycles(sql, { ...section, simIds }, batch.corrects) : [];
  const messages = await listMessageParts(sql, query);
  const days = [...rows.map(dayOf), ...messages.map(({ day }) => day)];
  const versions = await findSectionVersions(sql, section, days);
  const cycles = await readBilledCycles(sql, { section, rows, versions });
  const result: SimCharges = {
    sims: simIds.length,
    charges: [],
    cycles: [],
    withoutTariff: rows.filter((row) => isBillable(row, section.month) && !versions.has(dayOf(row))).length,
    basis: { simIds, rows, versions, cycleOf: (row) => cycles(row, []) },
  };
  const activated = await readActivations(sql, query);
  for (const row of rows) chargeCycle(batch, { row, versions, cycles, activated, result });
  if (lateCycles.length > 0) await correctCycles(sql, batch, { lateCycles, result });
  for (const { sim_id, day, mt, mo } of messages) {
    const version = versions.get(day);
    if (!version) continue;
    const addMessages = (kind: 'sms-mt' | 'sms-mo', parts: number, priceMicros: bigint) => {
      if (parts === 0 || priceMicros === 0n) return;
      const facts = {
        ...commonFacts(section, version),
        kind,
        bundle: null,
        zone: null,
        unit: 'part',
      } as const;
      const amount = { quantity: BigInt(parts), bytes: null };
      const entry = batch.book.add({ ...facts, type: section.terms, priceMicros }, amount);
      result.charges.push({ ...entry, ...amount, simId: sim_id, cycleAt: dashboardDays.startOf(day) });
    };
    addMessages('sms-mt', mt, version.smsMtMicros);
    addMessages('sms-mo', mo, version.smsMoMicros);
  }
  return result;
};

const findLateCycles = async (
  sql: Sql,
  query: Parameters<typeof listChangedCycles>[1],
  corrections: Corrections,
): Promise<CycleRow[]> =>
  (await listChangedCycles(sql, query)).filter(({ pooled, former_end, cycle_started_at, ...bundle }) =>
    isCorrectable({ bundle, pooled, from: former_end ?? cycle_started_at }, corrections),
  );

export const dayOf = (row: Pick<CycleRow, 'cycle_started_at'>): string =>
  dashboardDays.dayOf(row.cycle_started_at);
/** What all lines of a section and tariff version have in common. */
export const commonFacts = (section: Section, version: TariffVersion, corrects: string | null = null) => ({
  orgId: section.orgId,
  pool: null,
  version,
  corrects,
});

const isBillable = (row: CycleRow, month: BillMonth): boolean =>
  (row.owns_end && endsWithin({ endsAt: row.cycle_ends_at }, month)) ||
  (row.owns_begin && row.cycle_started_at >= month.from);

type CyclesOf = (row: CycleRow, activated: readonly ActivationRow[]) => BilledCycle;

/** The facts of cycles, with usage by country if it is charged by zone or counted for a pool. */
export const readBilledCycles = async (
  sql: Sql,
  { section, rows, versions }: { section: Section; rows: readonly CycleRow[]; versions: Versions },
): Promise<CyclesOf> => {
  const pricesOf = await findBundlePrices(
    sql,
    [...versions.values()].map(({ id }) => id),
  );
  const usageQueries = rows.flatMap((row) => {
    const version = versions.get(dayOf(row));
    const isUsed = row.used_bytes > 0 && row.cycle_ends_at <= section.month.until;
    return version && isUsed ? [{ row, zoned: chargesZones(version, row) }] : [];
  });
  const findUsage = networkUsageOf(section.source);
  const usageOf = await readCycleUsage(sql, section.orgId, usageQueries, findUsage);
  return (row, activated) => {
    const id = versions.get(dayOf(row))?.id ?? 0;
    return {
      startedAt: row.cycle_started_at,
      endsAt: row.cycle_ends_at,
      activatedAt: row.activated_at,
      ownsBegin: row.owns_begin,
      ownsEnd: row.owns_end,
      facts: {
        bundle: row,
        prices: pricesOf(id, row.bundle_id),
        usedBytes: BigInt(row.used_bytes),
        limitBytes: row.limit_bytes === null ? null : BigInt(row.limit_bytes),
        activations: activated.map((order) => ({ ...order, prices: pricesOf(id, order.bundle_id) })),
        ...usageOf(row),
      },
    };
  };
};

/** Orders that began in a cycle: they are charged by the version of its first day. */
export const readActivations = async (
  sql: Sql,
  query: Parameters<typeof listActivations>[1],
): Promise<(row: CycleRow) => ActivationRow[]> => {
  const bySim = groupBy(await listActivations(sql, query), (order) => order.sim_id);
  return (row) =>
    bySim
      .get(row.sim_id)
      ?.filter(({ activated_at: at }) => at >= row.cycle_started_at && at < row.cycle_ends_at) ?? [];
};

interface Cycle {
  row: CycleRow;
  versions: Versions;
  cycles: CyclesOf;
  result: SimCharges;
}

const chargeCycle = (
  batch: SimBatch,
  { row, versions, cycles, activated, result }: Cycle & { activated: (row: CycleRow) => ActivationRow[] },
): void => {
  const version = versions.get(dayOf(row));
  if (!version) return;
  const { section, book } = batch;
  const orders = activated(row);
  const prepaid = new Set([row, ...orders].flatMap(({ type, code }) => (isPrepaid(type) ? [code] : [])));
  const cycle = cycles(row, orders);
  for (const line of monthCharges(version, cycle, section.month)) {
    const facts = {
      ...commonFacts(section, version),
      type: billTypeOf(line, { prepaid, terms: section.terms }),
    };
    result.charges.push(addCharge(book, { ...facts, ...lineFacts(line) }, { line, row }));
  }
  if (row.owns_end && endsWithin(cycle, section.month)) {
    result.cycles.push(toCountedCycle(row));
  }
};

const correctCycles = async (
  sql: Sql,
  batch: SimBatch,
  { lateCycles, result }: { lateCycles: readonly CycleRow[]; result: SimCharges },
): Promise<void> => {
  const { section } = batch;
  const simIds = lateCycles.map(({ sim_id }) => sim_id);
  const charged = await listEarlierCharges(sql, { simIds, orgId: section.orgId, month: section.month });
  const dateOf = (row: CycleRow) => ({ day: dayOf(row), month: monthOfEnd(row.cycle_ends_at) });
  for (const { cycles: rows, versions } of await groupByBilledTariff(sql, section, {
    cycles: lateCycles,
    dateOf,
  })) {
    const cycles = await readBilledCycles(sql, { section, rows, versions });
    for (const row of rows) correctCycle(batch, { row, versions, cycles, charged, result });
  }
};

const correctCycle = (
  { book, section }: SimBatch,
  { row, versions, cycles, charged, result }: Cycle & { charged: readonly ChargedRow[] },
): void => {
  const version = versions.get(dayOf(row));
  if (!version) return;
  const before = charged.filter(
    (one) => one.sim_id === row.sim_id && one.cycle_started_at.getTime() === row.cycle_started_at.getTime(),
  );
  const corrects = monthOfEnd(row.cycle_ends_at);
  for (const line of chargeDifference(usageCharges(version, cycles(row, [])), before)) {
    const facts = { ...commonFacts(section, version, corrects), type: section.terms, ...lineFacts(line) };
    result.charges.push(addCharge(book, facts, { line, row }));
  }
  // Also without the SIM at the end: what was counted for the organisation since is charged once.
  result.cycles.push(toCountedCycle(row));
};

export const lineFacts = (
  line: ChargedQuantity,
): Pick<LineFacts, 'kind' | 'bundle' | 'zone' | 'unit' | 'priceMicros'> => ({
  kind: line.kind,
  bundle: line.bundle,
  zone: line.zone,
  unit: line.unit,
  priceMicros: BigInt(line.price_micros),
});

const addCharge = (
  book: LineBook,
  facts: LineFacts,
  { line, row }: { line: ChargedQuantity; row: CycleRow },
): Charge => {
  const amount = amountsOf(line);
  return { ...book.add(facts, amount), ...amount, simId: row.sim_id, cycleAt: row.cycle_started_at };
};

const toCountedCycle = (row: CycleRow): CountedCycle => ({
  simId: row.sim_id,
  cycleAt: row.cycle_started_at,
  usedBytes: row.used_bytes,
  limitBytes: row.limit_bytes,
});
