import type { ChargeLine } from '@simcube/contract/price';
import { addMonths, dashboardDays } from '../../../platform/clock/business-day.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { type BilledPoolCycle, listChargedCycles, withRecordedUsage } from '../../pool/index.ts';
import {
  type ChargedQuantity,
  chargeDifference,
  poolChargesOf,
  type TariffVersion,
} from '../../price/index.ts';
import { monthOfEnd } from '../bill.rules.ts';
import { listBilledMonths } from './cycles.views.ts';
import { amountsOf, type LineBook, type LineFacts } from './line-book.rules.ts';
import { listChargedPoolCycles } from './pool-lines.views.ts';
import { poolUsageFacts } from './pool-usage.service.ts';
import { type Corrections, isCorrectable, type Section } from './section.rules.ts';
import { findSectionVersions, groupByBilledTariff } from './versions.service.ts';

const correctedMonths = 13;

/**
 * Charges a section's pools: cycles that begin in the month, usage beyond the limit of those that end in it,
 * and differences of usage for cycles that were billed before.
 * @param begunBy cycles that begin later are not charged: they exist long before they begin
 * @returns the number of cycles without a tariff
 */
export const chargePools = async (
  sql: Sql,
  book: LineBook,
  {
    section,
    corrects,
    begunBy = section.month.until,
  }: { section: Section; corrects: Corrections | null; begunBy?: Date },
): Promise<number> => {
  const { orgId, month, source } = section;
  const from = corrects ? dashboardDays.startOfMonth(addMonths(month.month, -correctedMonths)) : month.from;
  const existing = await listChargedCycles(sql, { orgId, from, until: month.until });
  const begun = existing.filter(({ startedAt }) => startedAt <= begunBy);
  if (begun.length === 0) return 0;
  // Of those that end later, only the fee is due.
  const hasEnded = ({ endsAt }: BilledPoolCycle): boolean => endsAt <= month.until;
  const cycles =
    source === 'records'
      ? [...(await withRecordedUsage(sql, begun.filter(hasEnded))), ...begun.filter((one) => !hasEnded(one))]
      : begun;
  const versionOf = await versionsOfCycles(sql, section, { cycles, corrects });
  const charged = corrects ? await listChargedPoolCycles(sql, { orgId, month }) : [];
  const billed = new Set(corrects ? await listBilledMonths(sql, section) : []);
  let withoutTariff = 0;
  for (const cycle of cycles) {
    const isCurrent = cycle.endsAt > month.from;
    const before = charged.filter(
      (one) => one.pool_id === cycle.id && one.pool_cycle_at.getTime() === cycle.startedAt.getTime(),
    );
    if (!isCurrent && before.length === 0 && !billed.has(monthOfEnd(cycle.endsAt))) continue;
    if (!isCurrent && corrects && !isCorrectable({ ...cycle, from: cycle.startedAt }, corrects)) continue;
    const version = versionOf.get(cycle);
    if (!version) {
      if (isCurrent) withoutTariff += 1;
      continue;
    }
    const lines = poolChargesOf(version, await poolUsageFacts(sql, section, cycle));
    const due = isCurrent
      ? lines.filter(({ kind }) => isDue(kind, cycle, section))
      : chargeDifference(lines.filter(isUsage), before);
    const corrected = isCurrent ? null : monthOfEnd(cycle.endsAt);
    for (const line of due)
      book.add(poolFacts(section, { version, cycle, line, corrected }), amountsOf(line));
  }
  return withoutTariff;
};

const versionsOfCycles = async (
  sql: Sql,
  section: Section,
  { cycles, corrects }: { cycles: readonly BilledPoolCycle[]; corrects: Corrections | null },
): Promise<ReadonlyMap<BilledPoolCycle, TariffVersion | undefined>> => {
  const dateOf = (cycle: BilledPoolCycle) => ({ day: dayOf(cycle), month: monthOfEnd(cycle.endsAt) });
  const groups = corrects
    ? await groupByBilledTariff(sql, section, { cycles, dateOf })
    : [{ cycles, versions: await findSectionVersions(sql, section, cycles.map(dayOf)) }];
  return new Map(
    groups.flatMap((group) =>
      group.cycles.map((cycle) => [cycle, group.versions.get(dayOf(cycle))] as const),
    ),
  );
};

/** A charge of a pool's cycle as a line of its organisation's section. */
export const poolFacts = (
  { terms, orgId }: Section,
  {
    version,
    cycle,
    line,
    corrected = null,
  }: { version: TariffVersion; cycle: BilledPoolCycle; line: ChargedQuantity; corrected?: string | null },
): LineFacts => ({
  type: terms,
  orgId,
  kind: line.kind,
  bundle: null,
  zone: null,
  unit: line.unit,
  version,
  pool: { id: cycle.id, name: cycle.name, cycleAt: cycle.startedAt },
  priceMicros: BigInt(line.price_micros),
  corrects: corrected,
});

const isUsage = ({ kind }: Pick<ChargeLine, 'kind'>): boolean => kind === 'over-pool-limit';

const dayOf = ({ startedAt }: BilledPoolCycle): string => dashboardDays.dayOf(startedAt);

export const isDue = (
  kind: ChargeLine['kind'],
  cycle: BilledPoolCycle,
  { month }: Pick<Section, 'month'>,
): boolean => (isUsage({ kind }) ? cycle.endsAt <= month.until : cycle.startedAt >= month.from);
