import type { DataBody, MessageBody } from '@simcube/smpp';
import { readContent } from '@simcube/smpp';

type Message = MessageBody | DataBody;

/** Messages whose repetition is waited for; of more, the oldest are no longer. */
const expectedMost = 10_000;

/**
 * Messages of devices that an SMSC delivers again as it was not told that they were stored. SMPP gives them no id: only one that
 * is the same to the octet, on the connection where such a message was left without an answer, is a repetition, and only once.
 */
export class Repetitions {
  /** What becomes of messages that are being stored. */
  readonly #storing = new WeakMap<Message, Promise<void>>();
  readonly #expected = new Map<string, Promise<void>[]>();
  #count = 0;

  /** Stores the message, unless it is the repetition of one that is stored; rejects as `store` does. */
  async once(connection: string, message: Message, store: () => Promise<void>): Promise<void> {
    const earlier = this.#take(keyOf(connection, message));
    if (earlier && (await isDone(earlier))) return;
    const stored = store();
    this.#storing.set(message, stored);
    await stored;
  }

  /** The SMSC was not told what became of this message. */
  expect(connection: string, message: Message): void {
    const stored = this.#storing.get(message);
    if (!stored) return;
    const key = keyOf(connection, message);
    this.#expected.set(key, [...(this.#expected.get(key) ?? []), stored]);
    this.#count += 1;
    const [oldest] = this.#expected.keys();
    if (this.#count > expectedMost && oldest !== undefined) void this.#take(oldest);
  }

  #take(key: string): Promise<void> | undefined {
    const [first, ...rest] = this.#expected.get(key) ?? [];
    if (!first) return undefined;
    this.#count -= 1;
    if (rest.length > 0) this.#expected.set(key, rest);
    else this.#expected.delete(key);
    return first;
  }
}

const isDone = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

const keyOf = (connection: string, message: Message): string => {
  const { source, destination, esmClass, dataCoding } = message;
  const { octets, part } = readContent(message);
  const place = part ? [part.origin, part.reference, part.total, part.sequence] : [];
  return JSON.stringify([
    connection,
    ...[source.address, destination.address, esmClass, dataCoding, ...place],
    Buffer.from(octets).toString('latin1'),
  ]);
};
