import type { Sql } from '../../platform/db/index.ts';
import type { ModuleParts } from '../../platform/module/index.ts';
import { type CostOptions, type CostQuery, costsOf } from './costs/cost.service.ts';
import { priceJobs } from './price.jobs.ts';
import { priceRoutes } from './price.routes.ts';
import { findPricesOfBundles, type PricesWanted } from './price.views.ts';

export { findStoredCost, invalidateCosts } from './costs/stored-costs.queries.ts';
export { type MemberSpan, readZonedUsage } from './costs/zoned-usage.views.ts';
export { tariffCatalogue, zoneCatalogue } from './price.catalogue.ts';
export { priceCommands } from './price.cli.ts';
export { costsRisen } from './price.events.ts';
export {
  amountMicros,
  type ChargedQuantity,
  type CycleFacts,
  chargeDifference,
  chargedZone,
  chargesOf,
  chargesZones,
  isFee,
  lineAmount,
  mayChargeZones,
  type Named,
  type PoolCycleFacts,
  poolChargesOf,
  poolUsageOf,
  type TariffVersion,
  toPoolUsage,
  totalOf,
  zonedBytes,
} from './price.rules.ts';
export { findBundlePrices, findVersions } from './price.views.ts';
export { readRate } from './rate.views.ts';
export { bindTariff } from './tariffs/bindings.service.ts';

export const priceModule = (options: CostOptions) => ({
  ...({ routes: priceRoutes(options), jobs: priceJobs(options) } satisfies ModuleParts),
  /** Costs of SIMs in their running cycles, for screens of lower modules. */
  costsOf: (wanted: CostQuery) => costsOf(options, wanted),
  /** Prices of bundles that an organisation orders, for previews of lower modules. */
  bundlePrices: ({ tx = options.pool, ...wanted }: PricesWanted & { tx?: Sql }) =>
    findPricesOfBundles(tx, wanted),
});
