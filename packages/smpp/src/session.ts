import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { type DecodeFailure, decodePdu, type RefusedPdu } from './decode.ts';
import { encodeHeader, encodePdu, setSequence } from './encode.ts';
import { PduFramer } from './framer.ts';
import type { BindBody, DataBody, MessageBody, Pdu } from './pdu.ts';
import { statusCode, statusOf } from './statuses.ts';

/** Reasons why a connection ended: a closed set, so that they can be counted. */
export type CloseReason =
  | 'connect-failed'
  | 'bind-refused'
  | 'bind-timeout'
  | 'enquire-link-timeout'
  | 'framing-lost'
  | 'not-reading'
  | 'unbound-by-smsc'
  | 'bind-lost'
  | 'connection-lost'
  | 'closed';

export interface Closure {
  readonly reason: CloseReason;
  /** A system error code, a status or a length; may be empty, never contains a secret. */
  readonly detail: string;
}

export type BindKind = 'transmitter' | 'receiver' | 'transceiver';

export interface SessionOptions {
  readonly host: string;
  readonly port: number;
  readonly tls: ConnectionOptions | undefined;
  readonly bindKind: BindKind;
  readonly bind: BindBody;
  readonly bindTimeoutMs: number;
  readonly responseTimeoutMs: number;
  readonly enquireLinkMs: number;
  readonly maxDeliveries: number;
}

export type SubmitResponse =
  | { readonly answered: true; readonly status: number; readonly messageId: string }
  | { readonly answered: false; readonly reason: 'timeout' | 'disconnected' };

export interface SessionEvents {
  bound(): void;
  /** Handles a message from the SMSC: acknowledged when the promise resolves, refused temporarily when it rejects. */
  message(message: MessageBody | DataBody): Promise<void>;
  /** The result cannot be reported to the SMSC, which is likely to send the message again. */
  unanswered(message: MessageBody | DataBody): void;
  /** Called once, after every submit has been settled. */
  closed(closure: Closure): void;
}

export interface SessionCounts {
  received: number;
  /** Answered with a temporary error: the handler failed or was too slow. */
  receivedFailed: number;
  /** Responses that match no pending request. */
  ignored: number;
  readonly malformed: Partial<Record<DecodeFailure, number>>;
}

interface Pending {
  dueAt: number;
  readonly settle: (answer: SubmitResponse) => void;
  /** The response arrived after `timeout`. */
  readonly late: (answer: SubmitResponse) => void;
}

interface Delivery {
  readonly command: 'deliver_sm_resp' | 'data_sm_resp';
  readonly sequence: number;
  readonly message: MessageBody | DataBody;
  readonly dueAt: number;
}

const SWEEP_MS = 50;
const MAX_SEQUENCE = 0x7fffffff;
/** Maximum number of timed-out submits whose late response is still recognised. */
const MAX_LATE = 10_000;
/** More than any window writes: the peer neither responds nor reads. */
const MAX_UNREAD = 4 * 1024 * 1024;
const CLOSING_MS = 2_000;

/** One connection, from connecting to its end: bind, responses, keep-alive, time limits. Has no queue and no rate limit. */
export class SmppSession {
  readonly #options: SessionOptions;
  readonly #events: SessionEvents;
  readonly #counts: SessionCounts;
  readonly #socket: Socket;
  readonly #framer = new PduFramer();
  readonly #pending = new Map<number, Pending>();
  readonly #late = new Map<number, Pending>();
  readonly #deliveries = new Set<Delivery>();
  readonly #sweep: NodeJS.Timeout;
  #sequence = 0;
  #state: 'binding' | 'bound' | 'unbinding' | 'closed' = 'binding';
  #bindDueAt: number;
  #lastReceivedAt = 0;
  #lastEnquiryAt: number | undefined;
  /** PDUs to write at the end of this turn of the event loop. */
  #outgoing: Buffer[] = [];
  /** Since when reading is paused because too many messages are being handled. */
  #pausedAt: number | undefined;

