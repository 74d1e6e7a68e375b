import { hash } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { AttributeWriter, attribute, encodeRequest, encodeUserLocation, radiusCode } from '@simcube/radius';

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
  const secret = Buffer.from(options.secret);
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
      new Run(options, lanes, secret, phase, round).go(),
    close: () => {
      for (const { socket } of lanes) socket.close();
    },
  };
};

const identifiers = (): number[] => Array.from({ length: 256 }, (_, index) => 255 - index);

class Run {
  readonly #options: LoadOptions;
  readonly #lanes: Lane[];
  readonly #secret: Buffer;
  readonly #phase: Phase;
  readonly #round: number;
  readonly #template: ReturnType<typeof templateOf>;
  readonly #scratch: Buffer;
  readonly #answer: Buffer;
  readonly #latencies: Float64Array;
  #next = 0;
  #answered = 0;
  #retransmitted = 0;
  #forged = 0;
  #done: () => void = () => undefined;

  constructor(options: LoadOptions, lanes: Lane[], secret: Buffer, phase: Phase, round: number) {
    this.#options = options;
    this.#lanes = lanes;
    this.#secret = secret;
    this.#phase = phase;
    this.#round = round;
    this.#template = templateOf(phase, options.secret);
    this.#scratch = Buffer.alloc(this.#template.packet.length + secret.length);
    secret.copy(this.#scratch, this.#template.packet.length);
    this.#answer = Buffer.alloc(20 + secret.length);
    secret.copy(this.#answer, 20);
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
    const { packet: template, places } = this.#template;
    const packet = this.#scratch;
    template.copy(packet, 0);
    packet[1] = identifier;
    packet.fill(0, 4, 20);
    const imsi = String(this.#options.firstImsi + session).padStart(15, '0');
    packet.write(imsi, places.imsi, 'latin1');
    packet.write(imsi, places.userName, 'latin1');
    packet.write(imsi, places.calling, 'latin1');
    const id = `${this.#options.run.toString(16).padStart(8, '0')}${session.toString(16).padStart(8, '0')}`;
    packet.write(id, places.sessionId, 'latin1');
    packet.writeUInt32BE(0x0a000000 + session, places.address);
    packet.writeUInt32BE(Math.floor(Date.now() / 1000), places.eventTime);
    const volume = this.#phase === 'start' ? 0 : this.#round + (this.#phase === 'stop' ? 1 : 0);
    packet.writeUInt32BE(volume * 300, places.seconds);
    packet.writeUInt32BE(volume * 10_000, places.input);
    packet.writeUInt32BE(volume * 90_000, places.output);
    hash('md5', packet, 'buffer').copy(packet, 4);
    return Buffer.from(packet.subarray(0, template.length));
  }

  #receive(lane: Lane, answer: Buffer): void {
    const identifier = answer[1] ?? 0;
    const flight = lane.flights[identifier];
    if (!flight) return;
    if (answer[0] !== radiusCode.accountingResponse || !this.#isGenuine(answer, flight.packet)) {
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

  /** RFC 2866, 3: MD5 over code, identifier, length, the request's authenticator, attributes and secret. */
  #isGenuine(answer: Buffer, request: Buffer): boolean {
    const signed = answer.length === 20 ? this.#answer : Buffer.concat([answer, this.#secret]);
    answer.copy(signed, 0, 0, 4);
    request.copy(signed, 4, 4, 20);
    return hash('md5', signed, 'buffer').compare(answer, 4, 20) === 0;
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
