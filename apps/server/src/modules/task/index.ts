export { type TasksContext, taskCommands } from './task.cli.ts';

import { taskJobs } from './task.jobs.ts';
import { taskRoutes } from './task.routes.ts';
import { beginTaskFor, type TaskFor } from './task.service.ts';
import { createWorker, type WorkerOptions } from './task.work.service.ts';

export {
  defineFileWork,
  defineOperation,
  type FileWork,
  type ItemFault,
  type Operation,
  type Refusals,
  type TaskOrder,
  type WaitingItem,
} from './task.operation.ts';
export { faultMessage } from './task.report.ts';
export { findDefaultMembership } from './task.views.ts';
export { listBusy } from './task.work.queries.ts';
export { type NewWork, startFileWork, startWork, type WorkOnSims } from './task.work.service.ts';

/** `operations` and `fileWorks` are of the modules above: they say what the work is, this one does it. */
export const taskModule = (options: WorkerOptions) => ({
  routes: taskRoutes(options),
  jobs: taskJobs(options, createWorker(options)),
  /** For work of the command line that a person shall see. */
  beginFor: (task: TaskFor) => beginTaskFor(options, task),
});
