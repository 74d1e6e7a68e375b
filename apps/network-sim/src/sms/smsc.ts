import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import {
  type Address,
  addressOf,
  esmClass,
  joinParts,
  type MessageBody,
  readContent,
  statusCode,
  tlv,
  writeTlv,
} from '@simcube/smpp';
import { segmentText } from '@simcube/smpp/text';
import { Esme } from './esme.ts';
import type { Handling, Verdict } from './sms-device.ts';

export interface SmscOptions {
  host: string;
  /** 0 chooses a free port. */
  port: number;
  systemId: string;
  password: string;
  /** Determines the outcome of a complete message to a number; undefined: the number does not exist. */
  handle: (to: string, text: string) => Handling | undefined;
  /** Milliseconds since 1970. */
  now?: () => number;
}

export interface SmscStats {
  readonly submits: number;
  readonly refused: number;
  /** Receipts and messages from devices that the ESME has accepted. */
  readonly delivered: number;
  /** Receipts and messages waiting for an ESME. */
  readonly waiting: number;
}

export interface Smsc {
  readonly port: number;
  stats(): SmscStats;
  /** Sends a message from a device. */
  send(from: string, text: string): void;
  stop(): Promise<void>;
}

/** Time until a message is sent again that an ESME could not store. */
const RETRY_MS = 1_000;
/** Maximum messages kept while no ESME accepts them; beyond it the oldest are discarded. */
const MAX_WAITING = 100_000;
/** Maximum long messages waiting for parts. */
const MAX_PARTIAL = 10_000;
/** Short code to which devices write that have not received any message. */
const SHORT_CODE = '2800';

const stateNumbers: Readonly<Record<Verdict, number>> = { DELIVRD: 2, EXPIRED: 3, UNDELIV: 5, REJECTD: 8 };

/** Starts an SMSC that accepts messages for devices, reports their outcomes, and forwards replies of devices. */
export async function startSmsc(options: SmscOptions): Promise<Smsc> {
  const smsc = new DeviceSmsc(options);
  await smsc.listen();
  return smsc;
}

class DeviceSmsc implements Smsc {
  readonly #options: SmscOptions;
  readonly #now: () => number;
  readonly #server: Server;
  readonly #esmes = new Set<Esme>();
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Received parts of incomplete long messages. */
  readonly #parts = new Map<string, Map<number, { dataCoding: number; octets: Uint8Array }>>();
  readonly #counts = { submits: 0, refused: 0, delivered: 0 };
  #waiting: MessageBody[] = [];
  #service: Address = addressOf(SHORT_CODE);
  /** Ids continue after a restart. */
  #id: number;
  #reference = 0;

