export { type TasksContext, taskCommands } from './task.cli.ts';

import { createCancel } from './cancel.service.ts';
import { taskJobs } from './task.jobs.ts';
import type { KindOf } from './task.report.ts';
import { taskRoutes } from './task.routes.ts';
import { beginTaskForPerson, type PersonTask } from './task.service.ts';
import { createUndo, createUndoOf } from './undo.service.ts';
import { createWorker, type WorkerOptions } from './work/work.service.ts';

export { orderExport, requireRows } from './files/export.service.ts';
export { taskProgressed } from './task.events.ts';
export { type ItemFault, type ItemKind, labelColumn, type NewItem, type WaitingItem } from './task.items.ts';
export {
  defineFileWork,
  defineOperation,
  type FileWork,
  type Operation,
  type OperationWork,
  type Refusals,
  type TaskOrder,
  type Undo,
  undoParameters,
  type WorkParts,
} from './task.operation.ts';
export { faultMessage } from './task.report.ts';
export {
  countRefusals,
  countTasks,
  findDefaultMembership,
  findTaskItems,
  listProcessing,
  listRefusals,
} from './task.views.ts';
export { type ItemWork, type NewWork, recordWork, startWork } from './work/work.service.ts';
export { listBusy } from './work.queries.ts';

/** `operations` and `fileWorks` come from higher modules: they define the work and its items; this module runs it. */
export const taskModule = (options: WorkerOptions) => {
  const kinds = new Map(options.operations.map(({ type, items }) => [type, items]));
  const files = new Map(options.fileWorks.map(({ type, access }) => [type, access]));
  const kindOf: KindOf = (type) => kinds.get(type);
  const undoOf = createUndoOf(options.operations);
  const undo = createUndo({ ...options, undoOf });
  return {
    routes: taskRoutes({ ...options, kindOf, accessOf: (type) => files.get(type), undoOf, undo }),
    jobs: taskJobs(options, createWorker(options)),
    /** For work of a command that a person can watch. */
    beginForPerson: (task: PersonTask) => beginTaskForPerson(options, task),
    undo,
    cancel: createCancel({
      ...options,
      workOf: (type) => (kinds.has(type) && 'items') || (files.has(type) && 'file') || undefined,
    }),
  };
};
