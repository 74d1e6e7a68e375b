import type { ModuleParts } from '../../platform/module/index.ts';
import { type ReportOptions, reportJobs } from './report.jobs.ts';
import { type ReportRouteOptions, reportRoutes } from './report.routes.ts';

export { generateMonth } from './generation/generate.service.ts';
export { savePreferences } from './preferences/preferences.queries.ts';
export { listReportsWithTarget } from './preferences/preferences.views.ts';
export { reportCommands } from './report.cli.ts';
export { reportsReady } from './report.events.ts';
export { dueMonth } from './report.rules.ts';

export const reportModule = (options: ReportOptions & ReportRouteOptions) =>
  ({ routes: reportRoutes(options), jobs: reportJobs(options) }) satisfies ModuleParts;