  constructor(options: SmscOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#id = this.#now() * 256;
    this.#server = createServer((socket) => {
      const esme: Esme = new Esme(socket, {
        bind: (body) => this.#bind(body),
        receiverBound: () => this.#flush(),
        submit: (body, respond) => this.#submit(body, respond),
        closed: (unacknowledged) => {
          this.#esmes.delete(esme);
          this.#waiting.unshift(...unacknowledged);
          this.#flush();
        },
      });
      this.#esmes.add(esme);
    });
  }

  async listen(): Promise<void> {
    this.#server.listen(this.#options.port, this.#options.host);
    await once(this.#server, 'listening');
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  stats(): SmscStats {
    return { ...this.#counts, waiting: this.#waiting.length };
  }

  send(from: string, text: string): void {
    this.#reference += 1;
    const { segments, dataCoding, hasHeader } = segmentText(text, this.#reference);
    for (const { octets } of segments) {
      const header = hasHeader ? esmClass.userDataHeader : 0;
      this.#queue({
        ...emptyMessage,
        source: addressOf(from),
        destination: this.#service,
        dataCoding,
        esmClass: header,
        shortMessage: octets,
      });
    }
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const esme of this.#esmes) esme.destroy();
    await closed;
  }

  #bind({ systemId, password }: { systemId: string; password: string }): number {
    if (systemId !== this.#options.systemId) return statusCode.ESME_RINVSYSID;
    return password === this.#options.password ? 0 : statusCode.ESME_RINVPASWD;
  }

  #submit(body: MessageBody, respond: (status: number, messageId: string) => void): void {
    this.#counts.submits += 1;
    const { destination } = body;
    const text = this.#completeText(body);
    const handling = text === undefined ? undefined : this.#options.handle(destination.address, text);
    if (text !== undefined && !handling) {
      this.#counts.refused += 1;
      respond(statusCode.ESME_RINVDSTADR, '');
      return;
    }
    if (body.source.address !== '') this.#service = body.source;
    this.#id += 1;
    const messageId = this.#id.toString(16);
    respond(0, messageId);
    const { verdict, error, afterMs, reply } = handling ?? { ...part, reply: undefined };
    const submittedAt = this.#now();
    if (body.registeredDelivery % 4 !== 0)
      this.#after(afterMs, () =>
        this.#queue(this.#receipt(body, { messageId, verdict, error, submittedAt })),
      );
    if (reply) this.#after(afterMs + reply.afterMs, () => this.send(destination.address, reply.text));
  }

  /** The text, if this is the last missing part; earlier parts have their own receipts. */
  #completeText({ source, destination, ...body }: MessageBody): string | undefined {
    const { part, dataCoding, octets } = readContent({ source, destination, ...body });
    const { total = 1, sequence = 1, reference = 0 } = part ?? {};
    const key = [source.address, destination.address, reference, total].join(' ');
    const parts = this.#parts.get(key) ?? new Map();
    parts.set(sequence, { dataCoding, octets: Buffer.from(octets) });
    if (parts.size < total) {
      this.#parts.set(key, parts);
      const [oldest] = this.#parts.keys();
      if (this.#parts.size > MAX_PARTIAL && oldest !== undefined) this.#parts.delete(oldest);
      return undefined;
    }
    this.#parts.delete(key);
    const list = [...parts].map(([number, content]) => ({ sequence: number, ...content }));
    return joinParts({ parts: list, total, gap: '' }).text;
  }

  #receipt(
    { source, destination }: MessageBody,
    outcome: { messageId: string; verdict: Verdict; error: string; submittedAt: number },
  ): MessageBody {
    const { messageId, verdict, error, submittedAt } = outcome;
    const count = verdict === 'DELIVRD' ? '001' : '000';
    const text =
      `id:${messageId} sub:001 dlvrd:${count} submit date:${minuteOf(submittedAt)} ` +
      `done date:${minuteOf(this.#now())} stat:${verdict} err:${error} text:`;
    return {
      ...emptyMessage,
      source: destination,
      destination: source,
      esmClass: esmClass.deliveryReceipt,
      shortMessage: Buffer.from(text, 'latin1'),
      tlvs: [writeTlv(tlv.receiptedMessageId, messageId), writeTlv(tlv.messageState, stateNumbers[verdict])],
    };
  }

  #after(ms: number, work: () => void): void {
    if (ms <= 0) {
      work();
      return;
    }
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, ms);
    this.#timers.add(timer);
  }

  #queue(message: MessageBody): void {
    this.#waiting.push(message);
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift();
    this.#flush();
  }

  /** Sends waiting messages, in order, to ESMEs that accept them. */
  #flush(): void {
    let sent = 0;
    for (const esme of this.#esmes) {
      for (; esme.hasRoom && sent < this.#waiting.length; sent += 1) this.#deliver(esme, this.#waiting[sent]);
    }
    if (sent > 0) this.#waiting.splice(0, sent);
  }

  #deliver(esme: Esme, message: MessageBody | undefined): void {
    if (!message) return;
    esme.deliver(message, (isAccepted) => {
      if (isAccepted) this.#counts.delivered += 1;
      else this.#after(RETRY_MS, () => this.#queue(message));
      this.#flush();
    });
  }
}

/** Outcome of a part of an incomplete message. */
const part = { verdict: 'DELIVRD', error: '000', afterMs: 1_000 } as const;

const emptyMessage = {
  serviceType: '',
  esmClass: 0,
  protocolId: 0,
  priority: 0,
  scheduleDeliveryTime: '',
  validityPeriod: '',
  registeredDelivery: 0,
  replaceIfPresent: 0,
  dataCoding: 0,
  defaultMessageId: 0,
  tlvs: [],
} as const;

/** YYMMDDhhmm, the time format of receipts. */
const minuteOf = (ms: number): string => new Date(ms).toISOString().replaceAll(/\D/g, '').slice(2, 12);
