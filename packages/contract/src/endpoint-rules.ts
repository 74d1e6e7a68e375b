import type { EndpointShape } from './endpoint.ts';
import {
  commonErrors,
  type ErrorCode,
  idempotencyErrors,
  sessionErrors,
  signatureErrors,
  uploadErrors,
} from './errors.ts';

/** Whether a call accepts an Idempotency-Key: writes by signed-in callers whose responses may be stored. */
export const acceptsIdempotencyKey = ({ method, access, response, confidential }: EndpointShape): boolean =>
  method !== 'GET' && access.kind !== 'public' && typeof response !== 'string' && !confidential;

/**
 * Whether a call may be signed by an API key. A key acts within one organisation: calls that need no organisation concern
 * the person and accept only a session, as do calls that are marked `sessionOnly`.
 */
export const acceptsApiKeys = ({ access, sessionOnly }: EndpointShape): boolean =>
  !sessionOnly && (access.kind === 'permission' || (access.kind === 'signed-in' && access.member));

/** Whether a call accepts a key with fewer permissions than its account: it requires a permission or is marked `limitedKeys`. */
export const acceptsLimitedKeys = ({ access, limitedKeys }: EndpointShape): boolean =>
  access.kind === 'permission' || limitedKeys === true;

/** All error codes that a call may return. */
export const errorCodesOf = (endpoint: EndpointShape): ErrorCode[] => [
  ...commonErrors,
  ...(endpoint.access.kind === 'public' ? [] : sessionErrors),
  ...keyErrorsOf(endpoint),
  ...endpoint.errors,
  ...(endpoint.list ? (['CB-00-0406'] as const) : []),
  // A path parameter that can't be decoded is not found.
  ...(endpoint.params ? (['CB-00-0404'] as const) : []),
  ...(endpoint.upload ? uploadErrors : []),
  ...(acceptsIdempotencyKey(endpoint) ? idempotencyErrors : []),
];

const keyErrorsOf = (endpoint: EndpointShape): readonly ErrorCode[] => {
  if (endpoint.access.kind === 'public') return [];
  if (!acceptsApiKeys(endpoint)) return ['CB-08-0002', 'CB-08-0003'];
  return acceptsLimitedKeys(endpoint) ? signatureErrors : [...signatureErrors, 'CB-08-0002'];
};
