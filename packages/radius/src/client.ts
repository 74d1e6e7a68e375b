import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import type { AttributeWriter } from './attribute-values.ts';
import { verifyResponse } from './authenticators.ts';
import { isReplyTo, type RadiusCode } from './codes.ts';
import { encodeRequest } from './encode.ts';
import { decodePacket, type RadiusPacket } from './packet.ts';

export interface RadiusClientOptions {
  /** An IP address, not a name. */
  host: string;
  port: number;
  secret: Uint8Array;
  /** Number of sockets, each with 256 identifiers. Default 1. */
  sockets?: number;
  /** Maximum requests in flight; others are queued. Default 64, at most 256 per socket. */
  window?: number;
  /** Maximum queued requests; further ones fail with `queue-full`. Default 10,000. */
  maxQueue?: number;
  /** Time until the first retransmission (RFC 5080's IRT). Default 2,000. */
  initialTimeoutMs?: number;
  /** Maximum time between two transmissions (MRT). Default 16,000. */
  maxTimeoutMs?: number;
  /** Retransmissions before giving up (MRC). Default 5. */
  maxRetransmissions?: number;
  /** Maximum total time before giving up (MRD). Default 30,000. */
  maxDurationMs?: number;
  /** Ignore replies without Message-Authenticator. */
  requireMessageAuthenticator?: boolean;
  /** Local address to send from. */
  bindAddress?: string;
  /** 0 ≤ x < 1, for the jitter of retransmissions. */
  random?: () => number;
}

export interface RadiusRequest {
  code: RadiusCode;
  /** Encoded before `send` returns: the writer may be reused immediately. */
  attributes: AttributeWriter;
  authenticator?: Uint8Array;
  messageAuthenticator?: boolean;
  /** Asked before each retransmission: the request is withdrawn once this is false. */
  isWanted?: () => Promise<boolean>;
}

export type RadiusReply =
  | { readonly ok: true; readonly packet: RadiusPacket; readonly milliseconds: number; readonly sent: number }
  | { readonly ok: false; readonly reason: 'timeout' | 'withdrawn' | 'queue-full' | 'closed' };

/** Counted since the client was opened. */
export interface RadiusClientStats {
  readonly sent: number;
  readonly retransmitted: number;
  readonly answered: number;
  readonly timedOut: number;
  /** Datagrams that were not a valid reply to a pending request: late, forged or malformed. */
  readonly ignored: number;
  readonly inFlight: number;
  readonly waiting: number;
}

export interface RadiusClient {
  /** Never rejects: resolves with the verified reply, or the reason why there is none. */
  send(request: RadiusRequest): Promise<RadiusReply>;
  stats(): RadiusClientStats;
  /** Ends requests in flight with `closed`, then closes the sockets. */
  close(): Promise<void>;
}

interface Pending {
  readonly lane: Lane;
  readonly identifier: number;
  readonly datagram: Buffer;
  readonly isWanted: RadiusRequest['isWanted'];
  readonly resolve: (reply: RadiusReply) => void;
  readonly startedAt: number;
  dueAt: number;
  pauseMs: number;
  sent: number;
}

interface Waiting {
  readonly request: RadiusRequest;
  readonly resolve: (reply: RadiusReply) => void;
}

/** One socket with its identifiers. Freed ones are reused last, so that a late reply does not meet a new request. */
interface Lane {
  readonly socket: Socket;
  readonly free: number[];
  readonly pending: Map<number, Pending>;
}

/** Interval of the retransmission timer: one timer for all requests is cheaper than one each at tens of thousands per second. */
const SWEEP_MS = 20;

/** A client of one server and port: sends, retransmits identical octets (RFC 5080 §2.2.1), verifies replies. */
export async function openRadiusClient(options: RadiusClientOptions): Promise<RadiusClient> {
  const lanes = await Promise.all(Array.from({ length: options.sockets ?? 1 }, () => openLane(options)));
  return new UdpRadiusClient(lanes, options);
}

