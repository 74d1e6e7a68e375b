import type { OperationResponse, SimSelection } from '@simcube/contract/sim';
import type pg from 'pg';
import type { Clock } from '../../platform/clock/index.ts';
import type { Db } from '../../platform/db/index.ts';
import type { FindCosts, FindOverdue, Orderer, Ordering } from '../sim/index.ts';
import { activateOperation } from './activation/activation.operation.ts';
import { activationOrder, activationRoutes } from './activation/activation.routes.ts';
import { lifecycleConsumers } from './lifecycle/lifecycle.consumers.ts';
import { lifecycleJobs } from './lifecycle/lifecycle.jobs.ts';
import { terminateOrderOperation } from './lifecycle/terminate-order.operation.ts';
import { orderingOperations } from './ordering/ordering.operation.ts';
import { orderingRoutes } from './ordering/ordering.routes.ts';
import type { FindPooledSims } from './ordering/ordering.views.ts';
import type { FindBundlePrices } from './prices.views.ts';
import type { FindPastCosts } from './services/service-costs.ts';
import { serviceExportWork } from './services/service-export.work.ts';
import { serviceRoutes } from './services/services.routes.ts';

export type { ResetCycle } from '@simcube/contract/bundle';
export { bundleCatalogue } from './bundle.catalogue.ts';
export { bundleCommands } from './bundle.cli.ts';
export {
  type Cycle,
  type CycleCount,
  type CycleQuery,
  type CycleSpan,
  cycleAfter,
  cycleAt,
  cyclesBetween,
} from './bundle.cycles.ts';
export {
  bundleAllowanceChanged,
  bundleOrderEnded,
  bundleOrderStarted,
  lifecycleEndsMoved,
} from './bundle.events.ts';
export {
  type Allowance,
  allowanceAfter,
  evaluateUsage,
  type Overage,
  type OveragePolicy,
} from './bundle.overage.rules.ts';
export { isCovered, orderEnd } from './bundle.rules.ts';
export { createBundle } from './bundle.service.ts';
export { terminateOrderRule } from './lifecycle/terminate-order.operation.ts';
export { endTestQuotas, goesOnAfterTest } from './lifecycle/test-quota.service.ts';
export { basicOrderIn, countsSince, lastBasicTypes } from './orders/basic-order.views.ts';
export { addToCycles, correctCycle, findClosedCycles } from './orders/cycles.queries.ts';
export { writeCounters } from './orders/live.queries.ts';
export type { NewOrder } from './orders/orders.queries.ts';
export {
  endBasicOrders,
  type OrderStart,
  placeOrders,
  type StartedOrder,
  startBasicOrders,
} from './orders/orders.service.ts';
export { endUsedUp } from './orders/supplementary.service.ts';
export { findPoolSims, moveOrders } from './orders/transfer.queries.ts';

export interface BundleOptions {
  pool: pg.Pool;
  db: Db;
  clock: Clock;
  /** Orders work on many SIMs. */
  ordering: Ordering;
  findOverdue: FindOverdue;
  costsOf: FindCosts;
  pastCostsOf: FindPastCosts;
  bundlePrices: FindBundlePrices;
  findPooledSims: FindPooledSims;
}

export const bundleModule = (options: BundleOptions) => ({
  routes: [...activationRoutes(options), ...orderingRoutes(options), ...serviceRoutes(options)],
  operations: [activateOperation, terminateOrderOperation, ...orderingOperations(options)],
  fileWorks: [serviceExportWork(options)],
  jobs: lifecycleJobs(options),
  consumers: lifecycleConsumers(options),
  /** For the command line. */
  activate: (orderer: Orderer, selection: SimSelection, preview: boolean): Promise<OperationResponse> =>
    options.ordering.previewOrAccept(orderer, activationOrder(selection), { preview }),
});
