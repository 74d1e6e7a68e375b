import { hash } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import {
  AttributeWriter,
  attribute,
  encodeRequest,
  encodeUserLocation,
  HEADER_LENGTH,
  radiusCode,
} from '@simcube/radius';

export type Phase = 'start' | 'interim' | 'stop';

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
const statusType: Record<Phase, number> = { start: 1, interim: 3, stop: 2 };

/** Where in the template the figures of a session stand. */
interface Places {
  sessionId: number;
  imsi: number;
  userName: number;
  calling: number;
  address: number;
  eventTime: number;
  seconds: number;
  input: number;
  output: number;
}

const sessionIdLength = 16;

/** A packet of twenty attributes, as gateways of an APN send them; its figures are overwritten in place. */
const templateOf = (phase: Phase, secret: string): { packet: Buffer; places: Places } => {
  const location = encodeUserLocation({ type: 'ecgi', mcc: '262', mnc: '02', cellId: 27_447_297 });
  const writer = new AttributeWriter()
    .add(attribute.acctStatusType, statusType[phase])
    .add(attribute.acctSessionId, 'S'.repeat(sessionIdLength))
    .add(attribute.userName, '9'.repeat(15))
    .add(attribute.imsi, '8'.repeat(15))
    .add(attribute.callingStationId, '7'.repeat(15))
    .add(attribute.calledStationId, 'iot.example')
    .add(attribute.nasIdentifier, 'pgw-1')
    .add(attribute.nasIpAddress, '10.200.0.1')
    .add(attribute.nasPortType, 18)
    .add(attribute.serviceType, 2)
    .add(attribute.framedProtocol, 7)
    .add(attribute.framedIpAddress, '97.98.99.100')
    .add(attribute.eventTimestamp, 0x51525354)
    .add(attribute.acctDelayTime, 0)
    .add(attribute.acctSessionTime, 0x41424344)
    .add(attribute.acctInputOctets, 0x45464748)
    .add(attribute.acctOutputOctets, 0x494a4b4c)
    .add(attribute.ratType, 6)
    .add(attribute.sgsnMccMnc, '26202')
    .add(attribute.imeisv, Buffer.from('3569380356438091'))
    .add(attribute.userLocationInfo, location);
  const packet = encodeRequest({
    code: radiusCode.accountingRequest,
    identifier: 0,
    secret: Buffer.from(secret),
    attributes: writer,
  });
  const at = (octets: Buffer): number => packet.indexOf(octets, 20);
  const digits = (digit: string) => Buffer.from(digit.repeat(15));
  return {
    packet,
    places: {
      sessionId: at(Buffer.from('S'.repeat(sessionIdLength))),
      userName: at(digits('9')),
      imsi: at(digits('8')),
      calling: at(digits('7')),
      address: at(Buffer.from([97, 98, 99, 100])),
      eventTime: at(Buffer.from([0x51, 0x52, 0x53, 0x54])),
      seconds: at(Buffer.from([0x41, 0x42, 0x43, 0x44])),
      input: at(Buffer.from([0x45, 0x46, 0x47, 0x48])),
      output: at(Buffer.from([0x49, 0x4a, 0x4b, 0x4c])),
    },
  };
};

/** A socket, what it sends one after the other, and which of it is on its way. */
interface Lane {
  socket: Socket;
  /** Sessions on their way by identifier; `idle` where there is none. */
  flights: Int32Array;
  /** How many of its sessions it has sent; the next one's identifier is this modulo 256. */
  sent: number;
  /** Requests that it may send beside those on their way. */
  credit: number;
}

const identifiers = 256;
const idle = -1;

