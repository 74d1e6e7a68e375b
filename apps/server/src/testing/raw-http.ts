import { connect, type Socket } from 'node:net';

/** A connection to which a test writes octets, with everything received. */
export interface RawConnection {
  socket: Socket;
  write(octets: string | Buffer): void;
  /** Everything received, once the server has closed the connection. */
  closed: Promise<string>;
  /** The responses so far, once there are this many. */
  responses(count: number): Promise<RawResponse[]>;
}

export interface RawResponse {
  http: number;
  head: string;
  body: string;
}

export const openRaw = (port: number): RawConnection => {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  const waiters = new Set<() => void>();
  socket.setEncoding('utf8');
  socket.on('data', (piece) => {
    received += piece;
    for (const check of waiters) check();
  });
  // Some tests are about a reset after the response: the reader sees what arrived before it.
  socket.on('error', () => undefined);
  const closed = new Promise<string>((resolve) => {
    socket.on('close', () => resolve(received));
  });
  return {
    socket,
    write: (octets) => void socket.write(octets),
    closed,
    responses: (count) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          const responses = parseResponses(received);
          if (responses.length < count) return;
          waiters.delete(check);
          resolve(responses);
        };
        waiters.add(check);
        void closed.then(() =>
          reject(new Error(`The connection was closed after: ${received.slice(0, 500)}`)),
        );
        check();
      }),
  };
};

/** Consecutive responses with a Content-Length. */
export const parseResponses = (received: string): RawResponse[] => {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return [];
  const head = received.slice(0, end);
  const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
  const octets = Buffer.from(received.slice(end + 4));
  if (octets.length < length) return [];
  return [
    { http: Number(head.split(' ')[1]), head, body: octets.subarray(0, length).toString() },
    ...parseResponses(octets.subarray(length).toString()),
  ];
};
