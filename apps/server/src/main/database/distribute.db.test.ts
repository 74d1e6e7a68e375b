import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { FixedClock } from '../../platform/clock/index.ts';
import { type Database, ensurePartitions, migrate } from '../../platform/db/index.ts';
import { joinNodes } from '../../testing/cluster.ts';
import { testDatabase } from '../../testing/database.ts';
import { moveRecorder } from './database.cli.ts';
import { readDatabaseState } from './database.views.ts';
import { distribute, NotDistributable, planDistribution } from './distribute.service.ts';
import { tablesBySim } from './distribution.ts';
import { renderPlan } from './distribution-plan.ts';

const migrations = fileURLToPath(new URL('../../../migrations', import.meta.url));
const servers = inject('databaseServers');
const isCluster = servers.length > 1;

let database: Database;
let directory: string;
const messages: string[] = [];
const options = {
  shards: 4,
  lockSeconds: 1,
  maxAttempts: 3,
  pauseSeconds: 0.05,
  say: (line: string) => void messages.push(line),
  record: moveRecorder(new FixedClock('2026-11-21T12:00:00Z')),
};

/** Other transactions that are still open. */
const others = new Set<pg.Client>();

const openTransaction = async (statement: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: database.url, application_name: 'busy' });
  others.add(client);
  await client.connect();
  await client.query('begin');
  await client.query(statement);
  return client;
};

const endTransaction = async (client: pg.Client): Promise<void> => {
  if (others.delete(client)) await client.end();
};

const count = async (table: string): Promise<number> => {
  const { rows } = await database.pool.query<{ count: number }>(`select count(*)::int from ${table}`);
  return rows[0]?.count ?? 0;
};

const addRecords = async (from: number, to: number): Promise<void> => {
  await database.pool.query(
    `insert into cdrs (sim_id, ended_at, dedupe_key, started_at, org_id, plmn, up_bytes, down_bytes, session_key, radio,
       apn, cell, source)
     select n, '2026-11-20T10:00:00Z', n, '2026-11-20T09:00:00Z', 1, 26201, n, n, n, 6, null, null, 1
     from generate_series($1::int, $2::int) as n`,
    [from, to],
  );
};

beforeAll(async () => {
  database = await testDatabase({ empty: true });
  directory = await mkdtemp(join(tmpdir(), 'simcube-older-'));
  if (!isCluster) return;
  await joinNodes(servers, new URL(database.url).pathname.slice(1));
  await migrate(database.pool, migrations);
  // As a previous version distributed it.
  await database.pool.query(
    `select create_distributed_table('radius_sessions', 'sim_id', colocate_with => 'none', shard_count => 4)`,
  );
  const month = new Date('2026-11-01T00:00:00Z');
  await ensurePartitions(database.pool, month, month);
  await addRecords(1, 500);
});
afterAll(async () => {
  for (const client of others) await endTransaction(client);
  await database.close();
  await rm(directory, { recursive: true, force: true });
});

