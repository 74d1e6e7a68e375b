import { type ClientState, type SmppClientOptions, sessionOptions } from './client-options.ts';
import { SmppEncodeError } from './encode.ts';
import { Pace } from './pace.ts';
import { Queue } from './queue.ts';
import {
  type Closure,
  type SessionCounts,
  type SessionOptions,
  SmppSession,
  type SubmitAnswer,
} from './session.ts';
import { isThrottling } from './statuses.ts';
import { encodeSubmit, outcomeOf, type SubmitMessage, type SubmitOutcome } from './submit.ts';

export interface SmppClientStats {
  readonly state: ClientState;
  /** Why the last connection ended, or could not be made. */
  readonly lastClosure: Closure | undefined;
  /** Messages a second that the connection keeps to now; `undefined` without a limit. */
  readonly rate: number | undefined;
  readonly inFlight: number;
  readonly waiting: number;
  /** Counted since the client was opened. */
  readonly counts: Readonly<ClientCounts>;
}

export interface ClientCounts extends SessionCounts {
  binds: number;
  disconnects: number;
  /** Submits written, repeated ones each time. */
  written: number;
  sent: number;
  refused: number;
  throttled: number;
  unknown: number;
  notSent: number;
  /** Responses after their time limit. */
  late: number;
}

interface Submit {
  readonly message: SubmitMessage;
  readonly encoded: Buffer;
  readonly resolve: (outcome: SubmitOutcome) => void;
  /** When it was first throttled. */
  throttledAt?: number;
}

/**
 * As long as more waits than the window has room for, it is refilled when so much of it is free, or so long after the first
 * response: what is written at once costs both sides one system call, and its responses come together again.
 */
const REFILL_SHARE = 0.5;
const REFILL_WITHIN_MS = 2;

/**
 * An ESME's connection to an SMSC, made again whenever it ends. `submit` never rejects and never sends a message twice:
 * what the SMSC throttled was not taken and is repeated, what was written and not answered is `unknown`.
 */
