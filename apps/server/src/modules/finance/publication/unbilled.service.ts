import { addMonths, dashboardDays, daysFrom } from '../../../platform/clock/business-day.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { findVersions } from '../../price/index.ts';
import { awaitedMonths, billingWork, billMonth } from '../bill.rules.ts';
import { findFirstUnpublished, hadSimsSince } from './unbilled.views.ts';

/**
 * Whether charges of an organisation are still to be billed: it had SIMs since the oldest month that is still to be
 * published, and a tariff on a day since then. They would be on no bill if it were deleted.
 */
export const hasUnbilledCharges = async (
  sql: Sql,
  { orgId, now }: { orgId: number; now: Date },
): Promise<boolean> => {
  const first = addMonths(billingWork(now).month, -awaitedMonths);
  const running = dashboardDays.monthOf(now);
  const unpublished = await findFirstUnpublished(sql, { orgId, first, running });
  if (!(await hadSimsSince(sql, { orgId, at: billMonth(unpublished).from }))) return false;
  const days = daysFrom(`${unpublished}-01`, dashboardDays.dayOf(now));
  return (await findVersions(sql, { orgId, days })).size > 0;
};
