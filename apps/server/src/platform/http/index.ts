export type { CallLog, CompletedCall } from './call-log.ts';
export { hasConsole } from './console.ts';
export { requireVersion } from './edited-version.ts';
export { Failure, fail } from './failure.ts';
export { page, withAsOf } from './handler-result.ts';
export type { NotReady, Readiness } from './health.ts';
export type { HttpOptions } from './http-options.ts';
export {
  handleIdempotently,
  type IdempotencyDeps,
  type KeyedRequest,
  trimIdempotentRequests,
} from './idempotency.ts';
export { createManagementServer } from './management.ts';
export { requireOwnCode } from './own-code.ts';
export { type Call, type FileResponse, fileRoute, type Route, route, streamRoute } from './route.ts';
export { createHttpServer } from './server.ts';
