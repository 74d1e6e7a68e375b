import { writeFile } from 'node:fs/promises';
import { encodeRequest, openRadiusClient } from '../index.ts';
import { radclientCases, serverCases } from './freeradius-cases.ts';
import type { RecordedPacket } from './freeradius-fixtures.ts';
import { peerSecret, runRadclient, startFreeradius } from './freeradius-peer.ts';
import { startResponder } from './test-responder.ts';

/**
 * Records what the real tools send, so that the codec can be tested against them where they are not installed:
 * `npm run record-fixtures -w @simcube/radius`; requires freeradius and freeradius-utils.
 */
const recorded: RecordedPacket[] = [...(await recordRequests()), ...(await recordResponses())];
const file = new URL('../../fixtures/freeradius-packets.json', import.meta.url);
await writeFile(
  file,
  `${JSON.stringify({ recordedFrom: 'FreeRADIUS 3.2.1', secret: peerSecret, packets: recorded }, null, 2)}\n`,
);
console.info(`${recorded.length} packets recorded`);

async function recordRequests(): Promise<RecordedPacket[]> {
  const requests: RecordedPacket[] = [];
  for (const { name, command, attributes, expected } of radclientCases) {
    const responder = await startResponder(() => undefined);
    const lines = Object.entries(attributes).map(([key, value]) => `${key} = ${quoted(value)}`);
    const run = runRadclient({ port: responder.port, command, attributes: lines.join('\n') });
    while (responder.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    const [datagram] = responder.received;
    if (datagram === undefined) throw new Error(`radclient sent nothing for ${name}`);
    requests.push({ name, hex: datagram.toString('hex'), attributes: { ...attributes, ...expected } });
    await run;
    await responder.close();
  }
  return requests;
}

async function recordResponses(): Promise<RecordedPacket[]> {
  const responses: RecordedPacket[] = [];
  const peer = await startFreeradius();
  for (const { name, port, code, attributes, answers } of serverCases) {
    const client = await openRadiusClient({
      host: '127.0.0.1',
      port: peer[port],
      secret: Buffer.from(peerSecret),
    });
    const authenticator = Buffer.alloc(16, name);
    const reply = await client.send({ code, attributes, authenticator, messageAuthenticator: true });
    if (!reply.ok) throw new Error(`${name}: ${reply.reason}\n${peer.log()}`);
    const request = encodeRequest({
      code,
      identifier: reply.packet.identifier,
      secret: Buffer.from(peerSecret),
      attributes,
      authenticator,
      messageAuthenticator: true,
    });
    responses.push({
      name: `${name}: answer`,
      hex: reply.packet.raw.toString('hex'),
      requestHex: request.toString('hex'),
      attributes: answers.attributes,
    });
    await client.close();
  }
  await peer.stop();
  return responses;
}

function quoted(value: string): string {
  return /^(0x[0-9a-f]+|[\d.]+|[\w:/-]+)$/i.test(value) ? value : `"${value}"`;
}
