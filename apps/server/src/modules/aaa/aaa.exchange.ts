import type { Socket } from 'node:dgram';
import type { Gateway } from './aaa.clients.ts';
import type { PacketCounts, PacketKind } from './aaa.counts.ts';
import type { Admitted } from './aaa.duplicates.ts';

export interface ExchangeOptions {
  socket: Socket;
  request: Admitted;
  counts: PacketCounts;
  gateway: Gateway;
  kind: PacketKind;
  address: string;
  port: number;
}

/**
 * One request that the listener accepted (known gateway, well-formed, valid signature, not a duplicate) and its future reply.
 * Holds nothing of the datagram: thousands of these wait for a commit at any time.
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

  /** When the request came, milliseconds. */
  get at(): number {
    return this.#options.request.at;
  }

  /** Where the request came from. */
  get address(): string {
    return this.#options.address;
  }

  /** Sends the answer, and keeps it for a repetition of the request. */
  answer(octets: Buffer): void {
    const { socket, request, counts, kind, address, port } = this.#options;
    request.answer = octets;
    counts.add(kind, 'answered');
    reply(socket, octets, { address, port });
  }

  /** Leaves it unanswered: the gateway will send it again, and then it is accepted. */
  shed(outcome: string): void {
    const { request, counts, kind } = this.#options;
    request.isForgotten = true;
    counts.add(kind, outcome);
  }
}

/**
 * What is thrown where an answer can be sent to nobody: it was ready only after the socket was closed, and the gateway
 * will ask the next server; or the request came from port 0, which is how a forger hides (RFC 768).
 */
const unsendable = new Set(['ERR_SOCKET_DGRAM_NOT_RUNNING', 'ERR_SOCKET_BAD_PORT']);

/** Without a callback, which would cost a turn each: a datagram that can't be sent is as good as lost on its way. */
export const reply = (
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
