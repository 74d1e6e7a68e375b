import { createSocket, type RemoteInfo } from 'node:dgram';
import type { AddressInfo } from 'node:net';

export interface TestResponder {
  port: number;
  /** Every datagram received, in order. */
  received: Buffer[];
  close(): Promise<void>;
}

/** A loopback UDP socket that replies to each datagram with the result of `answer`, if there is one. */
export async function startResponder(
  answer: (datagram: Buffer, from: RemoteInfo) => Buffer | undefined,
): Promise<TestResponder> {
  const socket = createSocket('udp4');
  const received: Buffer[] = [];
  socket.on('message', (datagram, from) => {
    received.push(datagram);
    const reply = answer(datagram, from);
    if (reply !== undefined) socket.send(reply, from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    port: (socket.address() as AddressInfo).port,
    received,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}
