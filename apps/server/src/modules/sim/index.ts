import { type SimRoutesOptions, simRoutes } from './sim.routes.ts';

export { type SimsContext, simCommands } from './sim.cli.ts';
export { simLifecycleChanged } from './sim.events.ts';
export type { ChangedSim, LifecycleChange } from './sim.queries.ts';
export {
  connectionNumbers,
  connectionOf,
  type Network,
  type NetworkColumns,
  networkOf,
} from './sim.rules.ts';
export { changeLifecycle } from './sim.service.ts';
export type { UsageViews } from './sim.views.ts';
export { type ImportReport, importSims, type Refusal } from './sim-import.service.ts';

export const simModule = (options: SimRoutesOptions) => ({ routes: simRoutes(options) });
