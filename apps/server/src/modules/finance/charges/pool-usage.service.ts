import { dashboardDays } from '../../../platform/clock/business-day.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { type BilledPoolCycle, listMemberSpans } from '../../pool/index.ts';
import { type MemberSpan, mayChargeZones, type PoolCycleFacts, readZonedUsage } from '../../price/index.ts';
import { networkUsage, recordedNetworkUsage } from '../../usage/index.ts';
import { monthOfEnd } from '../bill.rules.ts';
import type { Section, TariffSection, UsageSource } from './section.rules.ts';
import { groupByBilledTariff } from './versions.service.ts';

/** Usage by country from a source. */
export const networkUsageOf = (source: UsageSource): typeof networkUsage =>
  source === 'records' ? recordedNetworkUsage : networkUsage;

/**
 * The usage facts that a pool's cycle is charged by. Usage by member and country is read only if it makes a
 * difference.
 * @param expected further usage, to be charged with the recorded one
 */
export const poolUsageFacts = async (
  sql: Sql,
  section: TariffSection & Partial<Pick<Section, 'source'>>,
  cycle: BilledPoolCycle,
  expected = 0n,
): Promise<PoolCycleFacts> => {
  const isBeyond = cycle.policy === 'no limit' && BigInt(cycle.used) + expected > cycle.limit;
  const spans = isBeyond && mayChargeZones(cycle.bundle) ? await listMemberSpans(sql, cycle.id, cycle) : [];
  const dateOf = ({ cycleStartedAt, cycleEndsAt }: MemberSpan) => ({
    day: dashboardDays.dayOf(cycleStartedAt),
    month: monthOfEnd(cycleEndsAt),
  });
  const findUsage = networkUsageOf(section.source ?? 'counters');
  let zonedBytes = 0n;
  for (const { cycles, versions } of await groupByBilledTariff(sql, section, { cycles: spans, dateOf })) {
    const versionOf = (span: MemberSpan) => versions.get(dateOf(span).day);
    zonedBytes += await readZonedUsage(sql, {
      spans: cycles,
      bundle: cycle.bundle,
      versionOf,
      networkUsage: findUsage,
    });
  }
  return { ...cycle, usedBytes: BigInt(cycle.used), limitBytes: BigInt(cycle.limit), zonedBytes };
};
