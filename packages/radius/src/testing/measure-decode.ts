import { cpus } from 'node:os';
import { decodePacket, readAccounting, verifyRequest } from '../index.ts';
import { sampleInterim, sampleSecret } from './sample-packets.ts';

/** Packets per second on one core: decoded only, with the typed view, and with the Request Authenticator verified too. */
const packets = Array.from({ length: 1_024 }, (_, index) => sampleInterim(index));

function measure(name: string, work: (datagram: Buffer) => boolean): void {
  let done = 0;
  let right = 0;
  const until = performance.now() + 2_000;
  while (performance.now() < until) {
    for (const datagram of packets) if (work(datagram)) right += 1;
    done += packets.length;
  }
  console.info(
    `${name}: ${Math.round(done / 2).toLocaleString('en')} packets/s, ${right === done ? 'all right' : 'WRONG'}`,
  );
}

console.info(`${cpus()[0]?.model}, Node ${process.version}, 20 attributes, ${packets[0]?.length} octets`);
for (const round of ['warm-up', 'measured']) {
  console.info(round);
  measure('decode', (datagram) => decodePacket(datagram).ok);
  measure('decode + accounting record', (datagram) => {
    const decoded = decodePacket(datagram);
    return decoded.ok && readAccounting(decoded.packet).ok;
  });
  measure('decode + accounting record + verify', (datagram) => {
    const decoded = decodePacket(datagram);
    if (!decoded.ok) return false;
    const { packet } = decoded;
    return verifyRequest({ packet, secret: sampleSecret }) === undefined && readAccounting(packet).ok;
  });
}
