import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Database, ensurePartitions, migrate } from '../../platform/db/index.ts';
import { joinNodes } from '../../testing/cluster.ts';
import { testDatabase } from '../../testing/database.ts';
import { readDatabaseState } from './database.views.ts';
import { distribute, NotSpreadable, planDistribution } from './distribute.service.ts';
import { tablesBySim } from './distribution.ts';
import { textOfPlan } from './distribution-plan.ts';

const migrations = fileURLToPath(new URL('../../../migrations', import.meta.url));
const servers = inject('databaseServers');
const isCluster = servers.length > 1;
/** An older version of the schema: what changed later is done with the tables spread. */
const olderUntil = '0200';

let database: Database;
let directory: string;
const said: string[] = [];
const options = { shards: 4, lockSeconds: 1, tries: 2, say: (line: string) => void said.push(line) };

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
  const older = (await readdir(migrations)).filter((name) => name < olderUntil);
  for (const name of older) await cp(join(migrations, name), join(directory, name));
  await migrate(database.pool, directory);
  const month = new Date('2026-11-01T00:00:00Z');
  await ensurePartitions(database.pool, month, month);
  await addRecords(1, 500);
});
afterAll(async () => {
  await database.close();
  await rm(directory, { recursive: true, force: true });
});

if (isCluster) {
  describe('tables that go by SIM, on a cluster', () => {
    it('are planned without anything being done', async () => {
      const plan = await planDistribution(database.pool);
      expect(plan).toMatchObject({ workers: servers.length - 1, tables: tablesBySim, beside: undefined });
      const { tables } = await readDatabaseState(database.pool);
      expect(textOfPlan(plan, tables, 4)).toContain(`  cdrs: `);
      expect(tables.filter(({ isDistributed }) => isDistributed)).toEqual([]);
    });

    it('stay as they are while another transaction writes them, and the rest is done when it is over', async () => {
      const [first] = tablesBySim;
      const writer = await database.pool.connect();
      try {
        await writer.query('begin');
        await writer.query(`lock table ${first} in row exclusive mode`);
        await expect(distribute(database.pool, options)).rejects.toThrow(NotSpreadable);
        expect((await planDistribution(database.pool)).tables).toEqual(tablesBySim);
      } finally {
        await writer.query('rollback');
        writer.release();
      }
      expect(said).toEqual([`${first}: locked by others for 1 s, trying again`]);
    });

    it('are spread with their rows, beside one another, and to repeat it changes nothing', async () => {
      await distribute(database.pool, options);
      expect(await count('cdrs')).toBe(500);
      await database.pool.query('analyze cdrs');
      const { tables, nodes } = await readDatabaseState(database.pool);
      const spread = tables.filter(({ isDistributed }) => isDistributed);
      expect(new Set(spread.map(({ table }) => table))).toEqual(new Set(tablesBySim));
      expect(new Set(spread.map(({ shards }) => shards))).toEqual(new Set([4]));
      expect(spread.find(({ table }) => table === 'cdrs')).toMatchObject({ rows: 500 });
      expect(nodes.filter(({ isCoordinator, shards }) => !isCoordinator && shards > 0)).toHaveLength(
        servers.length - 1,
      );
      const plan = await planDistribution(database.pool);
      expect(plan).toMatchObject({ tables: [], leftOver: [], functions: [] });
      expect(textOfPlan(plan, tables, 4)).toMatch(/^Nothing to do/);
      said.length = 0;
      await distribute(database.pool, options);
      expect(said).toEqual([]);
    });

    it('keep their rows and take new ones when a later version changes the schema', async () => {
      const applied = await migrate(database.pool, migrations);
      expect(applied).toContain('0210_sms_messages_of_sims.sql');
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
  describe('tables that go by SIM, on one server', () => {
    it('stay there, and the plan says why', async () => {
      await expect(planDistribution(database.pool)).rejects.toThrow(
        'This database has no Citus: its tables stay on one server',
      );
    });
  });
}
