import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createPackets, type Phase } from './radius-packets.ts';

export interface LoadOptions {
  host: string;
  port: number;
  secret: string;
  /** Each has 256 identifiers. */
  sockets: number;
  /** Requests on their way at once, over all sockets. */
  window: number;
  /** Distinct sessions, one for each SIM; every phase sends one packet for each. */
  sessions: number;
  /** IMSI of session 0; the others count up from it. */
  firstImsi: number;
  /** Told apart from the sessions of other runs. */
  run: number;
  /** Seconds until a request is sent again. */
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
  /** Answers whose Response Authenticator was wrong: must be none. */
  forged: number;
  /** Processor time of this generator, microseconds a packet. */
  cpuMicros: number;
}

const retryDefaultMs = 3_000;

interface Flight {
  packet: Buffer;
  sentAt: number;
  dueAt: number;
}

interface Lane {
  socket: Socket;
  flights: (Flight | undefined)[];
  free: number[];
}

/**
 * A closed loop with a window: sends the next packet when an answer has come, checks every Response Authenticator,
 * repeats what stays unanswered. Cheap by patching one template, since it shares the processors with what it measures.
 */
export const openLoad = async (options: LoadOptions) => {
  const packets = createPackets(options);
  const lanes: Lane[] = [];
  for (let index = 0; index < options.sockets; index += 1) {
    const socket = createSocket({ type: 'udp4', recvBufferSize: 4 * 1024 * 1024 });
    socket.connect(options.port, options.host);
    await once(socket, 'connect');
    socket.on('error', () => undefined);
    lanes.push({ socket, flights: new Array<Flight | undefined>(256), free: identifiers() });
  }
  return {
    run: (phase: Phase, round = 1): Promise<PhaseResult> =>
      new Run({ options, lanes, packets, phase, round }).go(),
    close: () => {
      for (const { socket } of lanes) socket.close();
    },
  };
};

const identifiers = (): number[] => Array.from({ length: 256 }, (_, index) => 255 - index);

type Packets = ReturnType<typeof createPackets>;

interface RunOptions {
  options: LoadOptions;
  lanes: Lane[];
  packets: Packets;
  phase: Phase;
  round: number;
}

class Run {
  readonly #options: LoadOptions;
  readonly #lanes: Lane[];
  readonly #packets: Packets;
  readonly #phase: Phase;
  readonly #round: number;
  readonly #latencies: Float64Array;
  #next = 0;
  #answered = 0;
  #retransmitted = 0;
  #forged = 0;
  #done: () => void = () => undefined;

  constructor({ options, lanes, packets, phase, round }: RunOptions) {
    this.#options = options;
    this.#lanes = lanes;
    this.#packets = packets;
    this.#phase = phase;
    this.#round = round;
    this.#latencies = new Float64Array(options.sessions);
  }

  async go(): Promise<PhaseResult> {
    const finished = new Promise<void>((resolve) => {
      this.#done = resolve;
    });
    for (const lane of this.#lanes) {
      lane.socket.removeAllListeners('message');
      lane.socket.on('message', (answer) => this.#receive(lane, answer));
    }
    const retries = setInterval(() => this.#retry(), 100);
    const cpu = process.cpuUsage();
    const begin = performance.now();
    const share = Math.ceil(this.#options.window / this.#lanes.length);
    for (const lane of this.#lanes) for (let i = 0; i < share; i += 1) this.#send(lane);
    await finished;
    const seconds = (performance.now() - begin) / 1000;
    const used = process.cpuUsage(cpu);
    clearInterval(retries);
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

  #send(lane: Lane): void {
    if (this.#next >= this.#options.sessions) return;
    const identifier = lane.free.pop();
    if (identifier === undefined) return;
    const packet = this.#encode(this.#next, identifier);
    this.#next += 1;
    const now = performance.now();
    lane.flights[identifier] = {
      packet,
      sentAt: now,
      dueAt: now + (this.#options.retryMs ?? retryDefaultMs),
    };
    lane.socket.send(packet);
  }

  #encode(session: number, identifier: number): Buffer {
    return this.#packets.encode({
      phase: this.#phase,
      session,
      imsi: this.#options.firstImsi + session,
      volume: this.#phase === 'start' ? 0 : this.#round + (this.#phase === 'stop' ? 1 : 0),
      identifier,
    });
  }

  #receive(lane: Lane, answer: Buffer): void {
    const identifier = answer[1] ?? 0;
    const flight = lane.flights[identifier];
    if (!flight) return;
    if (!this.#packets.isGenuine(answer, flight.packet)) {
      this.#forged += 1;
      return;
    }
    lane.flights[identifier] = undefined;
    lane.free.unshift(identifier);
    this.#latencies[this.#answered] = performance.now() - flight.sentAt;
    this.#answered += 1;
    if (this.#answered === this.#options.sessions) this.#done();
    else this.#send(lane);
  }

  #retry(): void {
    const now = performance.now();
    for (const lane of this.#lanes) {
      for (const flight of lane.flights) {
        if (!flight || now < flight.dueAt) continue;
        flight.dueAt = now + (this.#options.retryMs ?? retryDefaultMs);
        this.#retransmitted += 1;
        lane.socket.send(flight.packet);
      }
    }
  }
}
