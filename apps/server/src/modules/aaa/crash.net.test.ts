import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dayMs } from '@simcube/contract/time';
import { openRadiusClient, type RadiusClient, radiusCode } from '@simcube/radius';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, type Database, ensurePartitions, migrate } from '../../platform/db/index.ts';
import { type EmbeddedDatabase, startEmbedded } from '../../platform/embedded/index.ts';
import { createLog } from '../../platform/log/index.ts';
import { freeUdpPort } from '../../testing/free-ports.ts';
import { expectPoolsVerified, makePool, orderShared } from '../../testing/pools.ts';
import {
  accountingAttributes,
  allCounted,
  countedBytes,
  expectVerified,
  radiusInventory,
  radiusKey,
  radiusSecret,
  type TestSims,
} from '../../testing/radius.ts';
import { programPath } from '../../testing/run-program.ts';

const migrations = fileURLToPath(new URL('../../../migrations', import.meta.url));
const log = createLog({ level: 'silent', format: 'json' });

const simCount = 120;
const serverKills = 10;
/** Numbers of the server kills before which the database is killed, too. */
const databaseKills = new Set([3, 7]);

let directory: string;
let embedded: EmbeddedDatabase;
let database: Database;
let sims: TestSims;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'simcube-crash-'));
  await chmod(directory, 0o755);
  // As durable as in production, because this test kills it.
  embedded = await startEmbedded({ dataDir: directory, user: undefined, log });
  database = connect({ url: embedded.url, max: 4, name: 'crash test', onError: () => undefined });
  await migrate(database.pool, migrations);
  const now = Date.now();
  await ensurePartitions(database.pool, new Date(now - dayMs), new Date(now + 40 * dayMs));
  sims = await radiusInventory(database, simCount);
  // All in one pool, whose counters must be exact, too.
  const pool = await makePool(database.pool, sims.orgId, { now: new Date(now), quotaBytes: 2 ** 40 });
  await orderShared(
    database.pool,
    pool,
    sims.ids.map((_, index) => sims.iccid(index)),
    new Date(now),
  );
  await pool.enrol(sims.ids, new Date(now));
}, 120_000);

afterAll(async () => {
  await database.close();
  await embedded.stop();
  await rm(directory, { recursive: true, force: true });
});

const startServer = async (ports: readonly number[]): Promise<ChildProcess> => {
  const child = spawn(
    process.execPath,
    [programPath('intake-process'), embedded.url, radiusKey.toString('hex'), ...ports.map(String)],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  if (!child.stdout) throw new Error('The server has no output');
  const ready = await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(() => undefined)]);
  // It started while the database was down; the next one succeeds.
  return ready ? child : startServer(ports);
};

const kill = async (child: ChildProcess): Promise<void> => {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
};

/** Kills the database in the middle of its work: intake's backends first, then the server process. */
const killDatabase = async (): Promise<void> => {
  const { rows } = await database.pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name like 'simcube intake%'`,
  );
  const postmaster = embedded.pid();
  for (const pid of [...rows.map((row) => row.pid), postmaster]) if (pid) killHard(pid);
};

const killHard = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It had already ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

/** The gateway's side of one SIM: consecutive sessions with cumulative figures; each packet is sent until it is answered. */
const drive = async (client: RadiusClient, index: number, isOver: () => boolean) => {
  let counted = 0;
  for (let session = 0; !isOver(); session += 1) {
    // Short sessions: a lost interim is made up for by the next report, a lost stop by nothing.
    const packets = 1 + ((index + session) % 3);
    for (let step = 0; step <= packets; step += 1) {
      const [up, down] = [step * 1000 + index, step * 9000];
      const status = step === 0 ? 'start' : step === packets ? 'stop' : 'interim';
      const packet = {
        imsi: sims.imsi(index),
        session: `${index}-${session}`,
        at: new Date(),
        ip: `10.7.${index >> 8}.${index & 255}`,
      };
      const attributes = accountingAttributes(status, step === 0 ? packet : { ...packet, up, down });
      for (let acknowledged = false; !acknowledged; ) {
        acknowledged = (await client.send({ code: radiusCode.accountingRequest, attributes })).ok;
      }
      if (step === packets) counted += up + down;
    }
  }
  return counted;
};

/** Waits until more requests have been answered, so that kills come at moments unknown to the server. */
const answered = async (client: RadiusClient, more: number): Promise<void> => {
  const enough = client.stats().answered + more;
  await expect
    .poll(() => client.stats().answered, { interval: 5, timeout: 60_000 })
    .toBeGreaterThanOrEqual(enough);
};

it('every acknowledged record is counted once, whichever process is killed and when', {
  timeout: 120_000,
}, async () => {
  const acctPort = await freeUdpPort();
  let server = await startServer([0, acctPort]);
  const client = await openRadiusClient({
    host: '127.0.0.1',
    port: acctPort,
    secret: Buffer.from(radiusSecret),
    window: simCount,
    initialTimeoutMs: 150,
    maxTimeoutMs: 600,
    maxRetransmissions: 100,
    maxDurationMs: 60_000,
  });
  let over = false;
  const driving = Array.from({ length: simCount }, (_, index) => drive(client, index, () => over));
  for (let round = 0; round < serverKills; round += 1) {
    await answered(client, 100 + Math.floor(Math.random() * 900));
    if (databaseKills.has(round)) await killDatabase();
    await kill(server);
    server = await startServer([0, acctPort]);
  }
  await answered(client, 500);
  over = true;
  const acknowledged = (await Promise.all(driving)).reduce((sum, bytes) => sum + bytes, 0);
  const { sent, retransmitted } = client.stats();
  await client.close();
  await kill(server);

  expect(sent).toBeGreaterThan(1000);
  expect(retransmitted).toBeGreaterThan(50);
  expect(await countedBytes(database, sims.orgId)).toEqual(allCounted(acknowledged));
  await expectVerified(database);
  await expectPoolsVerified(database.pool);
  const { rows } = await database.pool.query(
    `select count(*) filter (where s.stopped_at is null)::integer as open,
       count(*) filter (where s.up_bytes + s.down_bytes <> c.bytes)::integer as wrong
     from radius_sessions s left join lateral (
       select coalesce(sum(up_bytes + down_bytes), 0) as bytes from cdrs
       where cdrs.sim_id = s.sim_id and cdrs.session_key = s.session_key) c on true`,
  );
  expect(rows).toEqual([{ open: 0, wrong: 0 }]);
});
