/** What is known of an earlier request with the same identifier: in progress, or its reply. */
type KnownReply = 'in-progress' | Buffer;

/** A request in progress. Its handler must eventually give it a reply or forget it. */
export class AdmittedRequest {
  readonly authenticator: string;
  readonly at: number;
  /** Given up: a retransmission is accepted as new. */
  isForgotten = false;
  /** A copy, one character per octet: a slice would keep alive the whole buffer that many replies share. */
  #reply: string | undefined;

  constructor(authenticator: string, at: number) {
    this.authenticator = authenticator;
    this.at = at;
  }

  /** Undefined while the request is being worked on. */
  get reply(): Buffer | undefined {
    return this.#reply === undefined ? undefined : Buffer.from(this.#reply, 'latin1');
  }

  set reply(octets: Buffer) {
    this.#reply = octets.toString('latin1');
  }
}

interface Source {
  requests: (AdmittedRequest | undefined)[];
  usedAt: number;
}

interface IncomingRequest {
  source: string;
  identifier: number;
  authenticator: string;
  now: number;
}

/** Gateways give up on a request after about 30 seconds (RFC 5080, 2.2.1, MRD). */
const replyCacheMs = 30_000;
const maxSources = 4096;

/**
 * Recognises retransmitted requests: same address, port, identifier and authenticator (RFC 5080, 2.2.2). A request
 * with another authenticator replaces the previous one, so that each source needs at most 256 entries.
 */
export class DuplicateCache {
  /** In the order of their last use. */
  readonly #sources = new Map<string, Source>();

  /** Looks up a request. A new one is recorded as in progress and returned. */
  admit({ source, identifier, authenticator, now }: IncomingRequest): AdmittedRequest | KnownReply {
    const { requests } = this.#source(source, now);
    const prior = requests[identifier];
    if (prior?.authenticator === authenticator && !prior.isForgotten && now - prior.at < replyCacheMs) {
      return prior.reply ?? 'in-progress';
    }
    const request = new AdmittedRequest(authenticator, now);
    requests[identifier] = request;
    return request;
  }

  #source(key: string, now: number): Source {
    const known = this.#sources.get(key);
    if (known) this.#sources.delete(key);
    else this.#dropUnused(now);
    const source = known ?? { requests: new Array<AdmittedRequest | undefined>(256), usedAt: now };
    source.usedAt = now;
    this.#sources.set(key, source);
    return source;
  }

  /** Drops sources that have been silent for long; if there are too many others, the one that has been so longest. */
  #dropUnused(now: number): void {
    for (const [key, { usedAt }] of this.#sources) {
      if (now - usedAt <= replyCacheMs && this.#sources.size < maxSources) return;
      this.#sources.delete(key);
    }
  }
}
