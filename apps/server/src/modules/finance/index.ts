import type { ModuleParts } from '../../platform/module/index.ts';
import { type FinanceOptions, financeJobs } from './finance.jobs.ts';
import { type FinanceRouteOptions, financeRoutes } from './finance.routes.ts';

export { financeCommands } from './finance.cli.ts';

export const financeModule = (options: FinanceOptions & FinanceRouteOptions) =>
  ({ routes: financeRoutes(options), jobs: financeJobs(options) }) satisfies ModuleParts;
