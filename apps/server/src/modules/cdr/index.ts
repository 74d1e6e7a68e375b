import { type CdrOptions, cdrRoutes } from './cdr.routes.ts';
import { countJobs } from './counts/counts.jobs.ts';
import { cdrExportWork } from './export/cdr-export.work.ts';

/** Usage records as people read them: lists, sums, files. `usage` owns the records. */
export const cdrModule = (options: CdrOptions) => ({
  routes: cdrRoutes(options),
  jobs: countJobs(options),
  fileWorks: [cdrExportWork(options)],
});

export { queueCounting } from './counts/counts.jobs.ts';
export { listSimDays } from './counts/sim-days.views.ts';