  constructor(options: SessionOptions, events: SessionEvents, counts: SessionCounts) {
    this.#options = options;
    this.#events = events;
    this.#counts = counts;
    this.#bindDueAt = performance.now() + options.bindTimeoutMs;
    const { host, port, tls } = options;
    const name = isIP(host) === 0 ? { servername: host } : {};
    this.#socket = tls ? connectTls({ ...name, ...tls, host, port }) : connectTcp({ host, port });
    this.#socket.setNoDelay(true);
    this.#socket.once(tls ? 'secureConnect' : 'connect', () => this.#bind());
    this.#socket.on('data', (chunk) => this.#receive(chunk));
    const lost = (): CloseReason => (this.#sequence === 0 ? 'connect-failed' : 'connection-lost');
    this.#socket.on('error', (error: NodeJS.ErrnoException) => this.#close(lost(), error.code));
    this.#socket.on('close', () => this.#close(lost()));
    // After reading the socket: a delayed process must not treat responses that have arrived as missing.
    this.#sweep = setInterval(() => setImmediate(() => this.#checkTimeLimits()), SWEEP_MS);
  }

  /** `submit` is allowed. */
  get isBound(): boolean {
    return this.#state === 'bound';
  }

  /** Number of submits written and not answered. */
  get inFlight(): number {
    return this.#pending.size;
  }

  /** Writes an encoded `submit_sm` with a new sequence number. */
  submit(encoded: Buffer, settle: Pending['settle'], late: Pending['late']): void {
    const sequence = this.#nextSequence();
    setSequence(encoded, sequence);
    const dueAt = performance.now() + this.#options.responseTimeoutMs;
    this.#pending.set(sequence, { dueAt, settle, late });
    this.#write(encoded);
  }

  /** Unbinds, waits a moment for the response, and closes. */
  close(): void {
    this.#resume();
    if (this.#state !== 'bound') {
      this.#close('closed');
      return;
    }
    this.#state = 'unbinding';
    this.#bindDueAt = performance.now() + Math.min(CLOSING_MS, this.#options.responseTimeoutMs);
    this.#write(encodeHeader('unbind', 0, this.#nextSequence()));
  }

  #bind(): void {
    const { bindKind, bind } = this.#options;
    const command = `bind_${bindKind}` as const;
    this.#lastReceivedAt = performance.now();
    this.#write(encodePdu({ command, status: 0, sequence: this.#nextSequence(), body: bind }));
  }

  #nextSequence(): number {
    do this.#sequence = this.#sequence >= MAX_SEQUENCE ? 1 : this.#sequence + 1;
    while (this.#pending.has(this.#sequence) || this.#late.has(this.#sequence));
    return this.#sequence;
  }

  /** PDUs of one turn of the event loop are written together, in one buffer: writing a list costs more than the copy. */
  #write(encoded: Buffer): void {
    if (this.#state === 'closed') return;
    if (this.#outgoing.length === 0) process.nextTick(() => this.#flush());
    this.#outgoing.push(encoded);
  }

  #flush(): void {
    if (this.#outgoing.length === 0) return;
    this.#socket.write(Buffer.concat(this.#outgoing.splice(0)));
    if (this.#socket.writableLength > MAX_UNREAD) this.#close('not-reading');
  }

  #receive(chunk: Buffer): void {
    this.#lastReceivedAt = performance.now();
    for (const frame of this.#framer.push(chunk)) {
      if (this.#state === 'closed') return;
      const decoded = decodePdu(frame);
      if (decoded.ok) this.#handle(decoded.pdu);
      else this.#refuse(decoded);
    }
    const { lost } = this.#framer;
    if (lost === undefined) return;
    this.#write(encodeHeader('generic_nack', statusCode.ESME_RINVCMDLEN, 0));
    this.#close('framing-lost', `command_length ${lost.length}`);
  }

  #refuse({ reason, answer, status, sequence }: RefusedPdu): void {
    this.#counts.malformed[reason] = (this.#counts.malformed[reason] ?? 0) + 1;
    if (answer !== undefined) this.#write(encodeHeader(answer, status, sequence));
  }

  #handle(pdu: Pdu): void {
    switch (pdu.command) {
      case 'submit_sm_resp':
        this.#onSubmitResponse(pdu.sequence, pdu.status, pdu.body.messageId);
        break;
      case 'generic_nack':
        if (this.#state === 'binding') this.#close('bind-refused', statusOf(pdu.status).name);
        else this.#onSubmitResponse(pdu.sequence, pdu.status || statusCode.ESME_RUNKNOWNERR, '');
        break;
      case 'deliver_sm':
      case 'data_sm':
        this.#onDelivery(pdu);
        break;
      case 'enquire_link':
        this.#write(encodeHeader('enquire_link_resp', 0, pdu.sequence));
        break;
      case 'enquire_link_resp':
        // It only shows that the SMSC is alive.
        break;
      case 'bind_transmitter_resp':
      case 'bind_receiver_resp':
      case 'bind_transceiver_resp':
        this.#onBindResponse(pdu);
        break;
      case 'unbind':
        this.#write(encodeHeader('unbind_resp', 0, pdu.sequence));
        this.#close('unbound-by-smsc');
        break;
      case 'unbind_resp':
        if (this.#state === 'unbinding') this.#close('closed');
        else this.#counts.ignored += 1;
        break;
      case 'submit_sm':
      case 'bind_transmitter':
      case 'bind_receiver':
      case 'bind_transceiver':
        this.#write(encodeHeader(`${pdu.command}_resp`, statusCode.ESME_RINVBNDSTS, pdu.sequence));
        break;
      default:
        this.#counts.ignored += 1;
    }
  }

  #onBindResponse({ command, status }: Pdu): void {
    if (this.#state !== 'binding' || command !== `bind_${this.#options.bindKind}_resp`) {
      this.#counts.ignored += 1;
      return;
    }
    if (status !== 0) {
      this.#close('bind-refused', statusOf(status).name);
      return;
    }
    this.#state = 'bound';
    this.#events.bound();
  }

  #onSubmitResponse(sequence: number, status: number, messageId: string): void {
    const answer = { answered: true, status, messageId } as const;
    const pending = this.#pending.get(sequence);
    if (pending !== undefined) {
      this.#pending.delete(sequence);
      pending.settle(answer);
      return;
    }
    const late = this.#late.get(sequence);
    if (late === undefined) {
      this.#counts.ignored += 1;
      return;
    }
    this.#late.delete(sequence);
    late.late(answer);
  }

