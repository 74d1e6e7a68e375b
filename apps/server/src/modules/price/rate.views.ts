import { dashboardDays } from '../../platform/clock/business-day.ts';
import type { Sql } from '../../platform/db/index.ts';
import { findBundlePrices, findVersions } from './price.views.ts';
import { type Rate, type RatedFacts, rateOf } from './rate.rules.ts';

export interface RateQuery extends Omit<RatedFacts, 'bundle' | 'prices'> {
  orgId: number;
  /** The order of the bundle that the record counted against. */
  orderId: string;
  cycleStartedAt: Date;
}

/** How a record is rated by the tariff version of its cycle; null if no tariff applies. */
export const readRate = async (sql: Sql, query: RateQuery): Promise<Rate | null> => {
  const { orgId, orderId, cycleStartedAt, ...facts } = query;
  const day = dashboardDays.dayOf(cycleStartedAt);
  const version = (await findVersions(sql, { orgId, days: [day] })).get(day);
  if (!version) return null;
  const { rows } = await sql.query<RatedFacts['bundle'] & { id: number }>(
    `select b.id, b.overage_policy, b.out_of_coverage_policy, b.coverage_countries, b.stop_after_bytes
     from bundle_orders o join bundles b on b.id = o.bundle_id where o.id = $1`,
    [orderId],
  );
  const [bundle] = rows;
  if (!bundle) return null;
  const pricesOf = await findBundlePrices(sql, [version.id]);
  return rateOf(version, { ...facts, bundle, prices: pricesOf(version.id, bundle.id) });
};
