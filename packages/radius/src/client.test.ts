import { afterEach, describe, expect, it } from 'vitest';
import {
  AttributeWriter,
  attribute,
  decodePacket,
  encodeResponse,
  openRadiusClient,
  type RadiusClient,
  type RadiusClientOptions,
  radiusCode,
  readAttribute,
} from './index.ts';
import { startResponder, type TestResponder } from './testing/test-responder.ts';

const secret = Buffer.from('between us');

let responder: TestResponder;
let client: RadiusClient;

afterEach(async () => {
  await client.close();
  await responder.close();
});

async function open(
  answer: (datagram: Buffer) => Buffer | undefined,
  options: Partial<RadiusClientOptions> = {},
): Promise<void> {
  responder = await startResponder(answer);
  client = await openRadiusClient({
    host: '127.0.0.1',
    port: responder.port,
    secret,
    initialTimeoutMs: 60,
    ...options,
  });
}

const account = (sessionId = 'S') => ({
  code: radiusCode.accountingRequest,
  attributes: new AttributeWriter().add(attribute.acctSessionId, sessionId),
});

/** Replies with the session id of the request as class, so that mixed-up replies are detected. */
function echo(datagram: Buffer, wrongSecret?: Buffer): Buffer | undefined {
  const result = decodePacket(datagram);
  if (!result.ok) return undefined;
  const sessionId = readAttribute(result.packet, attribute.acctSessionId) ?? '';
  return encodeResponse({
    code: radiusCode.accountingResponse,
    request: result.packet,
    secret: wrongSecret ?? secret,
    attributes: new AttributeWriter().add(attribute.class, Buffer.from(sessionId)),
  });
}

const faithful = (datagram: Buffer): Buffer | undefined => echo(datagram);

describe('the client', () => {
  it('matches responses to requests, over several sockets and a full window', async () => {
    await open(faithful, { sockets: 3, window: 700, initialTimeoutMs: 2_000 });
    const names = Array.from({ length: 3_000 }, (_, index) => `S-${index}`);
    const replies = await Promise.all(names.map((name) => client.send(account(name))));
    const classes = replies.map((reply) =>
      reply.ok ? Buffer.from(readAttribute(reply.packet, attribute.class) ?? []).toString() : reply.reason,
    );
    expect(classes).toEqual(names);
    expect(client.stats()).toMatchObject({ answered: 3_000, inFlight: 0, waiting: 0 });
  });

  it('retransmits the same octets until answered', async () => {
    let lost = 2;
    await open((datagram) => {
      lost -= 1;
      return lost >= 0 ? undefined : echo(datagram);
    });
    const reply = await client.send(account());
    expect(reply).toMatchObject({ ok: true, sent: 3 });
    const [first, second, third] = responder.received;
    expect([second, third]).toEqual([first, first]);
    expect(client.stats()).toMatchObject({ sent: 1, retransmitted: 2, answered: 1 });
  });

  it('ignores forged responses and wrong codes, and accepts the right one', async () => {
    let round = 0;
    await open((datagram) => {
      round += 1;
      if (round === 1) return echo(datagram, Buffer.from('forged'));
      const wrongCode = echo(datagram);
      if (round === 2) wrongCode?.writeUInt8(radiusCode.accessAccept, 0);
      return wrongCode;
    });
    expect(await client.send(account())).toMatchObject({ ok: true, sent: 3 });
    expect(client.stats().ignored).toBe(2);
  });

  it('ignores a response without Message-Authenticator when it is required', async () => {
    await open(faithful, { requireMessageAuthenticator: true, maxRetransmissions: 0 });
    expect(await client.send(account())).toEqual({ ok: false, reason: 'timeout' });
    expect(await client.send({ ...account(), messageAuthenticator: true })).toMatchObject({ ok: true });
  });

  it('withdraws a request that is no longer wanted, and retransmits while that is not known', async () => {
    await open(() => undefined, { maxRetransmissions: 5, initialTimeoutMs: 20 });
    const answers = [() => Promise.reject(new Error('unknown')), () => Promise.resolve(false)];
    const isWanted = () => (answers.shift() ?? (() => Promise.resolve(true)))();
    expect(await client.send({ ...account(), isWanted })).toEqual({ ok: false, reason: 'withdrawn' });
    expect(client.stats()).toMatchObject({ sent: 1, retransmitted: 1, inFlight: 0 });
  });

  it('times out within its limit for any number of retransmissions', async () => {
    await open(() => undefined, { maxRetransmissions: 1_000, maxDurationMs: 200, initialTimeoutMs: 20 });
    const before = performance.now();
    expect(await client.send(account())).toEqual({ ok: false, reason: 'timeout' });
    expect(performance.now() - before).toBeLessThan(2_000);
  });

  it('limits its queue, and sends queued requests as submitted', async () => {
    const held: Buffer[] = [];
    await open(
      (datagram) => {
        held.push(datagram);
        return held.length === 1 ? undefined : echo(datagram);
      },
      { window: 1, maxQueue: 1 },
    );
    const attributes = new AttributeWriter().add(attribute.acctSessionId, 'first');
    const first = client.send({ code: radiusCode.accountingRequest, attributes });
    const second = client.send({
      code: radiusCode.accountingRequest,
      attributes: attributes.reset().add(attribute.acctSessionId, 'second'),
    });
    attributes.reset();
    expect(await client.send(account())).toEqual({ ok: false, reason: 'queue-full' });
    expect(await first).toMatchObject({ ok: true, sent: 2 });
    const reply = await second;
    expect(reply.ok && readAttribute(reply.packet, attribute.class)).toEqual(Buffer.from('second'));
  });

  it('ends pending requests when closed', async () => {
    await open(() => undefined, { window: 1 });
    const pending = [client.send(account()), client.send(account())];
    await client.close();
    expect(await Promise.all(pending)).toEqual([
      { ok: false, reason: 'closed' },
      { ok: false, reason: 'closed' },
    ]);
    expect(await client.send(account())).toEqual({ ok: false, reason: 'closed' });
  });

  it('survives a closed port', async () => {
    await open(faithful, { maxRetransmissions: 1, initialTimeoutMs: 30 });
    await responder.close();
    responder = { ...responder, close: () => Promise.resolve() };
    expect(await client.send(account())).toEqual({ ok: false, reason: 'timeout' });
  });
});
