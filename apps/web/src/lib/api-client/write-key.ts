import { acceptsIdempotencyKey, type EndpointShape } from '@simcube/contract';
import { session } from '../session/index.ts';
import { ApiFailure, isTemporary } from './api-failure.ts';

/** Writes without a response that this tab remembers; after more of them, the oldest is forgotten. */
const maxPendingWrites = 50;

export interface WriteKey {
  key: string;
  /** What the person agreed to when they sent the write first. */
  agreed?: Record<string, string> | undefined;
}

/** Calls that change something each time they are executed, and whose responses the server may store. */
export const needsWriteKey = (endpoint: EndpointShape): boolean =>
  endpoint.retry === 'never' && acceptsIdempotencyKey(endpoint);

/**
 * Sends a write with an idempotency key, so that it can be repeated after its response was lost without being executed twice. A
 * write keeps its key until it gets a response, whatever is sent or closed in between, and across a reload: this tab stores the key
 * until the session ends, the server for a day. Somebody who meanwhile wants the same again gets the response to the first (`call`
 * tells them that it was not done again), and then a new key.
 * @param write the endpoint's id and the request: the same values are the same write of the same person in the same organisation,
 * except `agreed`, of which a repeat sends that of the first attempt
 */
export const withWriteKey = async <T>(
  { agreed, ...write }: { id: string } & Pick<WriteKey, 'agreed'>,
  send: (as: WriteKey) => Promise<T>,
): Promise<T> => {
  const digest = digestOf(JSON.stringify([session.get('userId'), session.get('partnerCode'), write]));
  const as =
    pendingWrites().find((one) => one.write === digest) ?? remember({ write: digest, key: newKey(), agreed });
  try {
    const result = await send(as);
    forget(as.key);
    return result;
  } catch (error) {
    if (!(error instanceof ApiFailure && isOutcomeUnknown(error))) forget(as.key);
    throw error;
  }
};

/** The write may have been executed, or be running: the response did not arrive, or is not our server's. */
const isOutcomeUnknown = (failure: ApiFailure): boolean =>
  isTemporary(failure) || failure.code === null || failure.code === 'CB-00-0423';

const pendingWrites = () => session.get('pendingWrites') ?? [];

const remember = <W extends WriteKey & { write: string }>(pending: W): W => {
  session.set('pendingWrites', [...pendingWrites(), pending].slice(-maxPendingWrites));
  return pending;
};

const forget = (key: string): void => {
  const others = pendingWrites().filter((one) => one.key !== key);
  if (others.length > 0) session.set('pendingWrites', others);
  else session.remove('pendingWrites');
};

/** `crypto.randomUUID` is not available when the console is opened without TLS. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/**
 * 64 bits that identify a text in browser storage without storing it (FNV-1a with two multipliers; `crypto.subtle` needs TLS). Where
 * two writes had the same digest, the server would refuse the second, because their key belongs to another request (`CB-00-0422`).
 */
const digestOf = (text: string): string => {
  let [high, low] = [0x811c9dc5, 0x811c9dc5];
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low ^ unit, 0x85ebca6b);
  }
  return [high, low].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
};
