import { acceptsIdempotencyKey, type EndpointShape } from '@simcube/contract';
import { ApiFailure, isTemporary } from './api-failure.ts';

/** A new idempotency key. `crypto.randomUUID` is not available when the console is opened without TLS. */
export const newWriteKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/** Whether the outcome of a write is unknown: it may have been executed, or be running. */
export const isOutcomeUnknown = (failure: ApiFailure): boolean =>
  isTemporary(failure) || failure.code === 'CB-00-0423';

/** The last write without a response. */
let unanswered: { write: string; key: string } | undefined;

/**
 * Sends a write with an idempotency key, so that it can be repeated after its response was lost without being executed twice. It
 * keeps the key until it gets a response or another write is sent: the same again is then intended.
 */
export const withWriteKey = async <T>(write: object, send: (key: string) => Promise<T>): Promise<T> => {
  const serialised = JSON.stringify(write);
  const key = unanswered?.write === serialised ? unanswered.key : newWriteKey();
  unanswered = { write: serialised, key };
  try {
    const result = await send(key);
    forget(key);
    return result;
  } catch (error) {
    if (!(error instanceof ApiFailure && isOutcomeUnknown(error))) forget(key);
    throw error;
  }
};

const forget = (key: string): void => {
  if (unanswered?.key === key) unanswered = undefined;
};

/** Calls that change something each time they are executed, and whose responses the server may store. */
export const needsWriteKey = (endpoint: EndpointShape): boolean =>
  endpoint.retry === 'never' && acceptsIdempotencyKey(endpoint);
