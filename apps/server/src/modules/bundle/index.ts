export type { ResetCycle } from '@simcube/contract';
export { type BundlesContext, bundleCommands } from './bundle.cli.ts';
export { type Cycle, type CycleQuestion, cycleAfter, cycleAt } from './bundle.cycles.ts';
export { endOrders, type NewOrder, type StartedOrder } from './bundle.queries.ts';
export { orderEnd } from './bundle.rules.ts';
export {
  createBundle,
  type OrderStart,
  placeOrders,
  startBasicOrders,
} from './bundle.service.ts';
