import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayMs } from '@simcube/contract/time';
import { openRadiusClient, radiusCode } from '@simcube/radius';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, ensurePartitions } from '../../platform/db/index.ts';
import { vaultOf } from '../../platform/secrets/index.ts';
import { makeRule } from '../../testing/autoflow-rules.ts';
import { testDatabase } from '../../testing/database.ts';
import { freeUdpPort } from '../../testing/free-ports.ts';
import { ageClaims } from '../../testing/jobs.ts';
import {
  accountingAttributes,
  radiusInventory,
  radiusKey,
  radiusSecret,
  type TestSims,
} from '../../testing/radius.ts';
import { killServer, startServerProcess } from '../../testing/server-process.ts';

const simCount = 150;
const soon = { interval: 20, timeout: 30_000 };

let database: Database;
let sims: TestSims;
let directory: string;
let receiver: Server;
/** Ids of the requests received, by SIM. */
const received = new Map<string, Set<string>>();

beforeAll(async () => {
  database = await testDatabase();
  directory = await mkdtemp(join(tmpdir(), 'simcube-rules-'));
  const now = Date.now();
  await ensurePartitions(database.pool, new Date(now - dayMs), new Date(now + 2 * dayMs));
  sims = await radiusInventory(database, simCount);
  receiver = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { data } = JSON.parse(Buffer.concat(pieces).toString()) as { data: { iccid: string } };
      const ids = received.get(data.iccid) ?? new Set();
      received.set(data.iccid, ids.add(String(request.headers['webhook-id'])));
      response.writeHead(200).end();
    });
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  await makeRule(
    database.pool,
    { orgId: sims.orgId },
    {
      trigger: { kind: 'data-usage', period: 'day', threshold: { unit: 'KB', amount: 10 } },
      actions: [{ kind: 'api', group_id: String(await makeTarget()) }],
      armedAt: new Date(now - 1000),
    },
  );
});
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await rm(directory, { recursive: true, force: true });
  await database.close();
});

const makeTarget = async (): Promise<number> => {
  const { port } = receiver.address() as AddressInfo;
  const { rows } = await database.pool.query<{ id: number }>(
    `with made as (
       insert into notification_targets (org_id, kind, name, addresses) values ($1, 'api', 'Crossed', array[$2])
       returning id)
     insert into target_secrets (target_id, sealed, created_at) select id, $3, now() from made returning target_id as id`,
    [
      sims.orgId,
      `http://127.0.0.1:${port}/`,
      vaultOf(radiusKey).seal(`whsec_${Buffer.alloc(32, 7).toString('base64')}`),
    ],
  );
  return rows[0]?.id ?? 0;
};

/** Accounting and the worker, as in production. */
const startServer = (ports: { auth: number; acct: number }) =>
  startServerProcess({
    databaseUrl: database.url,
    directory,
    secretKey: radiusKey,
    roles: 'aaa,worker',
    env: {
      SIMCUBE_OUTBOUND_NETWORKS: '127.0.0.0/8',
      SIMCUBE_RADIUS_AUTH_PORT: String(ports.auth),
      SIMCUBE_RADIUS_ACCT_PORT: String(ports.acct),
    },
  });

/** Work claimed by a killed process is retried when its claim expires; this expires all claims now. */
const ageAll = async (): Promise<void> => {
  await ageClaims(database);
  await database.pool.query('update deliveries set due_at = now() where state = 0');
};

const countOf = async (rows: string): Promise<number> =>
  (await database.pool.query<{ count: number }>(`select count(*)::int as count from ${rows}`)).rows[0]
    ?.count ?? 0;
const passes = (rows: string, count: number) =>
  expect.poll(() => countOf(rows), soon).toBeGreaterThanOrEqual(count);

it('a rule fires once for each SIM that crossed, with one notification for each firing, despite crashes', {
  timeout: 90_000,
}, async () => {
  const ports = { auth: await freeUdpPort(), acct: await freeUdpPort() };
  const client = await openRadiusClient({
    host: '127.0.0.1',
    port: ports.acct,
    secret: Buffer.from(radiusSecret),
    window: simCount,
    initialTimeoutMs: 150,
    maxTimeoutMs: 600,
    maxRetransmissions: 100,
    maxDurationMs: 60_000,
  });
  const drive = async (index: number) => {
    for (const [step, up] of [0, 9 * 1024, 11 * 1024].entries()) {
      const packet = {
        imsi: sims.imsi(index),
        session: `${index}`,
        at: new Date(),
        ip: `10.9.0.${index}`,
        up,
      };
      const attributes = accountingAttributes(step === 0 ? 'start' : 'interim', packet);
      while (!(await client.send({ code: radiusCode.accountingRequest, attributes })).ok);
    }
  };
  let server = startServer(ports);
  const driving = Promise.all(sims.ids.map((_, index) => drive(index)));
  // While records are evaluated, while the rule acts, while requests are being sent.
  for (const reached of [
    () => passes('autoflow_firings', 1),
    () => passes('notifications', 1),
    () => expect.poll(() => received.size, soon).toBeGreaterThan(0),
  ]) {
    await reached();
    await killServer(server);
    await ageAll();
    server = startServer(ports);
  }
  await driving;
  await passes('deliveries where state = 1', simCount);
  const { retransmitted } = client.stats();
  await client.close();
  await killServer(server);

  expect(retransmitted).toBeGreaterThan(0);
  const { rows } = await database.pool.query(
    `select count(*)::int as firings, count(distinct sim_id)::int as sims, min(state) as state,
       (select count(*)::int from notifications) as notifications, (select count(*)::int from deliveries) as deliveries
     from autoflow_firings`,
  );
  expect(rows).toEqual([
    { firings: simCount, sims: simCount, state: 1, notifications: simCount, deliveries: simCount },
  ]);
  expect([...received.values()].map((ids) => ids.size)).toEqual(sims.ids.map(() => 1));
});
