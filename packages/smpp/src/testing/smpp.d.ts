// npm `smpp` has no types; these cover what the tests use.
declare module 'smpp' {
  import type { EventEmitter } from 'node:events';
  import type { Server } from 'node:net';

  type Fields = Record<string, unknown>;

  export class PDU {
    constructor(command: string, fields?: Fields);
    static fromBuffer(buffer: Buffer): PDU | false;
    [field: string]: unknown;
    command: string;
    sequence_number: number;
    response(fields?: Fields): PDU;
    toBuffer(): Buffer;
  }

  export class Session extends EventEmitter {
    socket: import('node:net').Socket;
    send(pdu: PDU): boolean;
    deliver_sm(fields: Fields, onResponse?: (response: PDU) => void): boolean;
    data_sm(fields: Fields, onResponse?: (response: PDU) => void): boolean;
    enquire_link(fields: Fields, onResponse?: (response: PDU) => void): boolean;
    unbind(fields: Fields, onResponse?: (response: PDU) => void): boolean;
    destroy(): void;
  }

  export function createServer(
    options: { key?: string; cert?: string },
    onSession: (session: Session) => void,
  ): Server;
}
