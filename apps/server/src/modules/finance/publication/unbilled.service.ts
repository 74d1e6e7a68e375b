import { addMonths, dashboardDays, daysFrom } from '../../../platform/clock/business-day.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { chargesZones, findVersions } from '../../price/index.ts';
import { awaitedMonths, billingWork, billMonth } from '../bill.rules.ts';
import { findFirstUnpublished, hadSimsSince, listCyclesAfter, type UnbilledCycle } from './unbilled.views.ts';

/**
 * Whether charges of an organisation are still to be billed. They would be on no bill if it were deleted: those of SIMs that
 * it had since the oldest month that is still to be published, with a tariff on a day since then, and usage abroad in cycles
 * that end in such a month, which is charged by the tariff of the cycle's first day.
 */
export const hasUnbilledCharges = async (
  sql: Sql,
  { orgId, now }: { orgId: number; now: Date },
): Promise<boolean> => {
  const first = addMonths(billingWork(now).month, -awaitedMonths);
  const running = dashboardDays.monthOf(now);
  const unpublished = await findFirstUnpublished(sql, { orgId, first, running });
  const { from: at } = billMonth(unpublished);
  if (await hadSimsSince(sql, { orgId, at })) {
    const days = daysFrom(`${unpublished}-01`, dashboardDays.dayOf(now));
    if ((await findVersions(sql, { orgId, days })).size > 0) return true;
  }
  const cycles = await listCyclesAfter(sql, { orgId, at });
  const versions = await findVersions(sql, { orgId, days: cycles.map(dayOf) });
  return cycles.some((cycle) => {
    const version = versions.get(dayOf(cycle));
    return version !== undefined && chargesZones(version, cycle);
  });
};

const dayOf = ({ cycle_started_at }: UnbilledCycle): string => dashboardDays.dayOf(cycle_started_at);