/**
 * A closed loop with a window: sends the next packet when an answer has come, repeats what stays unanswered, checks
 * every Response Authenticator. It shares the processors with what it measures, so while the clock runs it only sends
 * and receives: packets are made and signed beforehand, answers are put by and verified afterwards.
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
    run: (phase: Phase, round = 1): Promise<PhaseResult> => new Run({ options, sockets, phase, round }).go(),
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

class Run {
  readonly #options: LoadOptions;
  readonly #phase: Phase;
  readonly #secret: Buffer;
  readonly #lanes: Lane[];
  /** By session, ready to be sent. Session n goes through socket n modulo their number. */
  readonly #packets: Buffer[];
  /** By session, the answer's header, which is all of an answer that has no attributes. */
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
    this.#secret = Buffer.from(options.secret);
    this.#lanes = sockets.map((socket) => ({
      socket,
      flights: new Int32Array(identifiers).fill(idle),
      sent: 0,
      credit: Math.ceil(window / sockets.length),
    }));
    this.#packets = packetsOf({ options, phase, round });
    this.#answers = Buffer.alloc(sessions * HEADER_LENGTH);
    this.#sentAt = new Float64Array(sessions);
    this.#dueAt = new Float64Array(sessions);
    this.#latencies = new Float64Array(sessions);
  }

  async go(): Promise<PhaseResult> {
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

  /** As much as the window lets, in order. An identifier that is still on its way is waited for. */
  #send(index: number, lane: Lane): void {
    while (lane.credit > 0) {
      const session = lane.sent * this.#lanes.length + index;
      const packet = this.#packets[session];
      const identifier = lane.sent % identifiers;
      if (!packet || lane.flights[identifier] !== idle) return;
      const now = performance.now();
      lane.flights[identifier] = session;
      lane.sent += 1;
      lane.credit -= 1;
      this.#sentAt[session] = now;
      this.#dueAt[session] = now + (this.#options.retryMs ?? retryDefaultMs);
      lane.socket.send(packet);
    }
  }

  #receive(index: number, lane: Lane, answer: Buffer): void {
    const identifier = answer[1] ?? 0;
    const session = lane.flights[identifier] ?? idle;
    if (session === idle) return;
    const isBare = answer.length === HEADER_LENGTH && answer[0] === radiusCode.accountingResponse;
    // Only what there is no room to put by, an answer with attributes, is verified before the clock stops.
    if (!isBare && !this.#isGenuine(session, answer)) {
      this.#forged += 1;
      return;
    }
    this.#answers.set(isBare ? answer : verified, session * HEADER_LENGTH);
    lane.flights[identifier] = idle;
    lane.credit += 1;
    this.#latencies[this.#answered] = performance.now() - (this.#sentAt[session] ?? 0);
    this.#answered += 1;
    if (this.#answered === this.#options.sessions) this.#done();
    else this.#send(index, lane);
  }

  /** Every answer that was put by. */
  #verify(): void {
    for (let session = 0; session < this.#options.sessions; session += 1) {
      const at = session * HEADER_LENGTH;
      const answer = this.#answers.subarray(at, at + HEADER_LENGTH);
      if (!answer.equals(verified) && !this.#isGenuine(session, answer)) this.#forged += 1;
    }
  }

  /** RFC 2866, 3: MD5 over code, identifier, length, the request's authenticator, attributes and secret. */
  #isGenuine(session: number, answer: Buffer): boolean {
    const request = this.#packets[session];
    if (!request || answer[0] !== radiusCode.accountingResponse || answer[1] !== request[1]) return false;
    const signed = Buffer.concat([answer, this.#secret]);
    request.copy(signed, 4, 4, HEADER_LENGTH);
    return hash('md5', signed, 'buffer').compare(answer, 4, HEADER_LENGTH) === 0;
  }

  #retry(): void {
    const now = performance.now();
    for (const lane of this.#lanes) {
      for (const session of lane.flights) {
        const packet = this.#packets[session];
        if (!packet || now < (this.#dueAt[session] ?? 0)) continue;
        this.#dueAt[session] = now + (this.#options.retryMs ?? retryDefaultMs);
        this.#retransmitted += 1;
        lane.socket.send(packet);
      }
    }
  }
}

/** Stands for an answer that was verified when it came: no packet has code 0. */
const verified = Buffer.alloc(HEADER_LENGTH);

/** The packet of each session, signed, with the identifier that its socket will have come to. */
const packetsOf = ({ options, phase, round }: Omit<RunOptions, 'sockets'>): Buffer[] => {
  const { packet: template, places } = templateOf(phase, options.secret);
  const scratch = Buffer.concat([template, Buffer.from(options.secret)]);
  const run = options.run.toString(16).padStart(8, '0');
  const volume = phase === 'start' ? 0 : round + (phase === 'stop' ? 1 : 0);
  scratch.writeUInt32BE(Math.floor(Date.now() / 1000), places.eventTime);
  scratch.writeUInt32BE(volume * 300, places.seconds);
  scratch.writeUInt32BE(volume * 10_000, places.input);
  scratch.writeUInt32BE(volume * 90_000, places.output);
  return Array.from({ length: options.sessions }, (_, session) => {
    scratch[1] = Math.floor(session / options.sockets) % identifiers;
    scratch.fill(0, 4, HEADER_LENGTH);
    const imsi = String(options.firstImsi + session).padStart(15, '0');
    scratch.write(imsi, places.imsi, 'latin1');
    scratch.write(imsi, places.userName, 'latin1');
    scratch.write(imsi, places.calling, 'latin1');
    scratch.write(`${run}${session.toString(16).padStart(8, '0')}`, places.sessionId, 'latin1');
    scratch.writeUInt32BE(0x0a000000 + session, places.address);
    hash('md5', scratch, 'buffer').copy(scratch, 4);
    return Buffer.from(scratch.subarray(0, template.length));
  });
};
