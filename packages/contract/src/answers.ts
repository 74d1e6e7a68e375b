import type { EndpointShape } from './endpoint.ts';
import { commonErrors, type ErrorCode, idempotencyErrors, sessionErrors, uploadErrors } from './errors.ts';

/** Whether a call is done once for each Idempotency-Key: writes of signed-in callers whose responses may be stored. */
export const takesIdempotencyKey = ({ method, access, response, confidential }: EndpointShape): boolean =>
  method !== 'GET' && access.kind !== 'public' && typeof response !== 'string' && !confidential;

/** Every code that a call may answer. */
export const codesOf = (endpoint: EndpointShape): ErrorCode[] => [
  ...commonErrors,
  ...(endpoint.access.kind === 'public' ? [] : sessionErrors),
  ...endpoint.errors,
  ...(endpoint.list ? (['CB-00-0406'] as const) : []),
  // A parameter that can't be decoded names nothing.
  ...(endpoint.params ? (['CB-00-0404'] as const) : []),
  ...(endpoint.upload ? uploadErrors : []),
  ...(takesIdempotencyKey(endpoint) ? idempotencyErrors : []),
];
