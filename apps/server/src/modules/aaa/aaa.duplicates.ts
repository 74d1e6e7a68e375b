/** What is known of a request that came before under the same identifier. */
export type Seen = 'new' | 'in-progress' | Buffer;

interface Slot {
  authenticator: string;
  /** Undefined while the request is being worked on. */
  answer: Buffer | undefined;
  at: number;
}

interface Source {
  slots: (Slot | undefined)[];
  usedAt: number;
}

/** A gateway gives up on a request after some 30 seconds (RFC 5080, 2.2.1, MRD). */
const keepMs = 30_000;
const sourcesMost = 4096;

/**
 * Recognises requests that were sent again: same address, port, identifier and authenticator (RFC 5080, 2.2.2).
 * A request with another authenticator takes the place of the one before: so each source needs at most 256 places.
 */
export class DuplicateCache {
  readonly #sources = new Map<string, Source>();

  /** Looks a request up and, when it is new, notes that it is in progress. */
  admit(request: { source: string; identifier: number; authenticator: string; now: number }): Seen {
    const { identifier, authenticator, now } = request;
    const { slots } = this.#source(request.source, now);
    const slot = slots[identifier];
    if (slot && slot.authenticator === authenticator && now - slot.at < keepMs) {
      return slot.answer ?? 'in-progress';
    }
    slots[identifier] = { authenticator, answer: undefined, at: now };
    return 'new';
  }

  /** The answer to give again; `undefined` forgets the request, so that its repetition is taken up anew. */
  settle(request: {
    source: string;
    identifier: number;
    authenticator: string;
    answer: Buffer | undefined;
  }): void {
    const slots = this.#sources.get(request.source)?.slots;
    const slot = slots?.[request.identifier];
    if (!slots || slot?.authenticator !== request.authenticator) return;
    if (request.answer) slot.answer = request.answer;
    else slots[request.identifier] = undefined;
  }

  #source(key: string, now: number): Source {
    const known = this.#sources.get(key);
    if (known) {
      known.usedAt = now;
      return known;
    }
    if (this.#sources.size >= sourcesMost) this.#dropOldest(now);
    const source: Source = { slots: new Array<Slot | undefined>(256), usedAt: now };
    this.#sources.set(key, source);
    return source;
  }

  /** Those that were silent for long; when all of them talk, the one that has been known longest. */
  #dropOldest(now: number): void {
    for (const [key, { usedAt }] of this.#sources) if (now - usedAt > keepMs) this.#sources.delete(key);
    if (this.#sources.size < sourcesMost) return;
    const [first] = this.#sources.keys();
    if (first !== undefined) this.#sources.delete(first);
  }
}
