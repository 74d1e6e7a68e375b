import { type ClientState, type SmppClientOptions, sessionOptions } from './client-options.ts';
import { Deferred } from './deferred.ts';
import { SmppEncodeError } from './encode.ts';
import { Pace } from './pace.ts';
import { Queue } from './queue.ts';
import { ReconnectPauses } from './reconnect-pauses.ts';
import {
  type Closure,
  type SessionCounts,
  type SessionOptions,
  SmppSession,
  type SubmitResponse,
} from './session.ts';
import { isBindLost, isThrottling, isTransient, statusOf } from './statuses.ts';
import { encodeSubmit, outcomeOf, type SubmitMessage, type SubmitOutcome } from './submit.ts';

export interface SmppClientStats {
  readonly state: ClientState;
  /** Why the last connection ended or failed. */
  readonly lastClosure: Closure | undefined;
  /** Current limit of messages per second; `undefined` without a limit. */
  readonly rate: number | undefined;
  readonly inFlight: number;
  readonly waiting: number;
  /** Paused, because it answers every message with a temporary error: others are better used meanwhile. */
  readonly isFailing: boolean;
  /** Counted since the client was opened. */
  readonly counts: Readonly<ClientCounts>;
}

export interface ClientCounts extends SessionCounts {
  binds: number;
  disconnects: number;
  /** Submits written, including retries. */
  written: number;
  sent: number;
  refused: number;
  throttled: number;
  /** Answered with a temporary error of the SMSC, and retried. */
  temporary: number;
  unknown: number;
  notSent: number;
  /** Responses received after their time limit. */
  late: number;
}

interface Submit {
  readonly message: SubmitMessage;
  readonly encoded: Buffer;
  readonly resolve: (outcome: SubmitOutcome) => void;
  /** Time at which it was first throttled, or got a temporary error. */
  deferredAt?: number;
}

/**
 * While more submits wait than fit into the window, it is refilled when this share of it is free, or this long after the first
 * response: submits written together cost both sides one system call, and their responses arrive together too.
 */
const REFILL_SHARE = 0.5;
const REFILL_WITHIN_MS = 2;
/** Temporary errors for so many messages, and none accepted in between, are the SMSC's fault and not the message's. */
const FAILING_MESSAGES = 3;
/** Maximum time until submits in flight are answered, before a session is ended. */
const DRAIN_MS = 5_000;

/**
 * An ESME's connection to an SMSC, re-established whenever it ends. `submit` never rejects and never sends a message twice:
 * submits that were throttled or got a temporary error were not accepted and are retried; those written and not answered are
 * `unknown`.
 */
export class SmppClient {
  readonly #options: SmppClientOptions;
  readonly #sessionOptions: SessionOptions;
  readonly #pace: Pace;
  readonly #pauses: ReconnectPauses;
  readonly #queue = new Queue<Submit>();
  /** Submits to retry, which are sent before all others. */
  readonly #retries = new Queue<Submit>();
  /** Submits that got a temporary error and wait to be retried. */
  readonly #deferred: Deferred<Submit>;
  /** The messages that got a temporary error since one was accepted, up to the number that matters. */
  readonly #failing = new Set<Submit>();
  #failingUntil = 0;
  readonly #counts: ClientCounts = {
    binds: 0,
    disconnects: 0,
    written: 0,
    sent: 0,
    refused: 0,
    throttled: 0,
    temporary: 0,
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
  /** Why the session is being ended, while its submits in flight are still being answered. */
  #ending: Closure | undefined;
  #boundAt: number | undefined;
  #reconnect: NodeJS.Timeout | undefined;
  #next: NodeJS.Timeout | undefined;
  #refilling: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;
  #resolveClosing: (() => void) | undefined;

  /**
   * Starts connecting.
   * @throws SmppEncodeError if system id, password, type or range do not fit a bind
   */
  constructor(options: SmppClientOptions) {
    this.#options = options;
    this.#sessionOptions = sessionOptions(options);
    const { random = Math.random } = options;
    this.#pace = new Pace({ rate: options.rate, random });
    this.#deferred = new Deferred(random);
    this.#pauses = new ReconnectPauses(options);
    this.#connect();
  }

