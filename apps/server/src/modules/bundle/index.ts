export type { ResetCycle } from '@simcube/contract';
export { type BundlesContext, bundleCommands } from './bundle.cli.ts';
export { type Cycle, type CycleQuestion, cycleAfter, cycleAt } from './bundle.cycles.ts';
export { bundleAllowanceChanged, bundleOrderEnded, bundleOrderStarted } from './bundle.events.ts';
export {
  type Allowance,
  allowanceAfter,
  type DataState,
  dataState,
  judgeUsage,
  type Overage,
  type OveragePolicy,
} from './bundle.overage.rules.ts';
export { orderEnd } from './bundle.rules.ts';
export { createBundle } from './bundle.service.ts';
export { lifecycleConsumers } from './lifecycle/lifecycle.consumers.ts';
export { lifecycleJobs } from './lifecycle/lifecycle.jobs.ts';
export { endTestQuotas } from './lifecycle/test-quota.service.ts';
export type { NewOrder } from './orders/orders.queries.ts';
export {
  endBasicOrders,
  type OrderStart,
  placeOrders,
  type StartedOrder,
  startBasicOrders,
} from './orders/orders.service.ts';
export { endUsedUp } from './orders/supplementary.service.ts';
export { moveOrders } from './orders/transfer.queries.ts';
