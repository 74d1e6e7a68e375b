export {
  countDeadLetters,
  type DeadLetter,
  deadLetterExhausted,
  dropDeadLetters,
  findDeadLetter,
  listDeadLetterIds,
  listDeadLetters,
  readDeadLetterRange,
  retryDeadLetters,
  takeDeadLetters,
  trimDeadLetters,
} from './dead-letters.ts';
export {
  defineJob,
  defineSchedule,
  handlerOf,
  type JobContext,
  type JobDefinition,
  type JobHandler,
} from './definitions.ts';
export { enqueue, enqueueMany } from './queue.ts';
export { findDueKeys, readQueueStatus } from './queue-status.ts';
export { deadLetterSecrets, queuedSecrets } from './queued-secrets.ts';
export { cronItemsOf, prepareJobs, startWorker } from './worker.ts';
