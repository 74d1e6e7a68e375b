import {
  AttributeWriter,
  attribute,
  decodePacket,
  encodeRequest,
  radiusCode,
  verifyResponse,
} from '@simcube/radius';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { type Datagrams, openDatagrams } from '../../../testing/datagrams.ts';
import {
  accountingAttributes,
  allCounted,
  attributesOf,
  countedBytes,
  expectVerified,
  radiusInventory,
  radiusSecret,
  type TestRadius,
  type TestSims,
  testRadius,
} from '../../../testing/radius.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
const at = new Date('2026-11-21T11:00:00Z');
const secret = Buffer.from(radiusSecret);

let database: Database;
let server: TestRadius;
let sims: TestSims;
let acct: Datagrams;
let auth: Datagrams;

beforeAll(async () => {
  database = await testDatabase({ max: 12 });
  sims = await radiusInventory(database, 10);
  server = await testRadius(database, clock);
  acct = await openDatagrams(server.acctPort);
  auth = await openDatagrams(server.authPort);
});
afterAll(async () => {
  acct.close();
  auth.close();
  await server.stop();
  await database.close();
});

const interim = (identifier: number, packet: { session: string; up: number; index?: number }): Buffer =>
  encodeRequest({
    code: radiusCode.accountingRequest,
    identifier,
    secret,
    attributes: accountingAttributes('interim', { imsi: sims.imsi(packet.index ?? 0), at, ...packet }),
  });

/** Packets by outcome, as the operator sees them. */
const outcomes = async (): Promise<Record<string, number>> => {
  // Counted immediately, passed to the metrics once a second.
  await new Promise((resolve) => setTimeout(resolve, 1100));
  const { values } = await server.metrics.radiusPackets.get();
  const sums: Record<string, number> = {};
  for (const { labels, value } of values)
    sums[String(labels.outcome)] = (sums[String(labels.outcome)] ?? 0) + value;
  return sums;
};

describe('retransmitted requests', () => {
  it('get the same octets as a reply, and count once', async () => {
    const request = interim(7, { session: 'same', up: 1000 });
    acct.send(request);
    const first = await acct.next();
    acct.send(request);
    acct.send(request);
    expect(first).toBeDefined();
    expect(await acct.next()).toEqual(first);
    expect(await acct.next()).toEqual(first);
    expect(await countedBytes(database, sims.orgId)).toEqual(allCounted(1000));
  });

  it('are answered once while the first is in progress', async () => {
    const request = interim(8, { session: 'burst', up: 10, index: 1 });
    for (let n = 0; n < 20; n += 1) acct.send(request);
    expect(await acct.next()).toBeDefined();
    acct.send(request);
    expect(await acct.next()).toBeDefined();
    const counted = await database.pool.query('select used_bytes from sim_live where sim_id = $1', [
      sims.ids[1],
    ]);
    expect(counted.rows).toEqual([{ used_bytes: 10 }]);
  });

  it('count as new requests if the authenticator differs', async () => {
    acct.send(interim(9, { session: 'reuse', up: 5, index: 2 }));
    const one = await acct.next();
    acct.send(interim(9, { session: 'reuse', up: 6, index: 2 }));
    const two = await acct.next();
    expect(one?.[1]).toBe(9);
    expect(two).not.toEqual(one);
  });
});

describe('replies', () => {
  it('echo every Proxy-State in order, and are signed over the request', async () => {
    const attributes = accountingAttributes('interim', { imsi: sims.imsi(3), session: 'proxy', at, up: 1 })
      .add(attribute.proxyState, Buffer.from('first'))
      .add(attribute.proxyState, Buffer.from('second'));
    const request = encodeRequest({ code: radiusCode.accountingRequest, identifier: 11, secret, attributes });
    acct.send(request);
    const reply = decodePacket((await acct.next()) ?? Buffer.alloc(0));
    if (!reply.ok) throw new Error(reply.reason);
    expect(reply.packet.proxyStates().toString()).toMatch(/first.*second/);
    const requestAuthenticator = request.subarray(4, 20);
    expect(verifyResponse({ packet: reply.packet, secret, requestAuthenticator })).toBeUndefined();
  });

  it('to Status-Server come from both ports', async () => {
    for (const [socket, code] of [
      [auth, radiusCode.accessAccept],
      [acct, radiusCode.accountingResponse],
    ] as const) {
      socket.send(
        encodeRequest({
          code: radiusCode.statusServer,
          identifier: 3,
          secret,
          attributes: new AttributeWriter(),
        }),
      );
      expect((await socket.next())?.[0]).toBe(code);
    }
  });
});

