import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { decodePdu, encodePdu, type Pdu, PduFramer } from '../index.ts';

export interface RawSmsc {
  port: number;
  /** What the client sent after its bind, decoded. */
  received: Pdu[];
  /** Socket of the newest connection. */
  socket(): Socket;
  close(): Promise<void>;
}

/** Handles bind and unbind, and can send what no library would send; `onPdu` receives all other PDUs. */
export async function startRawSmsc(
  onPdu: (pdu: Pdu, socket: Socket) => void = () => undefined,
): Promise<RawSmsc> {
  const received: Pdu[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    const framer = new PduFramer();
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      for (const frame of framer.push(chunk)) {
        const decoded = decodePdu(frame);
        if (!decoded.ok) throw new Error(`the client sent a malformed PDU: ${decoded.reason}`);
        const { pdu } = decoded;
        if (pdu.command === 'bind_transceiver') {
          const body = { systemId: 'raw', tlvs: [] };
          const { sequence } = pdu;
          socket.write(encodePdu({ command: 'bind_transceiver_resp', status: 0, sequence, body }));
        } else if (pdu.command === 'unbind') {
          socket.end(encodePdu({ command: 'unbind_resp', status: 0, sequence: pdu.sequence, body: {} }));
        } else {
          received.push(pdu);
          onPdu(pdu, socket);
        }
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    received,
    socket: () => {
      const newest = sockets.at(-1);
      if (newest === undefined) throw new Error('nothing is connected');
      return newest;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
