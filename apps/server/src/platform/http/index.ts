export { page, withAsOf } from './answer.ts';
export type { AnsweredCall, CallLog } from './call-log.ts';
export { hasConsole } from './console.ts';
export { requireVersion } from './edited-version.ts';
export { Failure, fail } from './failure.ts';
export type { NotReady, Readiness } from './health.ts';
export type { HttpOptions } from './http-options.ts';
export {
  answerOnce,
  type IdempotencyDeps,
  type KeyedRequest,
  trimIdempotentRequests,
} from './idempotency.ts';
export { createManagementServer } from './management.ts';
export { requireOwnCode } from './own-code.ts';
export { type Call, type FileAnswer, fileRoute, type Route, route, streamRoute } from './route.ts';
export { createHttpServer } from './server.ts';
