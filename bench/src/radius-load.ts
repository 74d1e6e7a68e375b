import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { HEADER_LENGTH, radiusCode } from '@simcube/radius';
import { createPackets, type Phase } from './radius-packets.ts';

export interface LoadOptions {
  host: string;
  port: number;
  secret: string;
  /** Number of sockets, each with 256 identifiers. */
  sockets: number;
  /** Requests in flight over all sockets. */
  window: number;
  /** Distinct sessions, one per SIM; every phase sends one packet per session. */
  sessions: number;
  /** IMSI of session 0; the others are consecutive. */
  firstImsi: number;
  /** Distinguishes it from the sessions of other runs. */
  run: number;
  /** Time until a request is sent again. */
  retryMs?: number;
}

export interface PhaseResult {
  phase: Phase;
  packets: number;
  seconds: number;
  perSecond: number;
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
  retransmitted: number;
  /** Replies with a wrong Response Authenticator: must be 0. */
  forged: number;
  /** Processor time of this generator, microseconds per packet. */
  cpuMicros: number;
}

const retryDefaultMs = 3_000;

/** A socket, its sequence of packets, and those in flight. */
interface Lane {
  socket: Socket;
  /** Sessions in flight by identifier; `idle` if there is none. */
  inFlight: Int32Array;
  /** Number of its sessions sent so far; the next identifier is this modulo 256. */
  sent: number;
  /** Requests that it may send in addition to those in flight. */
  credit: number;
}

const identifiers = 256;
const idle = -1;

/**
 * A closed loop with a window: sends the next packet when a reply has arrived, retransmits unanswered ones, and checks every
 * Response Authenticator. It shares the processors with the measured server, so during the measurement it only sends and
 * receives: packets are created and signed beforehand, replies are stored and verified afterwards.
 */
export const openLoad = async (options: LoadOptions) => {
  const sockets: Socket[] = [];
  for (let index = 0; index < options.sockets; index += 1) {
    const socket = createSocket({ type: 'udp4', recvBufferSize: 4 * 1024 * 1024 });
    socket.connect(options.port, options.host);
    await once(socket, 'connect');
    socket.on('error', () => undefined);
    sockets.push(socket);
  }
  return {
    run: (phase: Phase, round = 1): Promise<PhaseResult> =>
      new PhaseRun({ options, sockets, phase, round }).run(),
    close: () => {
      for (const socket of sockets) socket.close();
    },
  };
};

interface RunOptions {
  options: LoadOptions;
  sockets: Socket[];
  phase: Phase;
  round: number;
}

class PhaseRun {
  readonly #options: LoadOptions;
  readonly #phase: Phase;
  readonly #packetFactory: ReturnType<typeof createPackets>;
  readonly #lanes: Lane[];
  /** Packets by session, ready to be sent. Session n uses socket n modulo the number of sockets. */
  readonly #packets: Buffer[];
  /** Headers of the replies by session; a reply without attributes consists only of the header. */
  readonly #answers: Buffer;
  readonly #sentAt: Float64Array;
  readonly #dueAt: Float64Array;
  readonly #latencies: Float64Array;
  #answered = 0;
  #retransmitted = 0;
  #forged = 0;
  #done: () => void = () => undefined;

