import { encodeRequest, radiusCode } from '@simcube/radius';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { type Datagrams, openDatagrams } from '../../../testing/datagrams.ts';
import { beginOutage } from '../../../testing/outage.ts';
import {
  attributesOf,
  radiusInventory,
  radiusSecret,
  type TestRadius,
  testRadius,
} from '../../../testing/radius.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
const secret = Buffer.from(radiusSecret);
const packets = 120;

let database: Database;
let server: TestRadius;
let acct: Datagrams;
let auth: Datagrams;
let lines: { msg: string }[];

beforeAll(async () => {
  database = await testDatabase({ max: 12 });
  await radiusInventory(database, 1);
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  server = await testRadius(database, clock, {
    log: createLog({ level: 'info', format: 'json', destination }),
  });
  acct = await openDatagrams(server.acctPort);
  auth = await openDatagrams(server.authPort);
});
beforeEach(() => {
  lines = [];
});
afterAll(async () => {
  acct.close();
  auth.close();
  await server.stop();
  await database.close();
});

const counted = async (kind: string, outcome: string): Promise<number> => {
  const { values } = await server.metrics.radiusPackets.get();
  return values.find(({ labels }) => labels.kind === kind && labels.outcome === outcome)?.value ?? 0;
};
const linesOf = (message: string) => lines.filter(({ msg }) => msg === message);

test('requests that fail while the database is unavailable are counted, and logged once', async () => {
  const over = await beginOutage(database.url, 'refusing');
  for (let identifier = 0; identifier < packets; identifier += 1) {
    const attributes = attributesOf({ userName: '262020000000001', imsi: '262020000000001' });
    auth.send(encodeRequest({ code: radiusCode.accessRequest, identifier, secret, attributes }));
  }
  await expect.poll(() => counted('access', 'failed'), { timeout: 20_000 }).toBe(packets);
  await over();
  expect(linesOf('an access request failed')).toHaveLength(1);
});

test('a gateway that keeps reporting restarts is logged once, and its pending requests are bounded', async () => {
  const blocker = await database.pool.connect();
  await blocker.query('begin; lock table radius_sessions in access exclusive mode');
  for (let identifier = 0; identifier < packets; identifier += 1) {
    const attributes = attributesOf({ acctStatusType: 7, acctSessionId: 'x', nasIdentifier: 'pgw-1' });
    acct.send(encodeRequest({ code: radiusCode.accountingRequest, identifier, secret, attributes }));
  }
  await expect.poll(() => counted('accounting', 'overload'), { timeout: 20_000 }).toBe(packets - 100);
  await blocker.query('rollback');
  blocker.release();
  await expect.poll(() => counted('accounting', 'answered'), { timeout: 20_000 }).toBe(100);
  expect(linesOf('a gateway restarted')).toHaveLength(1);
});
