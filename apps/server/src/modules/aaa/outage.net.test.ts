import { hourMs } from '@simcube/contract/time';
import { AttributeWriter, encodeRequest, radiusCode } from '@simcube/radius';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FixedClock } from '../../platform/clock/index.ts';
import { type Database, type DatabaseHealth, watchDatabase } from '../../platform/db/index.ts';
import { createLog } from '../../platform/log/index.ts';
import { testDatabase } from '../../testing/database.ts';
import { type Datagrams, openDatagrams } from '../../testing/datagrams.ts';
import { beginOutage } from '../../testing/outage.ts';
import {
  accountingAttributes,
  allCounted,
  countedBytes,
  expectVerified,
  radiusInventory,
  radiusSecret,
  type TestRadius,
  type TestSims,
  testRadius,
} from '../../testing/radius.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
const at = new Date('2026-11-21T11:00:00Z');
const secret = Buffer.from(radiusSecret);

let database: Database;
let health: DatabaseHealth;
let server: TestRadius;
let sims: TestSims;
let acct: Datagrams;
let auth: Datagrams;

beforeAll(async () => {
  database = await testDatabase({ max: 12 });
  sims = await radiusInventory(database, 2);
  const log = createLog({ level: 'silent', format: 'json' });
  // Checks only on request.
  health = watchDatabase({ url: database.url, log, everyMs: hourMs });
  server = await testRadius(database, clock, { health });
  acct = await openDatagrams(server.acctPort);
  auth = await openDatagrams(server.authPort);
});
afterAll(async () => {
  acct.close();
  auth.close();
  await server.stop();
  await health.stop();
  await database.close();
});

let identifier = 0;
const statusServer = (): Buffer => {
  identifier += 1;
  const { statusServer: code } = radiusCode;
  return encodeRequest({ code, identifier, secret, attributes: new AttributeWriter() });
};

const shed = async (): Promise<number> => {
  const { values } = await server.metrics.radiusPackets.get();
  return values.find(({ labels }) => labels.kind === 'status' && labels.outcome === 'not-ready')?.value ?? 0;
};

test.each([
  ['read-only', 0],
  ['refusing', 1],
] as const)(
  'while the database is %s Status-Server gets no reply on either port and accounting waits; afterwards both are answered, and the record counts once',
  async (kind, index) => {
    const before = await shed();
    const over = await beginOutage(database.url, kind);
    await health.check();
    auth.send(statusServer());
    acct.send(statusServer());
    const packet = { imsi: sims.imsi(index), session: kind, at, up: 700 };
    const attributes = accountingAttributes('interim', packet);
    const interim = encodeRequest({
      code: radiusCode.accountingRequest,
      identifier: 200,
      secret,
      attributes,
    });
    acct.send(interim);
    await expect.poll(shed, { timeout: 20_000 }).toBe(before + 2);
    expect(await auth.next(50)).toBeUndefined();
    expect(await acct.next(50)).toBeUndefined();

    await over();
    await health.check();
    expect((await acct.next(20_000))?.[0]).toBe(radiusCode.accountingResponse);
    auth.send(statusServer());
    expect((await auth.next())?.[0]).toBe(radiusCode.accessAccept);
    acct.send(statusServer());
    expect((await acct.next())?.[0]).toBe(radiusCode.accountingResponse);
    expect(await countedBytes(database, sims.orgId)).toEqual(allCounted(700 * (index + 1)));
    await expectVerified(database);
  },
);