  constructor({ options, sockets, phase, round }: RunOptions) {
    const { sessions, window } = options;
    this.#options = options;
    this.#phase = phase;
    this.#packetFactory = createPackets(options);
    this.#lanes = sockets.map((socket) => ({
      socket,
      inFlight: new Int32Array(identifiers).fill(idle),
      sent: 0,
      credit: Math.ceil(window / sockets.length),
    }));
    this.#packets = this.#packetsOf(round);
    this.#answers = Buffer.alloc(sessions * HEADER_LENGTH);
    this.#sentAt = new Float64Array(sessions);
    this.#dueAt = new Float64Array(sessions);
    this.#latencies = new Float64Array(sessions);
  }

  async run(): Promise<PhaseResult> {
    const finished = new Promise<void>((resolve) => {
      this.#done = resolve;
    });
    for (const [index, lane] of this.#lanes.entries()) {
      lane.socket.removeAllListeners('message');
      lane.socket.on('message', (answer) => this.#receive(index, lane, answer));
    }
    const retries = setInterval(() => this.#retry(), 100);
    const cpu = process.cpuUsage();
    const begin = performance.now();
    for (const [index, lane] of this.#lanes.entries()) this.#send(index, lane);
    await finished;
    const seconds = (performance.now() - begin) / 1000;
    const used = process.cpuUsage(cpu);
    clearInterval(retries);
    this.#verify();
    const sorted = this.#latencies.subarray(0, this.#answered).sort();
    const quantile = (q: number): number =>
      sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
    return {
      phase: this.#phase,
      packets: this.#answered,
      seconds,
      perSecond: this.#answered / seconds,
      p50Ms: quantile(0.5),
      p95Ms: quantile(0.95),
      p99Ms: quantile(0.99),
      retransmitted: this.#retransmitted,
      forged: this.#forged,
      cpuMicros: (used.user + used.system) / this.#answered,
    };
  }

  /** Sends as much as the window allows, in order. Waits if the next identifier is still in flight. */
  #send(index: number, lane: Lane): void {
    while (lane.credit > 0) {
      const session = lane.sent * this.#lanes.length + index;
      const packet = this.#packets[session];
      const identifier = lane.sent % identifiers;
      if (!packet || lane.inFlight[identifier] !== idle) return;
      const now = performance.now();
      lane.inFlight[identifier] = session;
      lane.sent += 1;
      lane.credit -= 1;
      this.#sentAt[session] = now;
      this.#dueAt[session] = now + (this.#options.retryMs ?? retryDefaultMs);
      lane.socket.send(packet);
    }
  }

  #receive(index: number, lane: Lane, answer: Buffer): void {
    const identifier = answer[1] ?? 0;
    const session = lane.inFlight[identifier] ?? idle;
    if (session === idle) return;
    const isBare = answer.length === HEADER_LENGTH && answer[0] === radiusCode.accountingResponse;
    // Only a reply with attributes, which cannot be stored, is verified during the measurement.
    if (!isBare && !this.#isGenuine(session, answer)) {
      this.#forged += 1;
      return;
    }
    this.#answers.set(isBare ? answer : verified, session * HEADER_LENGTH);
    lane.inFlight[identifier] = idle;
    lane.credit += 1;
    this.#latencies[this.#answered] = performance.now() - (this.#sentAt[session] ?? 0);
    this.#answered += 1;
    if (this.#answered === this.#options.sessions) this.#done();
    else this.#send(index, lane);
  }

  /** Verifies all stored replies. */
  #verify(): void {
    for (let session = 0; session < this.#options.sessions; session += 1) {
      const at = session * HEADER_LENGTH;
      const answer = this.#answers.subarray(at, at + HEADER_LENGTH);
      if (!answer.equals(verified) && !this.#isGenuine(session, answer)) this.#forged += 1;
    }
  }

  #isGenuine(session: number, answer: Buffer): boolean {
    const request = this.#packets[session];
    return request !== undefined && this.#packetFactory.isGenuine(answer, request);
  }

  /** The signed packet of each session, with the identifier that its socket will have reached. */
  #packetsOf(round: number): Buffer[] {
    const { sessions, sockets, firstImsi } = this.#options;
    const phase = this.#phase;
    const volume = phase === 'start' ? 0 : round + (phase === 'stop' ? 1 : 0);
    return Array.from({ length: sessions }, (_, session) =>
      this.#packetFactory.encode({
        phase,
        session,
        imsi: firstImsi + session,
        volume,
        identifier: Math.floor(session / sockets) % identifiers,
      }),
    );
  }

  #retry(): void {
    const now = performance.now();
    for (const lane of this.#lanes) {
      for (const session of lane.inFlight) {
        const packet = this.#packets[session];
        if (!packet || now < (this.#dueAt[session] ?? 0)) continue;
        this.#dueAt[session] = now + (this.#options.retryMs ?? retryDefaultMs);
        this.#retransmitted += 1;
        lane.socket.send(packet);
      }
    }
  }
}

/** Represents a reply that was verified on arrival: no packet has code 0. */
const verified = Buffer.alloc(HEADER_LENGTH);
