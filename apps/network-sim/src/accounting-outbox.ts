import { setTimeout as sleep } from 'node:timers/promises';
import { type AttributeWriter, attribute, type RadiusClient, radiusCode } from '@simcube/radius';

type AccountingStatus = 'start' | 'interimUpdate' | 'stop' | 'accountingOn' | 'accountingOff';

interface Entry {
  readonly status: AccountingStatus;
  readonly attributes: AttributeWriter;
  readonly eventMs: number;
}

/** The unacknowledged records of one session, in order. The first has been sent while `isPumping`. */
interface SessionQueue {
  readonly entries: Entry[];
  isPumping: boolean;
}

export interface OutboxOptions {
  client: RadiusClient;
  now: () => number;
  /** Pause after a request without a reply; doubled each time, up to sixteen times this value. */
  retryMs: number;
}

/**
 * Retransmits accounting until it is acknowledged, in order within a session. Bounded without loss: counters are cumulative, so
 * a newer update or the stop replaces a waiting update, and no session ever has more than three entries; the gateway opens no
 * new sessions while too many entries wait.
 */
export class AccountingOutbox {
  readonly #options: OutboxOptions;
  readonly #queues = new Map<string, SessionQueue>();
  #ended = new AbortController();
  #unacknowledged = 0;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Number of unacknowledged entries. */
  get unacknowledged(): number {
    return this.#unacknowledged;
  }

  push(sessionId: string, status: AccountingStatus, attributes: AttributeWriter): void {
    const queue = this.#queues.get(sessionId) ?? { entries: [], isPumping: false };
    this.#queues.set(sessionId, queue);
    const { entries } = queue;
    const isLastWaiting = entries.length > (queue.isPumping ? 1 : 0);
    if (isLastWaiting && entries.at(-1)?.status === 'interimUpdate') entries.pop();
    else this.#unacknowledged += 1;
    entries.push({ status, attributes, eventMs: this.#options.now() });
    if (!queue.isPumping) void this.#pump(sessionId, queue);
  }

  /** Waits until everything is acknowledged or the time is over. Resolves to true if everything is. */
  async waitUntilDrained(withinMs: number): Promise<boolean> {
    const until = performance.now() + withinMs;
    while (this.#unacknowledged > 0 && performance.now() < until) await sleep(20);
    return this.#unacknowledged === 0;
  }

  /** Forgets everything, like a gateway that loses power. */
  discardAll(): void {
    this.#ended.abort();
    this.#ended = new AbortController();
    this.#queues.clear();
    this.#unacknowledged = 0;
  }

  async #pump(sessionId: string, queue: SessionQueue): Promise<void> {
    const { signal } = this.#ended;
    const { client, retryMs } = this.#options;
    queue.isPumping = true;
    let pauseMs = retryMs;
    for (let [entry] = queue.entries; entry !== undefined; [entry] = queue.entries) {
      const reply = await client.send({
        code: radiusCode.accountingRequest,
        attributes: this.#withDelay(entry),
      });
      if (signal.aborted) return;
      if (reply.ok) {
        queue.entries.shift();
        this.#unacknowledged -= 1;
        pauseMs = retryMs;
      } else if (reply.reason === 'closed') {
        return;
      } else {
        await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
        if (signal.aborted) return;
        pauseMs = Math.min(2 * pauseMs, 16 * retryMs);
      }
    }
    queue.isPumping = false;
    this.#queues.delete(sessionId);
  }

  /** A later attempt states its delay (Acct-Delay-Time), which makes it a new request (RFC 2866 §5.2). */
  #withDelay({ attributes, eventMs }: Entry): AttributeWriter {
    const seconds = Math.floor((this.#options.now() - eventMs) / 1_000);
    return attributes.clone().add(attribute.acctDelayTime, Math.max(0, seconds));
  }
}