  /** Never rejects. The message must not be changed until the promise resolves. */
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
      waiting: this.#queue.length + this.#retries.length + this.#deferred.length,
      isFailing: performance.now() < this.#failingUntil,
      counts: { ...this.#counts, malformed: { ...this.#counts.malformed } },
    };
  }

  /** Queued submits are not sent; those in flight have `drainMs` (default 5,000) to be answered; then unbinds. */
  close(drainMs = DRAIN_MS): Promise<void> {
    if (this.#closing === undefined) {
      // Set first, because a state handler may call close too.
      this.#closing = new Promise((resolve) => {
        this.#resolveClosing = resolve;
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
    const ending = this.#ending;
    this.#ending = undefined;
    this.#session = undefined;
    this.#lastClosure = ending ?? closure;
    clearTimeout(this.#next);
    this.#next = undefined;
    if (this.#boundAt !== undefined) this.#counts.disconnects += 1;
    if (this.#state === 'closing') {
      this.#end();
      return;
    }
    const boundMs = this.#boundAt === undefined ? 0 : performance.now() - this.#boundAt;
    this.#reconnect = setTimeout(() => this.#connect(), this.#pauses.next(boundMs));
    if (ending !== undefined) return;
    this.#setState('waiting', closure);
    this.#abandonWaiting('disconnected');
  }

  /** The SMSC no longer knows the bind: nothing more is written, and the session ends when those in flight are answered. */
  #endSession(status: number): void {
    this.#ending = { reason: 'bind-lost', detail: statusOf(status).name };
    this.#lastClosure = this.#ending;
    clearTimeout(this.#next);
    this.#next = setTimeout(() => this.#session?.close(), DRAIN_MS);
    this.#setState('waiting', this.#ending);
    this.#abandonWaiting('disconnected');
  }

  #end(): void {
    this.#setState('closed', this.#lastClosure);
    this.#resolveClosing?.();
  }

  #setState(state: ClientState, closure?: Closure): void {
    this.#state = state;
    this.#options.onState?.(state, closure);
  }

  #abandonWaiting(reason: 'disconnected' | 'closed'): void {
    for (const { resolve } of [...this.#retries.drain(), ...this.#deferred.drain(), ...this.#queue.drain()]) {
      this.#counts.notSent += 1;
      resolve({ outcome: 'not-sent', reason });
    }
  }

  /** Writes what the window and pace allow, and sets a timer for the rest. */
  #pump(): void {
    const { window = 50 } = this.#options;
    while (this.#next === undefined && this.#session?.isBound) {
      if (this.#session.inFlight >= window || this.#queue.length + this.#retries.length === 0) return;
      const waitMs = this.#pace.take(performance.now());
      if (waitMs > 0) {
        this.#next = setTimeout(() => {
          this.#next = undefined;
          this.#pump();
        }, waitMs);
        return;
      }
      const submit = this.#retries.shift() ?? this.#queue.shift();
      if (submit === undefined) return;
      this.#counts.written += 1;
      this.#session.submit(
        submit.encoded,
        (response) => this.#onResponse(submit, response),
        (response) => this.#onLateResponse(submit, response),
      );
    }
  }

  #onResponse(submit: Submit, response: SubmitResponse): void {
    if (response.answered && this.#retry(submit, response.status)) {
      this.#pump();
      return;
    }
    const outcome = outcomeOf(response);
    if (outcome.outcome === 'sent') this.#accepted();
    this.#counts[outcome.outcome === 'not-sent' ? 'notSent' : outcome.outcome] += 1;
    submit.resolve(outcome);
    if (response.answered && isBindLost(response.status) && this.#state === 'bound')
      this.#endSession(response.status);
    if (this.#state === 'bound') this.#refill();
    else if (this.#session?.inFlight === 0) this.#session.close();
  }

  #accepted(): void {
    this.#pace.accepted(performance.now());
    this.#failing.clear();
    this.#failingUntil = 0;
  }

  #refill(): void {
    const { window = 50 } = this.#options;
    const free = window - (this.#session?.inFlight ?? 0);
    if (free < window * REFILL_SHARE && free < this.#queue.length + this.#retries.length) {
      this.#refilling ??= setTimeout(() => this.#refillNow(), REFILL_WITHIN_MS);
    } else this.#refillNow();
  }

  #refillNow(): void {
    clearTimeout(this.#refilling);
    this.#refilling = undefined;
    this.#pump();
  }

  /** @returns whether it will be retried: false if it was deferred for too long, or the session is ending */
  #retry(submit: Submit, status: number): boolean {
    const isThrottled = isThrottling(status);
    if (!isThrottled && !isTransient(status)) return false;
    const now = performance.now();
    this.#counts[isThrottled ? 'throttled' : 'temporary'] += 1;
    if (isThrottled) this.#pace.throttled(now);
    else this.#failed(submit, now);
    submit.deferredAt ??= now;
    if (this.#state !== 'bound' || now - submit.deferredAt >= (this.#options.maxThrottledMs ?? 300_000)) {
      return false;
    }
    if (isThrottled) this.#retries.push(submit);
    else {
      this.#deferred.add(submit, (due) => {
        this.#retries.push(due);
        this.#pump();
      });
    }
    return true;
  }

  /** One message that fails every time must not stop the others; several suggest that the SMSC accepts none. */
  #failed(submit: Submit, now: number): void {
    if (this.#failing.size < FAILING_MESSAGES) this.#failing.add(submit);
    if (this.#failing.size < FAILING_MESSAGES) return;
    this.#pace.throttled(now);
    this.#failingUntil = this.#pace.resumeAt;
  }

  #onLateResponse({ message }: Submit, response: SubmitResponse): void {
    this.#counts.late += 1;
    this.#options.onLateOutcome?.(message, outcomeOf(response));
  }
}
