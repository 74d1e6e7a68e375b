import type { EndpointShape } from './endpoint.ts';
import {
  commonErrors,
  type ErrorCode,
  idempotencyErrors,
  sessionErrors,
  signatureErrors,
  uploadErrors,
} from './errors.ts';

/** Whether a call is done once for each Idempotency-Key: writes of signed-in callers whose responses may be stored. */
export const takesIdempotencyKey = ({ method, access, response, confidential }: EndpointShape): boolean =>
  method !== 'GET' && access.kind !== 'public' && typeof response !== 'string' && !confidential;

/**
 * Whether a call may be signed by an API key. A key acts within one organisation: calls that need none are about the person
 * and take a session alone, as do those whose record says so.
 */
export const answersKeys = ({ access, sessionOnly }: EndpointShape): boolean =>
  !sessionOnly && (access.kind === 'permission' || (access.kind === 'signed-in' && access.member));

/** Whether such a key may have fewer rights than its account: each call needs one of them, or is about what the key began. */
export const answersLimitedKeys = ({ access, limitedKeys }: EndpointShape): boolean =>
  access.kind === 'permission' || limitedKeys === true;

/** Every code that a call may answer. */
export const codesOf = (endpoint: EndpointShape): ErrorCode[] => [
  ...commonErrors,
  ...(endpoint.access.kind === 'public' ? [] : sessionErrors),
  ...keyErrorsOf(endpoint),
  ...endpoint.errors,
  ...(endpoint.list ? (['CB-00-0406'] as const) : []),
  // A parameter that can't be decoded names nothing.
  ...(endpoint.params ? (['CB-00-0404'] as const) : []),
  ...(endpoint.upload ? uploadErrors : []),
  ...(takesIdempotencyKey(endpoint) ? idempotencyErrors : []),
];

const keyErrorsOf = (endpoint: EndpointShape): readonly ErrorCode[] => {
  if (endpoint.access.kind === 'public') return [];
  if (!answersKeys(endpoint)) return ['CB-08-0002', 'CB-08-0003'];
  return answersLimitedKeys(endpoint) ? signatureErrors : [...signatureErrors, 'CB-08-0002'];
};
