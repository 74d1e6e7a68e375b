import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that a system assigns automatically (from 32,768 on under Linux, higher elsewhere): a server
 * that was killed finds its port still free when it restarts, whatever other tests open in the meantime.
 */
const [lowest, highest] = [20_000, 32_000];
const host = '127.0.0.1';

/** A free UDP port of 127.0.0.1 that the system assigns to no other program. */
export const freeUdpPort = (): Promise<number> =>
  firstFree(async (port) => {
    const socket = createSocket('udp4').bind(port, host);
    await once(socket, 'listening');
    socket.close();
  });

/** The same for TCP. */
export const freeTcpPort = (): Promise<number> =>
  firstFree(async (port) => {
    const server = createServer().listen(port, host);
    await once(server, 'listening');
    server.close();
  });

const firstFree = async (take: (port: number) => Promise<void>): Promise<number> => {
  const port = randomInt(lowest, highest);
  try {
    await take(port);
    return port;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return firstFree(take);
  }
};
