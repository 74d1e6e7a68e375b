import { type CdrOptions, cdrRoutes } from './cdr.routes.ts';
import { cdrExportWork } from './export/cdr-export.work.ts';

/** Usage records as people read them: lists, sums, files. Read-only; the records are those of `usage`. */
export const cdrModule = (options: CdrOptions) => ({
  routes: cdrRoutes(options),
  fileWorks: [cdrExportWork(options)],
});
