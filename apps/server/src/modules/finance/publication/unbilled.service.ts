import { addMonths, dashboardDays } from '../../../platform/clock/business-day.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { findVersions } from '../../price/index.ts';
import { awaitedMonths, billingWork, billMonth } from '../bill.rules.ts';
import { findLastPublished, hadSimsSince } from './unbilled.views.ts';

/**
 * Whether charges of an organisation are still to be billed: it had SIMs since the last month that was published.
 * They would be on no bill if it were deleted. Without a tariff there are none.
 */
export const hasUnbilledCharges = async (
  sql: Sql,
  { orgId, now }: { orgId: number; now: Date },
): Promise<boolean> => {
  const today = dashboardDays.dayOf(now);
  if ((await findVersions(sql, { orgId, days: [today] })).size === 0) return false;
  const published = await findLastPublished(sql, orgId);
  const first = published ? addMonths(published, 1) : addMonths(billingWork(now).month, -awaitedMonths);
  return hadSimsSince(sql, { orgId, at: billMonth(first).from });
};