  #onDelivery(pdu: Pdu<'deliver_sm' | 'data_sm'>): void {
    const command = `${pdu.command}_resp` as const;
    const dueAt = performance.now() + this.#options.responseTimeoutMs;
    const delivery: Delivery = { command, sequence: pdu.sequence, message: pdu.body, dueAt };
    this.#deliveries.add(delivery);
    if (this.#state !== 'bound') {
      this.#acknowledge(delivery, statusCode.ESME_RX_T_APPN);
      return;
    }
    this.#events.message(pdu.body).then(
      () => this.#acknowledge(delivery, 0),
      () => this.#acknowledge(delivery, statusCode.ESME_RX_T_APPN),
    );
    if (this.#deliveries.size < this.#options.maxDeliveries || this.#pausedAt !== undefined) return;
    this.#pausedAt = performance.now();
    this.#socket.pause();
  }

  /** Responses that could not be read during the pause must not count as missing. */
  #resume(): void {
    if (this.#pausedAt === undefined) return;
    const now = performance.now();
    for (const pending of this.#pending.values()) pending.dueAt += now - this.#pausedAt;
    this.#pausedAt = undefined;
    this.#lastReceivedAt = now;
    this.#socket.resume();
  }

  #acknowledge(delivery: Delivery, status: number): void {
    if (!this.#deliveries.delete(delivery)) return;
    if (status === 0) this.#counts.received += 1;
    else this.#counts.receivedFailed += 1;
    const { command, sequence } = delivery;
    this.#write(encodePdu({ command, status, sequence, body: { messageId: '', tlvs: [] } }));
    if (this.#deliveries.size < this.#options.maxDeliveries) this.#resume();
  }

  #checkTimeLimits(): void {
    if (this.#state === 'closed') return;
    const now = performance.now();
    if (this.#state !== 'bound' && now >= this.#bindDueAt) {
      // Nothing was written yet: the connection or its TLS handshake was not completed.
      if (this.#sequence === 0) this.#close('connect-failed', 'ETIMEDOUT');
      else this.#close(this.#state === 'binding' ? 'bind-timeout' : 'closed');
      return;
    }
    // All have the same time limit, so the oldest expire first.
    for (const delivery of this.#deliveries) {
      if (now < delivery.dueAt) break;
      this.#events.unanswered(delivery.message);
      this.#acknowledge(delivery, statusCode.ESME_RX_T_APPN);
    }
    if (this.#pausedAt !== undefined) return;
    for (const [sequence, pending] of this.#pending) {
      if (now < pending.dueAt) break;
      this.#pending.delete(sequence);
      this.#rememberLate(sequence, pending);
      pending.settle({ answered: false, reason: 'timeout' });
    }
    this.#enquire(now);
  }

  #rememberLate(sequence: number, pending: Pending): void {
    this.#late.set(sequence, pending);
    const [oldest] = this.#late.keys();
    if (this.#late.size > MAX_LATE && oldest !== undefined) this.#late.delete(oldest);
  }

  #enquire(now: number): void {
    if (this.#state !== 'bound') return;
    const { enquireLinkMs, responseTimeoutMs } = this.#options;
    if (this.#lastEnquiryAt === undefined || this.#lastEnquiryAt < this.#lastReceivedAt) {
      this.#lastEnquiryAt = undefined;
      if (now - this.#lastReceivedAt < enquireLinkMs) return;
      this.#lastEnquiryAt = now;
      this.#write(encodeHeader('enquire_link', 0, this.#nextSequence()));
    } else if (now - this.#lastEnquiryAt >= responseTimeoutMs) {
      this.#close('enquire-link-timeout');
    }
  }

  /**
   * Lets pending writes (a nack, unbind_resp) complete, unless the peer does not read: its time limit is not extended by data
   * that it sends.
   */
  #destroySoon(): void {
    const overdue = setTimeout(() => this.#socket.destroy(), CLOSING_MS).unref();
    this.#socket.once('close', () => clearTimeout(overdue));
    this.#socket.destroySoon();
  }

  #close(reason: CloseReason, detail = ''): void {
    if (this.#state === 'closed') return;
    const wasUnbinding = this.#state === 'unbinding';
    this.#state = 'closed';
    clearInterval(this.#sweep);
    this.#flush();
    if (this.#sequence === 0) this.#socket.destroy();
    else this.#destroySoon();
    for (const { settle } of this.#pending.values()) settle({ answered: false, reason: 'disconnected' });
    this.#pending.clear();
    this.#late.clear();
    for (const { message } of this.#deliveries) this.#events.unanswered(message);
    this.#deliveries.clear();
    this.#events.closed({ reason: wasUnbinding ? 'closed' : reason, detail });
  }
}
