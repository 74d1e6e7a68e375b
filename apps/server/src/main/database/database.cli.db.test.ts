import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { makeOrganisation, type TestApp, testApp } from '../../testing/app.ts';
import { commandLine } from '../../testing/command-line.ts';
import { makeSim } from '../../testing/inventory.ts';
import { tablesBySim } from './distribution.ts';

let test: TestApp;
let directory: string;
let simcube: ReturnType<typeof commandLine>;

beforeAll(async () => {
  test = await testApp();
  directory = await mkdtemp(join(tmpdir(), 'simcube-db-'));
  simcube = commandLine(test, directory);
  const { id } = await makeOrganisation(test, { code: 'ACME' });
  await makeSim(test.database.pool, id, { lifecycle: 'active' });
  await test.database.pool.query('analyze sims');
});
afterAll(async () => {
  await test.close();
  await rm(directory, { recursive: true, force: true });
});

describe('simcube db status', () => {
  it('lists every table with its size, distribution and distribution column', async () => {
    const { out, failed } = await simcube.run(['db', 'status', '--json'], { readOnly: true });
    expect(failed).toBe(false);
    const { tables, nodes } = JSON.parse(out);
    const named = new Map<string, object>(tables.map((one: { table: string }) => [one.table, one]));
    expect(named.get('sims')).toMatchObject({ rows: 1, isDistributed: false, by: null });
    expect(named.get('sims')).toHaveProperty('why', 'ICCID, IMSI and MSISDN are unique among all SIMs');
    expect(named.get('cdrs')).toMatchObject({ by: 'sim_id', why: null });
    const servers = inject('databaseServers').length;
    // On a cluster the tests' tables are distributed, with one shard per worker.
    const isCluster = servers > 1;
    expect(named.get('cdrs')).toMatchObject({
      isDistributed: isCluster,
      shards: isCluster ? servers - 1 : 0,
    });
    // Partitions are not listed separately.
    expect([...named.keys()].filter((name) => name.startsWith('cdrs_'))).toEqual([]);
    expect(nodes).toHaveLength(isCluster ? servers : 0);
    const sizes = tables.map(({ bytes }: { bytes: number }) => bytes);
    expect(sizes).toEqual(sizes.toSorted((a: number, b: number) => b - a));
  });

  it('prints readable text without --json', async () => {
    const { out } = await simcube.run(['db', 'status']);
    expect(out).toMatch(/^PostgreSQL \d+.* MB\n/);
    const place =
      inject('databaseServers').length > 1
        ? /^cdrs +[\d.,]+ MB +.+ +by sim_id, \d+ shards +is distributed$/m
        : /^cdrs +[\d.,]+ MB +.+ +one server +can be distributed by sim_id$/m;
    expect(out).toMatch(place);
  });
});

describe('simcube db distribute', () => {
  it('prints the plan, or why nothing can be distributed', async () => {
    const { out, failed } = await simcube.run(['db', 'distribute', '--plan'], { readOnly: true });
    expect(failed).toBe(false);
    expect(out).toBe(
      inject('databaseServers').length > 1
        ? 'Nothing to do: all tables keyed by SIM are distributed over 2 workers.\n'
        : 'This database does not have Citus: its tables stay on one server\n',
    );
  });

  it('fails without Citus, and rejects invalid shard counts', async () => {
    for (const [shards, said] of [
      ['0', 'Must be at least 1.'],
      ['1025', 'Must be at most 1024.'],
      ['0x10', 'from 1 to 1024'],
    ] as const) {
      const { errors, failed } = await simcube.run(['db', 'distribute', '--shards', shards]);
      expect(failed).toBe(true);
      expect(errors).toContain(said);
    }
    if (inject('databaseServers').length === 1)
      expect(await simcube.run(['db', 'distribute'])).toMatchObject({ failed: true });
  });
});

describe('tables keyed by SIM', () => {
  it('have sim_id in each unique key, and no foreign keys', async () => {
    const { rows } = await test.database.pool.query<{ table: string; problem: string }>(
      `select t.name as table, problem.said as problem from unnest($1::text[]) as t (name)
       cross join lateral (
         select 'has no sim_id' as said where not exists (
           select from pg_attribute where attrelid = t.name::regclass and attname = 'sim_id' and not attisdropped)
         union all
         select 'unique without the SIM: ' || i.indexrelid::regclass from pg_index i
         where i.indrelid = t.name::regclass and i.indisunique and not exists (
           select from pg_attribute a where a.attrelid = i.indrelid and a.attnum = any(i.indkey) and a.attname = 'sim_id')
         union all
         select 'foreign key ' || conname from pg_constraint
         where contype = 'f' and (conrelid = t.name::regclass or confrelid = t.name::regclass)) as problem`,
      [tablesBySim],
    );
    expect(rows).toEqual([]);
  });
});
