import { createHash } from 'node:crypto';
import { hourMs } from '@simcube/contract/time';
import type { DataBody, MessageBody } from '@simcube/smpp';
import { readContent } from '@simcube/smpp';

type Message = MessageBody | DataBody;

/** Maximum number of messages whose repetition is awaited; beyond it, the oldest are dropped. */
const maxExpected = 10_000;
/** After this time the same text is a new message: some devices report the same words every few hours. */
const expectedMs = hourMs;

/** The result of storing a message whose response was lost, and when it was lost. */
interface UnansweredMessage {
  stored: Promise<void>;
  since: number;
}

/**
 * Recognises messages of devices that an SMSC delivers again because it did not get the response that they were
 * stored. SMPP gives them no id. So a message is a repetition only if it has the same octets as one that was left
 * without a response on the same connection within the last hour, and only once.
 */
export class Repetitions {
  /** Results of messages that are being stored. */
  readonly #storing = new WeakMap<Message, Promise<void>>();
  readonly #expected = new Map<string, UnansweredMessage[]>();
  #count = 0;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Stores the message unless it repeats a stored one; rejects as `store` does. */
  async once(connection: string, message: Message, store: () => Promise<void>): Promise<void> {
    const key = keyOf(connection, message);
    let earlier = this.#take(key);
    while (earlier && this.#now() - earlier.since >= expectedMs) earlier = this.#take(key);
    if (earlier && (await isFulfilled(earlier.stored))) return;
    const stored = store();
    this.#storing.set(message, stored);
    await stored;
  }

  /** The SMSC did not get a response for this message. */
  expect(connection: string, message: Message): void {
    const stored = this.#storing.get(message);
    if (!stored) return;
    const key = keyOf(connection, message);
    this.#expected.set(key, [...(this.#expected.get(key) ?? []), { stored, since: this.#now() }]);
    this.#count += 1;
    const [oldest] = this.#expected.keys();
    if (this.#count > maxExpected && oldest !== undefined) void this.#take(oldest);
  }

  #take(key: string): UnansweredMessage | undefined {
    const [first, ...rest] = this.#expected.get(key) ?? [];
    if (!first) return undefined;
    this.#count -= 1;
    if (rest.length > 0) this.#expected.set(key, rest);
    else this.#expected.delete(key);
    return first;
  }
}

const isFulfilled = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

/** A digest: thousands of whole messages would take too much memory. */
const keyOf = (connection: string, message: Message): string => {
  const { source, destination, esmClass, dataCoding } = message;
  const { octets, part } = readContent(message);
  const place = part ? [part.origin, part.reference, part.total, part.sequence] : [];
  const fields = [connection, source.address, destination.address, esmClass, dataCoding, ...place];
  return createHash('sha256').update(JSON.stringify(fields)).update(octets).digest('base64');
};