if (isCluster) {
  describe('tables keyed by SIM, on a cluster', () => {
    it('are planned without changes', async () => {
      const plan = await planDistribution(database.pool);
      expect(plan).toMatchObject({
        workers: servers.length - 1,
        tables: tablesBySim,
        colocateWith: undefined,
        tablesToReturn: ['radius_sessions'],
      });
      const { tables } = await readDatabaseState(database.pool);
      const text = renderPlan(plan, tables, 4);
      expect(text).toContain(`  cdrs: `);
      expect(text).toContain('radius_sessions: moved back to the coordinator, ');
      const distributed = tables.filter(({ isDistributed }) => isDistributed);
      expect(distributed.map(({ table }) => table)).toEqual(['radius_sessions']);
    });

    it('are not distributed while another transaction locks them; the error names its process', async () => {
      const [first] = tablesBySim;
      const writer = await openTransaction(`lock table ${first} in row exclusive mode`);
      const [{ pid } = { pid: 0 }] = (await writer.query<{ pid: number }>('select pg_backend_pid() as pid'))
        .rows;
      const by = `busy, process ${pid}, in a transaction for \\d+ s`;
      const failure = distribute(database.pool, options);
      await expect(failure).rejects.toThrow(NotDistributable);
      await expect(failure).rejects.toThrow(
        new RegExp(`^${first} was locked at each of 3 attempts, most recently by ${by}`),
      );
      expect((await planDistribution(database.pool)).tables).toEqual(tablesBySim);
      expect(messages).toEqual([
        'radius_sessions: moved back to the coordinator',
        expect.stringMatching(new RegExp(`^${first}: locked by ${by}; attempt 2 of 3 in 0.05 s$`)),
        expect.stringMatching(new RegExp(`^${first}: locked by ${by}; attempt 3 of 3 in 0.1 s$`)),
      ]);
      await endTransaction(writer);
    });

    it('are distributed when the locking transaction ends before the last attempt', async () => {
      const [first] = tablesBySim;
      const writer = await openTransaction(`lock table ${first} in row exclusive mode`);
      const reader = await openTransaction(`select from ${first} limit 1`);
      messages.length = 0;
      // The writer ends while the copy waits, the reader while the coordinator's old rows are to be dropped.
      const ending = [writer, reader];
      const say = (line: string) => {
        messages.push(line);
        const next = line.includes('; attempt ') ? ending.shift() : undefined;
        if (next) endTransaction(next).catch((error: Error) => messages.push(error.message));
      };
      await distribute(database.pool, { ...options, say });
      const aboutFirst = messages.filter((line) => line.startsWith(`${first}:`));
      expect(aboutFirst).toEqual([
        expect.stringMatching(/attempt 2 of 3/),
        expect.stringMatching(/: distributed in /),
        expect.stringMatching(/attempt 2 of 3/),
        expect.stringMatching(/: dropped the rows /),
      ]);
    });

    it('are distributed with their rows and colocated, idempotently', async () => {
      await distribute(database.pool, options);
      expect(await count('cdrs')).toBe(500);
      await database.pool.query('analyze cdrs');
      const { tables, nodes } = await readDatabaseState(database.pool);
      const distributed = tables.filter(({ isDistributed }) => isDistributed);
      expect(new Set(distributed.map(({ table }) => table))).toEqual(new Set(tablesBySim));
      expect(new Set(distributed.map(({ shards }) => shards))).toEqual(new Set([4]));
      expect(distributed.find(({ table }) => table === 'cdrs')).toMatchObject({ rows: 500 });
      expect(nodes.filter(({ isCoordinator, shards }) => !isCoordinator && shards > 0)).toHaveLength(
        servers.length - 1,
      );
      const plan = await planDistribution(database.pool);
      expect(plan).toMatchObject({ tables: [], tablesWithLeftovers: [], functions: [] });
      expect(renderPlan(plan, tables, 4)).toMatch(/^Nothing to do/);
      messages.length = 0;
      for (const shards of [4, undefined]) await distribute(database.pool, { ...options, shards });
      expect(messages).toEqual([]);
      await expect(distribute(database.pool, { ...options, shards: 8 })).rejects.toThrow(
        'Tables are distributed in 4 shards already',
      );
    });

    it('are in the audit trail of the installation, once each', async () => {
      const { rows } = await database.pool.query(
        `select action, actor_kind, subject_kind, subject_name, after from audit_entries
         where org_id = 0 order by number`,
      );
      const by = { actor_kind: 'operator', subject_kind: 'installation' };
      expect(rows).toEqual([
        { ...by, action: 'database.table-returned', subject_name: 'radius_sessions', after: null },
        ...tablesBySim.map((subject_name) => ({
          ...by,
          action: 'database.table-distributed',
          subject_name,
          after: { shards: 4 },
        })),
      ]);
    });

    it('keep their rows and accept new ones after a later migration', async () => {
      for (const name of await readdir(migrations)) await cp(join(migrations, name), join(directory, name));
      const later = '9999_later.sql';
      await writeFile(join(directory, later), 'alter table cdrs add column later text;');
      expect(await migrate(database.pool, directory)).toEqual([later]);
      expect(await count('cdrs where later is null')).toBe(500);
      const december = new Date('2026-12-01T00:00:00Z');
      await ensurePartitions(database.pool, december, december);
      await addRecords(501, 600);
      expect(await count('cdrs')).toBe(600);
      const { rows } = await database.pool.query(
        `select result from run_command_on_workers(
           $$select count(*) from pg_class where relname ~ '^cdrs_2026_12_[0-9]{6,}$'$$)`,
      );
      expect(rows.map(({ result }) => Number(result))).toEqual([2, 2]);
    });
  });
} else {
  describe('tables keyed by SIM, on one server', () => {
    it('are not distributed, and the plan says why', async () => {
      await expect(planDistribution(database.pool)).rejects.toThrow(
        'This database does not have Citus: its tables stay on one server',
      );
    });
  });
}