describe('a packet without a reply', () => {
  it('is counted by its reason', async () => {
    const before = await outcomes();
    const forged = interim(20, { session: 'forged', up: 1 });
    forged[4] = (forged[4] ?? 0) ^ 1;
    acct.send(forged);
    acct.send(Buffer.from('hello'));
    const unsigned = encodeRequest({
      code: radiusCode.accessRequest,
      identifier: 1,
      secret,
      attributes: attributesOf({ userName: sims.imsi(0) }),
      messageAuthenticator: false,
    });
    auth.send(unsigned);
    auth.send(interim(21, { session: 'wrong door', up: 1 }));
    const after = await outcomes();
    for (const reason of [
      'authenticator-wrong',
      'too-short',
      'message-authenticator-missing',
      'code-unexpected',
    ]) {
      expect((after[reason] ?? 0) - (before[reason] ?? 0), reason).toBe(1);
    }
  });
});

describe('malformed packets', () => {
  /** Well-formed and signed packets with nonsense in them; valid packets with a few changed octets; noise. */
  const nonsense = fc.oneof(
    fc.uint8Array({ maxLength: 400 }).map((octets) => Buffer.from(octets)),
    fc
      .tuple(fc.integer({ min: 0, max: 255 }), fc.uint8Array({ minLength: 1, maxLength: 12 }))
      .map(([place, octets]) => {
        const packet = interim(30, { session: 'bent', up: 1, index: 4 });
        packet.set(octets, Math.min(place, packet.length - octets.length));
        return packet;
      }),
    fc
      .array(fc.tuple(fc.integer({ min: 1, max: 255 }), fc.uint8Array({ maxLength: 40 })), { maxLength: 20 })
      .map((list) => {
        const attributes = new AttributeWriter().add(attribute.acctStatusType, 3);
        for (const [type, value] of list)
          attributes.addEncoded(Buffer.from([type, value.length + 2, ...value]));
        return encodeRequest({ code: radiusCode.accountingRequest, identifier: 31, secret, attributes });
      }),
  );

  it('in tens of thousands cause no crash, no leak, and no delay of valid requests', async () => {
    const socket = await openDatagrams(server.acctPort);
    const access = await openDatagrams(server.authPort);
    const before = await countedBytes(database, sims.orgId);
    const cases = fc.sample(nonsense, 30_000);
    const heap = process.memoryUsage().heapUsed;
    let good = 0;
    for (const [index, datagram] of cases.entries()) {
      socket.send(datagram);
      access.send(datagram);
      if (index % 1000 !== 999) continue;
      good += 1;
      acct.send(interim(index % 256, { session: 'among them', up: good * 10, index: 5 }));
      expect(await acct.next(10_000)).toBeDefined();
    }
    socket.close();
    access.close();
    const after = await countedBytes(database, sims.orgId);
    const bent = await database.pool.query(
      'select coalesce(used_bytes, 0)::bigint as used from sim_live where sim_id = $1',
      [sims.ids[4]],
    );
    expect((after?.cdrs ?? 0) - (before?.cdrs ?? 0) - bent.rows[0].used).toBe(good * 10);
    await expectVerified(database);
    expect(process.memoryUsage().heapUsed - heap).toBeLessThan(200 * 1024 * 1024);
    const counted = await outcomes();
    const refused = Object.entries(counted).filter(([outcome]) => !/^answered/.test(outcome));
    expect(refused.reduce((sum, [, count]) => sum + count, 0)).toBeGreaterThan(20_000);
    const isKnown = process.platform === 'linux';
    const dropped = await server.metrics.radiusKernelDropped.get();
    expect(dropped.values.map(({ labels }) => labels.kind)).toEqual(isKnown ? ['access', 'accounting'] : []);
  });
});
