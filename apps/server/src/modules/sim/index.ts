import { type SimRoutesOptions, simRoutes } from './sim.routes.ts';

export { simImported, simLifecycleChanged } from './sim.events.ts';
export type { ChangedSim, LifecycleChange } from './sim.queries.ts';
export {
  connectionAsOf,
  connectionNumbers,
  connectionOf,
  lifecycleOf,
  lifecycleTransitions,
  mayChange,
  type Network,
  type NetworkColumns,
  networkOf,
} from './sim.rules.ts';
export { changeLifecycle } from './sim.service.ts';
export type { UsageViews } from './sim.views.ts';
export { scopedTo } from './sim-scope.views.ts';

export const simModule = (options: SimRoutesOptions) => ({ routes: simRoutes(options) });
export { type SimsContext, simCommands } from './sim.cli.ts';
export { ImportRefused, type ImportReport, importSims, type Refusal } from './sim-import.service.ts';
