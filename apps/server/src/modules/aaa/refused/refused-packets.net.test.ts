import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { dayMs } from '@simcube/contract/time';
import { AttributeWriter, encodeRequest, radiusCode } from '@simcube/radius';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { type Datagrams, openDatagrams } from '../../../testing/datagrams.ts';
import {
  accountingAttributes,
  attributesOf,
  radiusInventory,
  radiusSecret,
  type TestRadius,
  testRadius,
} from '../../../testing/radius.ts';
import { addRefusedPackets, listRefusedPackets, trimRefusedPackets } from './refused-packets.queries.ts';
import { startRefusedPacketRecorder } from './refused-packets.ts';

const start = new Date('2026-11-21T12:00:00Z');
const laterTime = new Date('2026-11-21T12:01:00Z');
const imsi = '262020000000001';
const wrongSecret = 'not the secret of it';
const unknown = '127.0.0.9';

let clock: FixedClock;
let database: Database;
let lines: string[];
let log: ReturnType<typeof createLog>;

beforeEach(async () => {
  clock = new FixedClock(start);
  database = await testDatabase({ max: 12 });
  lines = [];
  log = createLog({ level: 'info', format: 'json', destination: { write: (line) => lines.push(line) } });
});
afterEach(() => database.close());

/** Logged refused packets: address and reason. */
const logged = (): string[] =>
  lines
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'a RADIUS packet was refused')
    .map(({ address, reason }) => `${address} ${reason}`)
    .sort((a, b) => a.localeCompare(b));

const rowCount = async (): Promise<number> =>
  (await database.pool.query('select count(*)::int as rows from radius_refused_packets')).rows[0].rows;

describe('refused RADIUS packets', () => {
  let server: TestRadius;
  let auth: Datagrams;
  let acct: Datagrams;
  let identifier = 0;

  beforeEach(async () => {
    await radiusInventory(database, 1);
    await database.pool.query(`update radius_clients set network = '127.0.0.1/32'`);
    server = await testRadius(database, clock, { log });
    auth = await openDatagrams(server.authPort);
    acct = await openDatagrams(server.acctPort);
  });
  afterEach(() => {
    auth.close();
    acct.close();
  });

  const request = (code: 1 | 4 | 12, values: { secret?: string; messageAuthenticator?: boolean } = {}) => {
    const { secret = radiusSecret, ...rest } = values;
    identifier += 1;
    const attributes = {
      1: () => attributesOf({ userName: imsi }),
      4: () => accountingAttributes('interim', { imsi, session: 'one', at: start, up: 1 }),
      12: () => new AttributeWriter(),
    }[code]();
    return encodeRequest({ code, identifier, secret: Buffer.from(secret), attributes, ...rest });
  };
  /** A socket delivers datagrams in order: when this one is answered, earlier ones have been read. */
  const read = async (socket: Datagrams) => {
    socket.send(request(radiusCode.statusServer));
    expect(await socket.next()).toBeDefined();
  };
  const sendFromUnknown = async (datagram: Buffer) => {
    const socket = createSocket('udp4');
    socket.bind(0, unknown);
    await once(socket, 'listening');
    await new Promise((sent) => socket.send(datagram, server.authPort, '127.0.0.1', sent));
    socket.close();
  };

  it('are logged with address and reason once a minute, and stored with count and times', async () => {
    const refused = async () => {
      await sendFromUnknown(request(radiusCode.accessRequest));
      auth.send(request(radiusCode.accessRequest, { secret: wrongSecret }));
      auth.send(request(radiusCode.accessRequest, { messageAuthenticator: false }));
      auth.send(Buffer.from('short'));
      auth.send(request(radiusCode.accountingRequest));
      acct.send(request(radiusCode.accountingRequest, { secret: wrongSecret }));
      await read(auth);
      await read(acct);
    };
    await refused();
    clock.advance(59_999);
    await refused();
    const expected = [
      '127.0.0.1 authenticator-wrong',
      '127.0.0.1 code-unexpected',
      '127.0.0.1 message-authenticator-missing',
      '127.0.0.1 message-authenticator-wrong',
      '127.0.0.1 too-short',
      `${unknown} unknown-client`,
    ];
    expect(logged()).toEqual(expected);
    clock.set(laterTime);
    await refused();
    expect(logged()).toEqual(expected.flatMap((line) => [line, line]));

    await server.stop();
    const rows = await listRefusedPackets(database.pool);
    expect(rows.map(({ address, reason }) => `${address} ${reason}`)).toEqual(expected);
    for (const row of rows) expect(row).toMatchObject({ packets: 3, firstAt: start, lastAt: laterTime });
    const everything = JSON.stringify([lines, rows]);
    for (const text of [radiusSecret, wrongSecret, imsi]) expect(everything).not.toContain(text);
  });

  it('do not include those that are answered', async () => {
    await read(auth);
    await read(acct);
    await server.stop();
    expect(logged()).toEqual([]);
    expect(await rowCount()).toBe(0);
  });
});

describe('the record of refused RADIUS packets', () => {
  it('is summed over the processes that refuse packets of the same address', async () => {
    const row = { address: '192.0.2.1', reason: 'too-short', packets: 2, firstAt: start, lastAt: start };
    await addRefusedPackets(database.pool, [row]);
    await addRefusedPackets(database.pool, [{ ...row, packets: 3, firstAt: laterTime, lastAt: laterTime }]);
    expect(await listRefusedPackets(database.pool)).toEqual([{ ...row, packets: 5, lastAt: laterTime }]);
  });

  it('shows an IPv4 address as such when a dual-stack socket received it', async () => {
    const notes = startRefusedPacketRecorder({ pool: database.pool, clock, log });
    notes.add('::ffff:192.0.2.1', 'unknown-client');
    await notes.stop();
    expect((await listRefusedPackets(database.pool)).map(({ address }) => address)).toEqual(['192.0.2.1']);
  });

  it('is limited, like the lines in the log, for any number of addresses', async () => {
    const notes = startRefusedPacketRecorder({ pool: database.pool, clock, log });
    for (let n = 0; n < 1_500; n += 1) notes.add(`10.0.${n >> 8}.${n & 255}`, 'unknown-client');
    await notes.stop();
    expect(logged()).toHaveLength(1_000);
    expect(await rowCount()).toBe(1_000);

    const latest = {
      address: '192.0.2.1',
      reason: 'too-short',
      packets: 1,
      firstAt: laterTime,
      lastAt: laterTime,
    };
    await addRefusedPackets(database.pool, [latest]);
    expect(await rowCount()).toBe(1_000);
    expect((await listRefusedPackets(database.pool))[0]).toEqual(latest);
  });

  it('is deleted 30 days after the last packet', async () => {
    const row = { reason: 'too-short', packets: 1, firstAt: start };
    await addRefusedPackets(database.pool, [
      { ...row, address: '192.0.2.1', lastAt: start },
      { ...row, address: '192.0.2.2', lastAt: laterTime },
    ]);
    await trimRefusedPackets(database.pool, new Date(laterTime.getTime() + 30 * dayMs));
    expect((await listRefusedPackets(database.pool)).map(({ address }) => address)).toEqual(['192.0.2.2']);
  });
});
