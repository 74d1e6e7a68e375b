export { diagnoseCommands } from './diagnose.cli.ts';

import { diagnoseJobs } from './diagnose.jobs.ts';
import { type DiagnoseOptions, diagnoseRoutes } from './diagnose.routes.ts';

/** Reads what lower modules know about a SIM and reports what is wrong with it. */
export const diagnoseModule = (options: DiagnoseOptions) => ({
  routes: diagnoseRoutes(options),
  jobs: diagnoseJobs(options),
});
