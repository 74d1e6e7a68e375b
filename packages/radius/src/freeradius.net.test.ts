import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  AttributeWriter,
  attribute,
  decodePacket,
  describeAttributes,
  encodeResponse,
  openRadiusClient,
  radiusCode,
  verifyRequest,
} from './index.ts';
import { radclientCases, serverCases } from './testing/freeradius-cases.ts';
import {
  type FreeradiusPeer,
  isFreeradiusInstalled,
  peerSecret,
  runRadclient,
  startFreeradius,
} from './testing/freeradius-peer.ts';
import { startResponder } from './testing/test-responder.ts';

const secret = Buffer.from(peerSecret);

const answerTo = new Map([
  [radiusCode.accessRequest, radiusCode.accessAccept],
  [radiusCode.accountingRequest, radiusCode.accountingResponse],
  [radiusCode.statusServer, radiusCode.accessAccept],
  [radiusCode.disconnectRequest, radiusCode.disconnectAck],
  [radiusCode.coaRequest, radiusCode.coaAck],
] as const satisfies readonly (readonly [number, number])[]);

function answer(datagram: Buffer): Buffer | undefined {
  const result = decodePacket(datagram);
  if (!result.ok || verifyRequest({ packet: result.packet, secret }) !== undefined) return undefined;
  const attributes = new AttributeWriter();
  const code = answerTo.get(result.packet.code as 1);
  if (code === undefined) return undefined;
  if (code === radiusCode.accessAccept) {
    attributes.add(attribute.framedIpAddress, '10.128.0.9').add(attribute.class, Buffer.from('c1'));
  }
  return encodeResponse({ code, request: result.packet, secret, attributes });
}

// Where FreeRADIUS is not installed, its recorded packets are used instead (freeradius.test.ts).
describe.runIf(isFreeradiusInstalled)('the real radclient', () => {
  it.each(radclientCases)('accepts our reply: $name', async ({ command, attributes }) => {
    const responder = await startResponder(answer);
    const lines = Object.entries(attributes).map(([name, value]) => `${name} = "${value}"`);
    const text = lines.join('\n').replace(/"(0x[0-9a-f]+)"/g, '$1');
    const run = await runRadclient({ port: responder.port, command, attributes: text });
    await responder.close();
    expect(run.accepted, run.output).toBe(true);
    expect(responder.received).toHaveLength(1);
    if (command === 'auth') expect(run.output).toContain('Framed-IP-Address = 10.128.0.9');
  });
});

describe.runIf(isFreeradiusInstalled)('the real FreeRADIUS', () => {
  let peer: FreeradiusPeer;
  beforeAll(async () => {
    peer = await startFreeradius();
  });
  afterAll(() => peer.stop());

  it.each(serverCases)('replies to our client: $name', async ({ port, code, attributes, answers }) => {
    const client = await openRadiusClient({ host: '127.0.0.1', port: peer[port], secret });
    const reply = await client.send({ code, attributes, messageAuthenticator: true });
    await client.close();
    if (!reply.ok) throw new Error(`${reply.reason}\n${peer.log()}`);
    expect(reply.packet.code).toBe(answers.code);
    const read = describeAttributes(reply.packet);
    for (const [name, value] of Object.entries(answers.attributes)) expect(read[name]).toEqual([value]);
  });

  it('does not reply to a wrong secret, and the client times out', async () => {
    const client = await openRadiusClient({
      host: '127.0.0.1',
      port: peer.acctPort,
      secret: Buffer.from('not the secret'),
      initialTimeoutMs: 50,
      maxRetransmissions: 1,
    });
    const attributes = new AttributeWriter().add(attribute.acctSessionId, 'x');
    const reply = await client.send({ code: radiusCode.accountingRequest, attributes });
    expect(reply).toEqual({ ok: false, reason: 'timeout' });
    expect(client.stats()).toMatchObject({ sent: 1, retransmitted: 1, timedOut: 1, inFlight: 0 });
    await client.close();
  });
});