export class SmppClient {
  readonly #options: SmppClientOptions;
  readonly #sessionOptions: SessionOptions;
  readonly #pace: Pace;
  readonly #queue = new Queue<Submit>();
  /** Throttled ones, before all others. */
  readonly #repeats = new Queue<Submit>();
  readonly #counts: ClientCounts = {
    binds: 0,
    disconnects: 0,
    written: 0,
    sent: 0,
    refused: 0,
    throttled: 0,
    unknown: 0,
    notSent: 0,
    late: 0,
    received: 0,
    receivedFailed: 0,
    ignored: 0,
    malformed: {},
  };
  #state: ClientState = 'connecting';
  #session: SmppSession | undefined;
  #lastClosure: Closure | undefined;
  #pauseMs: number;
  #boundAt: number | undefined;
  #reconnect: NodeJS.Timeout | undefined;
  #next: NodeJS.Timeout | undefined;
  #refilling: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;
  #ended: (() => void) | undefined;

  /**
   * Begins to connect.
   * @throws SmppEncodeError when the SMSC could not be given the system id, password, type or range
   */
  constructor(options: SmppClientOptions) {
    this.#options = options;
    this.#sessionOptions = sessionOptions(options);
    this.#pace = new Pace({ rate: options.rate, random: options.random ?? Math.random });
    this.#pauseMs = options.reconnectMs ?? 1_000;
    this.#connect();
  }

  /** Resolves always, rejects never. The message must not be changed until then. */
  submit(message: SubmitMessage): Promise<SubmitOutcome> {
    return new Promise((resolve) => {
      const notSent = (reason: 'not-bound' | 'queue-full' | 'closed' | 'invalid', detail?: string): void => {
        this.#counts.notSent += 1;
        resolve({ outcome: 'not-sent', reason, ...(detail !== undefined && { detail }) });
      };
      if (this.#options.bind === 'receiver') notSent('invalid', 'a receiver does not submit');
      else if (this.#state === 'closing' || this.#state === 'closed') notSent('closed');
      else if (this.#state !== 'bound') notSent('not-bound');
      else if (this.#queue.length >= (this.#options.maxQueue ?? 10_000)) notSent('queue-full');
      else {
        const encoded = encodeSubmit(message);
        if (encoded instanceof SmppEncodeError) {
          notSent('invalid', encoded.message);
          return;
        }
        this.#queue.push({ message, encoded, resolve });
        this.#pump();
      }
    });
  }

  stats(): SmppClientStats {
    return {
      state: this.#state,
      lastClosure: this.#lastClosure,
      rate: this.#pace.rate(performance.now()),
      inFlight: this.#session?.inFlight ?? 0,
      waiting: this.#queue.length + this.#repeats.length,
      counts: { ...this.#counts, malformed: { ...this.#counts.malformed } },
    };
  }

  /** What waits is not sent; what is on its way has `drainMs` (default 5,000) to be answered; then unbinds. */
  close(drainMs = 5_000): Promise<void> {
    if (this.#closing === undefined) {
      // Before anything else: a handler of states may close too.
      this.#closing = new Promise((resolve) => {
        this.#ended = resolve;
      });
      this.#beginClosing(drainMs);
    }
    return this.#closing;
  }

  #beginClosing(drainMs: number): void {
    clearTimeout(this.#reconnect);
    clearTimeout(this.#next);
    this.#setState('closing');
    this.#abandonWaiting('closed');
    const session = this.#session;
    if (session === undefined) this.#end();
    else if (session.inFlight === 0) session.close();
    else this.#next = setTimeout(() => session.close(), drainMs);
  }

  #connect(): void {
    this.#boundAt = undefined;
    const { onMessage } = this.#options;
    this.#session = new SmppSession(
      this.#sessionOptions,
      {
        bound: () => {
          this.#boundAt = performance.now();
          this.#counts.binds += 1;
          if (this.#state === 'connecting') this.#setState('bound');
        },
        message: async (message) => {
          if (onMessage === undefined) throw new Error('nothing takes messages here');
          await onMessage(message);
        },
        unanswered: (message) => this.#options.onUnanswered?.(message),
        closed: (closure) => this.#disconnected(closure),
      },
      this.#counts,
    );
    this.#setState('connecting');
  }

  #disconnected(closure: Closure): void {
    this.#session = undefined;
    this.#lastClosure = closure;
    clearTimeout(this.#next);
    this.#next = undefined;
    if (this.#boundAt !== undefined) this.#counts.disconnects += 1;
    if (this.#state === 'closing') {
      this.#end();
      return;
    }
    const { reconnectMs = 1_000, maxReconnectMs = 60_000, random = Math.random } = this.#options;
    // A connection that outlived the pause before it was a good one.
    if (this.#boundAt !== undefined && performance.now() - this.#boundAt > this.#pauseMs) {
      this.#pauseMs = reconnectMs;
    }
    const pauseMs = this.#pauseMs * (0.5 + random() / 2);
    this.#pauseMs = Math.min(2 * this.#pauseMs, maxReconnectMs);
    this.#reconnect = setTimeout(() => this.#connect(), pauseMs);
    this.#setState('waiting', closure);
    this.#abandonWaiting('disconnected');
  }

  #end(): void {
    this.#setState('closed', this.#lastClosure);
    this.#ended?.();
  }

  #setState(state: ClientState, closure?: Closure): void {
    this.#state = state;
    this.#options.onState?.(state, closure);
  }

  #abandonWaiting(reason: 'disconnected' | 'closed'): void {
    for (const { resolve } of [...this.#repeats.drain(), ...this.#queue.drain()]) {
      this.#counts.notSent += 1;
      resolve({ outcome: 'not-sent', reason });
    }
  }

  /** Writes what window and pace allow, and sets a timer for the rest. */
  #pump(): void {
    const { window = 50 } = this.#options;
    while (this.#next === undefined && this.#session?.isBound) {
      if (this.#session.inFlight >= window || this.#queue.length + this.#repeats.length === 0) return;
      const waitMs = this.#pace.take(performance.now());
      if (waitMs > 0) {
        this.#next = setTimeout(() => {
          this.#next = undefined;
          this.#pump();
        }, waitMs);
        return;
      }
      const submit = this.#repeats.shift() ?? this.#queue.shift();
      if (submit === undefined) return;
      this.#counts.written += 1;
      this.#session.submit(
        submit.encoded,
        (answer) => this.#answered(submit, answer),
        (answer) => this.#answeredLate(submit, answer),
      );
    }
  }

  #answered(submit: Submit, answer: SubmitAnswer): void {
    if (answer.answered && isThrottling(answer.status) && this.#repeat(submit)) {
      this.#pump();
      return;
    }
    const outcome = outcomeOf(answer);
    if (outcome.outcome === 'sent') this.#pace.accepted(performance.now());
    this.#counts[outcome.outcome === 'not-sent' ? 'notSent' : outcome.outcome] += 1;
    submit.resolve(outcome);
    if (this.#state === 'closing') {
      if (this.#session?.inFlight === 0) this.#session.close();
    } else this.#refill();
  }

  #refill(): void {
    const { window = 50 } = this.#options;
    const free = window - (this.#session?.inFlight ?? 0);
    if (free < window * REFILL_SHARE && free < this.#queue.length + this.#repeats.length) {
      this.#refilling ??= setTimeout(() => this.#refillNow(), REFILL_WITHIN_MS);
    } else this.#refillNow();
  }

  #refillNow(): void {
    clearTimeout(this.#refilling);
    this.#refilling = undefined;
    this.#pump();
  }

  /** @returns whether it will be: else it was throttled for too long, or there is no more time */
  #repeat(submit: Submit): boolean {
    const now = performance.now();
    this.#counts.throttled += 1;
    this.#pace.throttled(now);
    submit.throttledAt ??= now;
    if (this.#state !== 'bound' || now - submit.throttledAt >= (this.#options.maxThrottledMs ?? 300_000)) {
      return false;
    }
    this.#repeats.push(submit);
    return true;
  }

  #answeredLate({ message }: Submit, answer: SubmitAnswer): void {
    this.#counts.late += 1;
    this.#options.onLateOutcome?.(message, outcomeOf(answer));
  }
}