async function openLane({ host, port, bindAddress }: RadiusClientOptions): Promise<Lane> {
  const socket = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4', recvBufferSize: 4 * 1024 * 1024 });
  try {
    if (bindAddress !== undefined) {
      socket.bind(0, bindAddress);
      await once(socket, 'listening');
    }
    // Connected: the kernel drops datagrams that are not from the server's address and port.
    socket.connect(port, host);
    await once(socket, 'connect');
  } catch (error) {
    socket.close();
    throw error;
  }
  return { socket, free: Array.from({ length: 256 }, (_, index) => index), pending: new Map() };
}

class UdpRadiusClient implements RadiusClient {
  readonly #lanes: readonly Lane[];
  readonly #options: RadiusClientOptions;
  readonly #window: number;
  readonly #maxQueue: number;
  readonly #random: () => number;
  readonly #queue: Waiting[] = [];
  #queueHead = 0;
  #turn = 0;
  #inFlight = 0;
  #sweep: NodeJS.Timeout | undefined;
  #state: 'open' | 'closed' = 'open';
  #counts = { sent: 0, retransmitted: 0, answered: 0, timedOut: 0, ignored: 0 };

  constructor(lanes: readonly Lane[], options: RadiusClientOptions) {
    this.#lanes = lanes;
    this.#options = options;
    this.#window = Math.min(options.window ?? 64, 256 * lanes.length);
    this.#maxQueue = options.maxQueue ?? 10_000;
    this.#random = options.random ?? Math.random;
    for (const lane of lanes) {
      lane.socket.on('message', (datagram) => this.#receive(lane, datagram));
      // A refused port is reported here; like a lost datagram, it is handled by retransmission.
      lane.socket.on('error', () => undefined);
    }
  }

  send(request: RadiusRequest): Promise<RadiusReply> {
    return new Promise((resolve) => {
      if (this.#state === 'closed') resolve({ ok: false, reason: 'closed' });
      else if (this.#inFlight < this.#window) this.#launch(request, resolve);
      else if (this.#waiting() >= this.#maxQueue) resolve({ ok: false, reason: 'queue-full' });
      else this.#queue.push({ request: { ...request, attributes: request.attributes.clone() }, resolve });
    });
  }

  stats(): RadiusClientStats {
    return { ...this.#counts, inFlight: this.#inFlight, waiting: this.#waiting() };
  }

  async close(): Promise<void> {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    clearInterval(this.#sweep);
    for (const { resolve } of this.#queue.splice(this.#queueHead)) resolve({ ok: false, reason: 'closed' });
    for (const lane of this.#lanes) {
      for (const { resolve } of lane.pending.values()) resolve({ ok: false, reason: 'closed' });
      lane.pending.clear();
    }
    this.#inFlight = 0;
    await Promise.all(
      this.#lanes.map(({ socket }) => new Promise<void>((resolve) => socket.close(() => resolve()))),
    );
  }

  #waiting(): number {
    return this.#queue.length - this.#queueHead;
  }

  #launch(request: RadiusRequest, resolve: (reply: RadiusReply) => void): void {
    const lane = this.#nextLane();
    const identifier = lane.free.shift() ?? 0;
    const { secret } = this.#options;
    const datagram = encodeRequest({ ...request, identifier, secret });
    const now = performance.now();
    const pauseMs = this.#withJitter(this.#options.initialTimeoutMs ?? 2_000);
    const pending = {
      lane,
      identifier,
      datagram,
      isWanted: request.isWanted,
      resolve,
      startedAt: now,
      dueAt: now + pauseMs,
      pauseMs,
      sent: 1,
    };
    lane.pending.set(identifier, pending);
    this.#inFlight += 1;
    this.#counts.sent += 1;
    this.#sweep ??= setInterval(() => this.#retransmit(), SWEEP_MS);
    transmit(lane.socket, datagram);
  }

  /** Round robin, skipping sockets whose 256 identifiers are all in use: the window guarantees that one is free. */
  #nextLane(): Lane {
    for (;;) {
      this.#turn = (this.#turn + 1) % this.#lanes.length;
      const lane = this.#lanes[this.#turn];
      if (lane !== undefined && lane.free.length > 0) return lane;
    }
  }

  #receive(lane: Lane, datagram: Buffer): void {
    const pending = lane.pending.get(datagram[1] ?? 0);
    const decoded = decodePacket(datagram);
    if (pending === undefined || !decoded.ok || !this.#isValidReply(pending, decoded.packet)) {
      this.#counts.ignored += 1;
      return;
    }
    this.#counts.answered += 1;
    const milliseconds = performance.now() - pending.startedAt;
    this.#settle(pending, { ok: true, packet: decoded.packet, milliseconds, sent: pending.sent });
  }

  #isValidReply({ datagram }: Pending, packet: RadiusPacket): boolean {
    const { secret, requireMessageAuthenticator = false } = this.#options;
    if (!isReplyTo(datagram[0] ?? 0, packet.code)) return false;
    const requestAuthenticator = datagram.subarray(4, 20);
    return (
      verifyResponse({ packet, secret, requestAuthenticator, requireMessageAuthenticator }) === undefined
    );
  }

  #settle(pending: Pending, reply: RadiusReply): void {
    pending.lane.pending.delete(pending.identifier);
    pending.lane.free.push(pending.identifier);
    this.#inFlight -= 1;
    pending.resolve(reply);
    const next = this.#queue[this.#queueHead];
    if (next !== undefined) {
      this.#queueHead += 1;
      // The consumed part is removed occasionally: shift() of a long array for every request would cost more.
      if (this.#queueHead > 1_000) {
        this.#queue.splice(0, this.#queueHead);
        this.#queueHead = 0;
      }
      this.#launch(next.request, next.resolve);
    } else if (this.#inFlight === 0) {
      clearInterval(this.#sweep);
      this.#sweep = undefined;
    }
  }

  #retransmit(): void {
    const now = performance.now();
    const { maxRetransmissions = 5, maxDurationMs = 30_000, maxTimeoutMs = 16_000 } = this.#options;
    for (const lane of this.#lanes) {
      for (const pending of lane.pending.values()) {
        if (now < pending.dueAt && now - pending.startedAt < maxDurationMs) continue;
        if (pending.sent > maxRetransmissions || now - pending.startedAt >= maxDurationMs) {
          this.#counts.timedOut += 1;
          this.#settle(pending, { ok: false, reason: 'timeout' });
          continue;
        }
        pending.sent += 1;
        pending.pauseMs = this.#withJitter(Math.min(2 * pending.pauseMs, maxTimeoutMs));
        pending.dueAt = now + pending.pauseMs;
        if (pending.isWanted) void this.#resendIfWanted(pending, pending.isWanted);
        else this.#resend(pending);
      }
    }
  }

  async #resendIfWanted(pending: Pending, isWanted: () => Promise<boolean>): Promise<void> {
    const wanted = await isWanted().catch(() => true);
    // It may have been answered or given up meanwhile.
    if (pending.lane.pending.get(pending.identifier) !== pending) return;
    if (wanted) this.#resend(pending);
    else this.#settle(pending, { ok: false, reason: 'withdrawn' });
  }

  #resend({ lane, datagram }: Pending): void {
    this.#counts.retransmitted += 1;
    transmit(lane.socket, datagram);
  }

  /** RFC 5080 §2.2.1: each pause has a jitter of ten percent, so that gateways do not synchronise. */
  #withJitter(milliseconds: number): number {
    return milliseconds * (0.9 + 0.2 * this.#random());
  }
}

/** Errors of a single datagram (a refused port, a full buffer) count as its loss. */
function transmit(socket: Socket, datagram: Buffer): void {
  socket.send(datagram, () => undefined);
}
