/** What is known of a request that came before under the same identifier. */
type Seen = 'in-progress' | Buffer;

/** A request that is being worked on: retained by who does, and given its answer, or forgotten, in the end. */
export class Admitted {
  readonly authenticator: string;
  readonly at: number;
  /** Was given up: its repetition is accepted. */
  isForgotten = false;
  /** A copy, a character for each octet: a slice would retain the whole buffer that many answers share. */
  #answer: string | undefined;

  constructor(authenticator: string, at: number) {
    this.authenticator = authenticator;
    this.at = at;
  }

  /** Undefined while the request is being worked on. */
  get answer(): Buffer | undefined {
    return this.#answer === undefined ? undefined : Buffer.from(this.#answer, 'latin1');
  }

  set answer(octets: Buffer) {
    this.#answer = octets.toString('latin1');
  }
}

interface Source {
  requests: (Admitted | undefined)[];
  usedAt: number;
}

interface Arrival {
  source: string;
  identifier: number;
  authenticator: string;
  now: number;
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

  /** Looks a request up; when it is new, notes that it is in progress and hands it out. */
  admit({ source, identifier, authenticator, now }: Arrival): Admitted | Seen {
    const { requests } = this.#source(source, now);
    const known = requests[identifier];
    if (known?.authenticator === authenticator && !known.isForgotten && now - known.at < keepMs) {
      return known.answer ?? 'in-progress';
    }
    const request = new Admitted(authenticator, now);
    requests[identifier] = request;
    return request;
  }

  #source(key: string, now: number): Source {
    const known = this.#sources.get(key);
    if (known) {
      known.usedAt = now;
      return known;
    }
    if (this.#sources.size >= sourcesMost) this.#dropOldest(now);
    const source: Source = { requests: new Array<Admitted | undefined>(256), usedAt: now };
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
