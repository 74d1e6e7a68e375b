import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMetrics } from '../../../platform/metrics/index.ts';
import { AdmittedRequest } from './duplicates.ts';
import { Exchange, sendReply } from './exchange.ts';
import { PacketCounts } from './packet-counts.ts';

const counts = new PacketCounts(createMetrics(), () => undefined);
const gateway = {
  id: 1,
  name: 'pgw',
  secret: Buffer.from('testing123'),
  requireMessageAuthenticator: true,
  coaHost: null,
  coaPort: 3799,
  rateAttribute: 'WISPr-Bandwidth-Max-Down',
  interimSeconds: 300,
};

let socket: Socket;
beforeAll(async () => {
  socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
});
afterAll(() => {
  counts.stop();
  socket.close();
});

describe('a request from port 0, to which nothing can be sent', () => {
  const nowhere = { address: '127.0.0.1', port: 0 };

  it('gets no reply, as if the reply had been lost', () => {
    const request = new AdmittedRequest('a', 0);
    const exchange = new Exchange({ socket, request, counts, gateway, kind: 'access', ...nowhere });
    exchange.reply(Buffer.from('answer'));
    expect(request.reply?.toString()).toBe('answer');
  });

  it('gets no reply when it is retransmitted either', () => {
    expect(() => sendReply(socket, Buffer.from('answer'), nowhere)).not.toThrow();
  });
});
