import { demoDevices, type Gateway, type Scenario, startGateway } from '@simcube/network-sim';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { vaultOf } from '../../../platform/secrets/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import {
  radiusInventory,
  radiusKey,
  radiusSecret,
  type TestRadius,
  type TestSims,
  testRadius,
} from '../../../testing/radius.ts';
import { aaaJobs } from '../aaa.jobs.ts';
import { controlJob } from './control.job.ts';

/** Long sessions of many devices, the first of which connects soon. */
const scenario: Scenario = {
  name: 'test',
  description: '',
  nasIdentifier: 'pgw-names',
  nasIpAddress: '10.1.0.1',
  demoDevices: 1,
  seed: 3,
  speed: 60,
  maxActive: 30,
  maxPacketsPerSecond: 2_000,
  roaming: 0,
  imeiChangeChance: 0,
  lostStopShare: 0,
  volume: {},
  rejectBackoffSeconds: { first: 60, most: 60 },
  retransmitMs: 100,
  statsEverySeconds: 60,
  events: [],
};
const log = createLog({ level: 'silent', format: 'json' });
const timing = { initialTimeoutMs: 500, maxRetransmissions: 3, maxDurationMs: 4_000 };

let database: Database;
let server: TestRadius;
let sims: TestSims;
let gateway: Gateway;

beforeAll(async () => {
  database = await testDatabase({ max: 12 });
  sims = await radiusInventory(database, 30);
  server = await testRadius(database, systemClock);
  const [camera] = demoDevices(2_000, 1).filter(({ kind }) => kind === 'camera');
  if (!camera) throw new Error('There is no camera');
  gateway = await startGateway({
    scenario,
    devices: sims.ids.map((_, index) => ({ ...camera, imsi: sims.imsi(index) })),
    server: {
      host: '127.0.0.1',
      authPort: server.authPort,
      acctPort: server.acctPort,
      secret: Buffer.from(radiusSecret),
    },
    coa: { host: '127.0.0.1', port: 0 },
    log: () => undefined,
  });
  await database.pool.query('update radius_clients set coa_port = $1', [gateway.coaPort]);
});
afterAll(async () => {
  await gateway.stop();
  await server.stop();
  await database.close();
});

/** SIMs with an open session, by whether the gateway's User-Name is their IMSI. */
const connected = async (isNamedByImsi: boolean): Promise<number[]> =>
  (
    await database.pool.query<{ id: number }>(
      `select r.sim_id as id from radius_sessions r join sims s on s.id = r.sim_id
       where r.stopped_at is null and (right(s.imsi, 1)::integer % 2 = 0) = $1 order by r.sim_id`,
      [isNamedByImsi],
    )
  ).rows.map(({ id }) => id);

describe('a gateway that compares every attribute with its session (RFC 5176, 3)', () => {
  it.each([
    ['the IMSI', true],
    ['the user name of its APN', false],
  ])('ends sessions for which its User-Name is %s', async (_, isNamedByImsi) => {
    await expect.poll(() => connected(isNamedByImsi), { timeout: 20_000, interval: 50 }).not.toEqual([]);
    const [simId] = await connected(isNamedByImsi);
    await database.pool.query('update sims set lifecycle = 30 where id = $1', [simId]);
    const handlers = aaaJobs({ pool: database.pool, vault: vaultOf(radiusKey), clock: systemClock, timing });
    const control = handlers.find(({ job }) => job.name === controlJob.name);
    const order = { simId, reason: 'paused' };
    await control?.handle(order, { signal: new AbortController().signal, log, attempt: 1 });
    const { rows } = await database.pool.query<{ facts: unknown }>(
      `select facts from sim_events where sim_id = $1 and kind = 'network-disconnect'`,
      [simId],
    );
    expect(rows).toMatchObject([{ facts: { result: 'ack', error_cause: null } }]);
    const causes = async () =>
      (
        await database.pool.query('select terminate_cause as cause from radius_sessions where sim_id = $1', [
          simId,
        ])
      ).rows;
    await expect.poll(causes).toEqual([{ cause: 'Admin-Reset' }]);
  });
});
