import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { bytesPerVolume, createPackets, type Phase } from './radius-packets.ts';
import { quantile } from './report.ts';

export interface SteadyOptions {
  port: number;
  secret: string;
  /** Packets per second. */
  rate: number;
  /** Number of SIMs of the sessions, and the IMSI of the first; they are used in no apparent order. */
  sims: number;
  firstImsi: number;
  run: number;
  /** Called for each packet when it is first sent. */
  onSent?: (packet: { imsi: number; phase: Phase; volume: number; at: number }) => void;
}

export interface SteadyFigures {
  perSecond: number;
  p95Ms: number;
  retransmitted: number;
}

/** Expected contents of the database if everything that was acknowledged is stored exactly once. */
export interface Acknowledged {
  sessions: number;
  stopped: number;
  bytes: number;
  forged: number;
}

/** Number of open sessions; they send packets in turn. */
const openSessions = 2_000;
const interimsPerSession = 8;
const sockets = 8;
const tickMs = 10;
const retryMs = 3_000;
/** A prime, so that every SIM is used, unless their number is a multiple of it. */
const stride = 7_919;

interface Slot {
  session: number;
  /** Position in the session: Start, then Interim-Updates, then Stop. */
  step: number;
  last: number;
  acknowledged: number;
  busy: boolean;
}

interface Flight {
  slot: Slot;
  phase: Phase;
  packet: Buffer;
  sentAt: number;
  dueAt: number;
}

interface Lane {
  socket: Socket;
  flights: Map<number, Flight>;
  /** Last answered request by identifier: a retransmitted one may be answered again when its identifier is already reused. */
  lastAnswered: Map<number, Buffer>;
  next: number;
}

/**
 * Accounting at a steady rate, independent of the replies (an open loop), as from a gateway with many devices: sessions start,
 * report eight times and end, one after the other. The authenticator of every reply is checked; unanswered packets are
 * retransmitted.
 */
