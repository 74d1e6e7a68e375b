import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export interface Datagrams {
  send(datagram: Uint8Array): void;
  /** The next datagram, or undefined if none arrives in time. */
  next(withinMs?: number): Promise<Buffer | undefined>;
  close(): void;
}

/** A plain UDP socket connected to one port, for what a client that knows the protocol would never send. */
export const openDatagrams = async (port: number): Promise<Datagrams> => {
  const socket = createSocket('udp4');
  socket.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const received: Buffer[] = [];
  let wake: () => void = () => undefined;
  socket.on('message', (datagram) => {
    received.push(datagram);
    wake();
  });
  socket.on('error', () => undefined);
  return {
    send: (datagram) => socket.send(datagram),
    next: (withinMs = 3000) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => resolve(undefined), withinMs);
        const take = () => {
          const first = received.shift();
          if (!first) return;
          clearTimeout(timer);
          wake = () => undefined;
          resolve(first);
        };
        wake = take;
        take();
      }),
    close: () => socket.close(),
  };
};
