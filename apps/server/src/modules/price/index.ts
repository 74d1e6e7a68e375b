import type { ModuleParts } from '../../platform/module/index.ts';
import { type CostOptions, type CostQuestion, costsOf } from './cost.service.ts';
import { priceRoutes } from './price.routes.ts';

export { bindTariff } from './bindings.service.ts';
export { tariffCatalogue, zoneCatalogue } from './price.catalogue.ts';
export { type PricesContext, priceCommands } from './price.cli.ts';
export {
  bytesPerMb,
  lineAmount,
  minorDigits,
  startedPieces,
  type TariffVersion,
  type ZonePrice,
  zoneOf,
} from './price.rules.ts';
export { findVersions } from './price.views.ts';

export const priceModule = (options: CostOptions) => ({
  ...({ routes: priceRoutes(options) } satisfies ModuleParts),
  /** What SIMs have cost in their running cycles, for the screens of modules below. */
  costsOf: (wanted: CostQuestion) => costsOf(options, wanted),
});