export const openSteadyLoad = async (options: SteadyOptions) => {
  const lanes: Lane[] = [];
  for (let index = 0; index < sockets; index += 1) {
    const socket = createSocket({ type: 'udp4', recvBufferSize: 4 * 1024 * 1024 });
    socket.connect(options.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.on('error', () => undefined);
    lanes.push({ socket, flights: new Map(), lastAnswered: new Map(), next: 0 });
  }
  return new SteadyLoad(options, lanes);
};

export type { SteadyLoad };

class SteadyLoad {
  readonly #options: SteadyOptions;
  readonly #lanes: Lane[];
  readonly #packets: ReturnType<typeof createPackets>;
  readonly #slots: Slot[] = [];
  readonly #totals: Acknowledged = { sessions: 0, stopped: 0, bytes: 0, forged: 0 };
  #nextSession = 0;
  #rate: number;
  #turn = 0;
  #timer: NodeJS.Timeout | undefined;
  #begunAt = 0;
  #sent = 0;
  #answered = 0;
  #retransmitted = 0;
  #latencies: number[] = [];

  constructor(options: SteadyOptions, lanes: Lane[]) {
    this.#options = options;
    this.#rate = options.rate;
    this.#lanes = lanes;
    this.#packets = createPackets(options);
    for (const lane of lanes) lane.socket.on('message', (answer) => this.#receive(lane, answer));
    const slots = Math.min(openSessions, options.sims);
    // The first sessions have different lengths, so that Starts and Stops don't come in waves.
    for (let index = 0; index < slots; index += 1) this.#slots.push(this.#begin(index % interimsPerSession));
  }

  /** Continues after a pause. */
  resume(): void {
    this.#begunAt = performance.now();
    this.#sent = 0;
    this.#answered = 0;
    this.#retransmitted = 0;
    this.#latencies = [];
    this.#timer = setInterval(() => this.#tick(), tickMs);
  }

  /** Packets acknowledged per second since it was resumed, or its rate changed. */
  answeredPerSecond(): number {
    return this.#answered / ((performance.now() - this.#begunAt) / 1000);
  }

  /** Continues with this many packets per second, and resets the figures. */
  changeRate(rate: number): void {
    this.#rate = rate;
    clearInterval(this.#timer);
    this.resume();
  }

  /** Stops sending and waits for outstanding replies. @returns the figures since it was resumed */
  async pause(): Promise<SteadyFigures> {
    clearInterval(this.#timer);
    const perSecond = this.answeredPerSecond();
    while (this.#lanes.some(({ flights }) => flights.size > 0)) {
      this.#retry();
      await sleep(tickMs);
    }
    const figures = { perSecond, p95Ms: quantile(this.#latencies, 0.95), retransmitted: this.#retransmitted };
    return figures;
  }

  /** Call it only while the load is paused. */
  acknowledged(): Acknowledged {
    const open = this.#slots.reduce((sum, slot) => sum + slot.acknowledged, 0);
    return { ...this.#totals, bytes: this.#totals.bytes + open * bytesPerVolume };
  }

  close(): void {
    clearInterval(this.#timer);
    for (const { socket } of this.#lanes) socket.close();
  }

  #begin(skipped = 0): Slot {
    const session = this.#nextSession;
    this.#nextSession += 1;
    return { session, step: 0, last: interimsPerSession + 1 - skipped, acknowledged: 0, busy: false };
  }

  #tick(): void {
    const due = ((performance.now() - this.#begunAt) / 1000) * this.#rate;
    for (let attempts = 0; this.#sent < due && attempts < this.#slots.length; attempts += 1) {
      const slot = this.#slots[this.#turn];
      this.#turn = (this.#turn + 1) % this.#slots.length;
      // A session's packets are sent in order: the next one waits for the reply to the previous one.
      if (!slot || slot.busy) continue;
      this.#send(slot);
    }
    this.#retry();
  }

  #send(slot: Slot): void {
    const lane = this.#lanes[slot.session % this.#lanes.length];
    if (!lane || lane.flights.size >= 256) return;
    while (lane.flights.has(lane.next)) lane.next = (lane.next + 1) % 256;
    const identifier = lane.next;
    lane.next = (lane.next + 1) % 256;
    const phase = phaseOf(slot);
    const { firstImsi, sims, onSent } = this.#options;
    const imsi = firstImsi + ((slot.session * stride) % sims);
    const packet = this.#packets.encode({
      phase,
      session: slot.session,
      imsi,
      volume: slot.step,
      identifier,
    });
    const now = performance.now();
    slot.busy = true;
    this.#sent += 1;
    lane.flights.set(identifier, { slot, phase, packet, sentAt: now, dueAt: now + retryMs });
    lane.socket.send(packet);
    onSent?.({ imsi, phase, volume: slot.step, at: now });
  }

  #receive(lane: Lane, answer: Buffer): void {
    const identifier = answer[1] ?? 0;
    const flight = lane.flights.get(identifier);
    if (!flight) return;
    if (!this.#packets.isGenuine(answer, flight.packet)) {
      const previous = lane.lastAnswered.get(identifier);
      if (!previous || !this.#packets.isGenuine(answer, previous)) this.#totals.forged += 1;
      return;
    }
    lane.flights.delete(identifier);
    lane.lastAnswered.set(identifier, flight.packet);
    this.#answered += 1;
    this.#latencies.push(performance.now() - flight.sentAt);
    const { slot, phase } = flight;
    slot.busy = false;
    slot.acknowledged = slot.step;
    slot.step += 1;
    if (phase === 'start') this.#totals.sessions += 1;
    if (phase !== 'stop') return;
    this.#totals.stopped += 1;
    this.#totals.bytes += slot.acknowledged * bytesPerVolume;
    this.#slots[this.#slots.indexOf(slot)] = this.#begin();
  }

  #retry(): void {
    const now = performance.now();
    for (const { socket, flights } of this.#lanes) {
      for (const flight of flights.values()) {
        if (now < flight.dueAt) continue;
        flight.dueAt = now + retryMs;
        this.#retransmitted += 1;
        socket.send(flight.packet);
      }
    }
  }
}

const phaseOf = ({ step, last }: Slot): Phase => {
  if (step === 0) return 'start';
  return step === last ? 'stop' : 'interim';
};
