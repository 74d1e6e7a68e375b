import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { parseDrops, watchKernelDrops } from './kernel-drops.ts';

const heading =
  '   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops\n';
const udp = `${heading}  105: 0100007F:0714 00000000:0000 07 00000000:00000000 00:00000000 00000000  1000        0 41234 2 0000000000000000 17
 2087: 00000000:0715 00000000:0000 07 00000000:00000000 00:00000000 00000000  1000        0 41235 2 0000000000000000 0\n`;
const udp6 = `${heading} 2086: 00000000000000000000000000000000:0714 00000000000000000000000000000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 51236 2 0000000000000000 4294967296\n`;

describe('the table of UDP sockets', () => {
  it('gives the number of dropped datagrams for each socket', () => {
    expect([...parseDrops(udp)]).toEqual([
      ['41234', 17],
      ['41235', 0],
    ]);
    expect(parseDrops(udp6).get('51236')).toBe(4_294_967_296);
  });

  it('of an unknown form gives nothing', () => {
    expect([...parseDrops('')]).toEqual([]);
    expect([...parseDrops(`${heading}nonsense\n 1: 2 3\n`)]).toEqual([]);
  });
});

describe.runIf(process.platform === 'linux')('a socket of this process', () => {
  const bound = async (address: string): Promise<Socket> => {
    const socket = createSocket({ type: address === '::1' ? 'udp6' : 'udp4', recvBufferSize: 4096 });
    socket.bind(0, address);
    await once(socket, 'listening');
    return socket;
  };

  it.each(['127.0.0.1', '::1'])(
    'on %s tells what did not fit its buffer, and nothing of others',
    async (address) => {
      const [full, quiet] = [await bound(address), await bound(address)];
      const drops = [
        await watchKernelDrops(full.address().port),
        await watchKernelDrops(quiet.address().port),
      ];
      const received: Buffer[] = [];
      full.on('message', (datagram) => received.push(datagram));
      expect(await Promise.all(drops.map((read) => read?.()))).toEqual([0, 0]);
      const sender = createSocket(address === '::1' ? 'udp6' : 'udp4');
      const count = 500;
      // Sent in one turn, so that the receiver only reads after all are sent.
      const sent = Array.from(
        { length: count },
        () => new Promise((done) => sender.send(Buffer.alloc(1000), full.address().port, address, done)),
      );
      await Promise.all(sent);
      await expect.poll(async () => received.length + ((await drops[0]?.()) ?? 0)).toBe(count);
      expect(await drops[0]?.()).toBeGreaterThan(0);
      expect(await drops[1]?.()).toBe(0);
      for (const socket of [full, quiet, sender]) socket.close();
    },
  );

  it('that does not exist is not watched', async () => {
    expect(await watchKernelDrops(1)).toBeUndefined();
  });
});
