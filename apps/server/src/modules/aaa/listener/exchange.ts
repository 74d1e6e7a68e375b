import type { Socket } from 'node:dgram';
import type { Gateway } from '../gateways/clients.ts';
import type { AdmittedRequest } from './duplicates.ts';
import type { PacketCounts, PacketKind } from './packet-counts.ts';

export interface ExchangeOptions {
  socket: Socket;
  request: AdmittedRequest;
  counts: PacketCounts;
  gateway: Gateway;
  kind: PacketKind;
  address: string;
  port: number;
}

/**
 * A request that the listener accepted (known gateway, well-formed, valid signature, not a duplicate), and its future
 * reply. It holds no reference to the datagram, because thousands of exchanges may wait for a commit at any time.
 */
export class Exchange {
  readonly #options: ExchangeOptions;

  constructor(options: ExchangeOptions) {
    this.#options = options;
  }

  get gateway(): Gateway {
    return this.#options.gateway;
  }

  get kind(): PacketKind {
    return this.#options.kind;
  }

  /** When the request arrived, milliseconds. */
  get at(): number {
    return this.#options.request.at;
  }

  /** Source address of the request. */
  get address(): string {
    return this.#options.address;
  }

  /** Sends the reply and caches it for a retransmission of the request. */
  reply(octets: Buffer): void {
    const { socket, request, counts, kind, address, port } = this.#options;
    request.reply = octets;
    counts.add(kind, 'answered');
    sendReply(socket, octets, { address, port });
  }

  /** Leaves the request unanswered. The gateway will retransmit it, and it is accepted then. */
  shed(outcome: string): void {
    const { request, counts, kind } = this.#options;
    request.isForgotten = true;
    counts.add(kind, outcome);
  }
}

/**
 * Errors for replies that can't be delivered: the socket was closed before the reply was ready, and the gateway will
 * ask the next server; or the request came from port 0, as forged packets may (RFC 768).
 */
const unsendable = new Set(['ERR_SOCKET_DGRAM_NOT_RUNNING', 'ERR_SOCKET_BAD_PORT']);

/** Sends without a callback, which would cost an event loop turn each: a failed send is treated like a lost datagram. */
export const sendReply = (
  socket: Socket,
  octets: Buffer,
  { address, port }: { address: string; port: number },
): void => {
  try {
    socket.send(octets, port, address);
  } catch (error) {
    if (!unsendable.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
};
