import type { Socket } from 'node:net';
import {
  decodePdu,
  encodePdu,
  type MessageBody,
  type Pdu,
  PduFramer,
  type RefusedPdu,
  statusCode,
} from '@simcube/smpp';

/** Requests of an ESME to the SMSC. */
export interface EsmeEvents {
  /** Returns the status of the bind. */
  bind(body: { systemId: string; password: string }): number;
  /** The ESME accepts messages from now on. */
  receiverBound(): void;
  submit(body: MessageBody, respond: (status: number, messageId: string) => void): void;
  /** The connection ended; unacknowledged messages are returned. */
  closed(unacknowledged: readonly MessageBody[]): void;
}

type Bind = 'transmitter' | 'receiver' | 'transceiver';

/** Maximum messages to the ESME without a response. */
const WINDOW = 200;
const MAX_SEQUENCE = 0x7fffffff;

/** One connection of an ESME, as the SMSC sees it. */
export class Esme {
  readonly #socket: Socket;
  readonly #events: EsmeEvents;
  readonly #framer = new PduFramer();
  readonly #pending = new Map<number, { message: MessageBody; settle: (isAccepted: boolean) => void }>();
  #bound: Bind | undefined;
  #sequence = 0;
  #isClosed = false;

  constructor(socket: Socket, events: EsmeEvents) {
    this.#socket = socket;
    this.#events = events;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#receive(chunk));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#close());
  }

  /** Whether a message can be sent to it now. */
  get hasRoom(): boolean {
    const receives = this.#bound === 'receiver' || this.#bound === 'transceiver';
    return receives && !this.#isClosed && this.#pending.size < WINDOW;
  }

  /** @param settle called with whether the ESME accepted it; not called if the connection ends first */
  deliver(message: MessageBody, settle: (isAccepted: boolean) => void): void {
    const sequence = this.#nextSequence();
    this.#pending.set(sequence, { message, settle });
    this.#write(encodePdu({ command: 'deliver_sm', status: 0, sequence, body: message }));
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #nextSequence(): number {
    this.#sequence = this.#sequence >= MAX_SEQUENCE ? 1 : this.#sequence + 1;
    return this.#sequence;
  }

  #write(encoded: Buffer): void {
    if (!this.#isClosed) this.#socket.write(encoded);
  }

  #receive(chunk: Buffer): void {
    this.#socket.cork();
    for (const frame of this.#framer.push(chunk)) {
      const decoded = decodePdu(frame);
      if (decoded.ok) this.#handle(decoded.pdu);
      else this.#refuse(decoded);
    }
    process.nextTick(() => this.#socket.uncork());
    if (this.#framer.lost) this.#socket.destroy();
  }

  #refuse({ answer, status, sequence }: RefusedPdu): void {
    if (answer !== undefined) this.#respond(answer, status, sequence);
  }

  #respond(command: Pdu['command'], status: number, sequence: number, body: object = {}): void {
    this.#write(encodePdu({ command, status, sequence, body } as Pdu));
  }

  #handle(pdu: Pdu): void {
    const { sequence } = pdu;
    switch (pdu.command) {
      case 'bind_transmitter':
      case 'bind_receiver':
      case 'bind_transceiver':
        this.#bind(pdu);
        break;
      case 'submit_sm':
        this.#submit(pdu);
        break;
      case 'deliver_sm_resp':
        this.#settle(sequence, pdu.status === statusCode.ESME_ROK);
        break;
      case 'generic_nack':
        this.#settle(sequence, false);
        break;
      case 'enquire_link':
        this.#respond('enquire_link_resp', 0, sequence);
        break;
      case 'unbind':
        this.#respond('unbind_resp', 0, sequence);
        this.#bound = undefined;
        this.#socket.end();
        break;
      default:
        break;
    }
  }

  #bind(pdu: Pdu<'bind_transmitter' | 'bind_receiver' | 'bind_transceiver'>): void {
    const status = this.#bound ? statusCode.ESME_RALYBND : this.#events.bind(pdu.body);
    this.#respond(`${pdu.command}_resp`, status, pdu.sequence, { systemId: 'network-sim', tlvs: [] });
    if (status !== 0) return;
    this.#bound = pdu.command.slice('bind_'.length) as Bind;
    if (this.#bound !== 'transmitter') this.#events.receiverBound();
  }

  #submit({ body, sequence }: Pdu<'submit_sm'>): void {
    const respond = (status: number, messageId: string) =>
      this.#respond('submit_sm_resp', status, sequence, { messageId, tlvs: [] });
    if (this.#bound === 'transmitter' || this.#bound === 'transceiver') this.#events.submit(body, respond);
    else respond(statusCode.ESME_RINVBNDSTS, '');
  }

  #settle(sequence: number, isAccepted: boolean): void {
    const pending = this.#pending.get(sequence);
    this.#pending.delete(sequence);
    pending?.settle(isAccepted);
  }

  #close(): void {
    this.#isClosed = true;
    this.#events.closed([...this.#pending.values()].map(({ message }) => message));
    this.#pending.clear();
  }
}
