import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, migrate } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { projectRoot } from '../../../testing/house/source-tree.ts';
import { makeSim } from '../../../testing/inventory.ts';

const migrations = join(projectRoot, 'apps/server/migrations');
let database: Database;
let directory: string;

beforeAll(async () => {
  database = await testDatabase({ empty: true });
  directory = await mkdtemp(join(tmpdir(), 'simcube-ownerships-'));
  for (const name of (await readdir(migrations)).filter((one) => one < '0042')) {
    await copyFile(join(migrations, name), join(directory, name));
  }
});
afterAll(async () => {
  await database.close();
  await rm(directory, { recursive: true, force: true });
});

const query = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows;

describe('transfers from before ownerships were stored', () => {
  it('are derived from the events of the SIMs, with the usage and orders of their time', async () => {
    await migrate(database.pool, directory);
    for (const table of ['cdrs', 'usage_hourly', 'usage_daily', 'sim_events']) {
      await query(
        `create table ${table}_2026_11 partition of ${table} for values from ('2026-11-01') to ('2026-12-01')`,
      );
    }
    const orgs = await query(
      `insert into organisations (code, name, country) values ('acme', 'Acme', 'DE'), ('branch', 'Branch', 'DE') returning id`,
    );
    const [acme = 0, branch = 0] = orgs.map(({ id }) => Number(id));
    const moved = await makeSim(database.pool, acme);
    const stayed = await makeSim(database.pool, acme);
    for (const [at, from, to] of [
      ['2026-11-20T10:20:00Z', 'acme', 'branch'],
      ['2026-11-21T08:00:00Z', 'branch', 'acme'],
    ]) {
      await query(
        `insert into sim_events (sim_id, at, org_id, kind, facts)
         select $1, $2, id, 'transferred', jsonb_build_object('from', $3::text, 'to', $4::text) from organisations`,
        [moved.id, at, from, to],
      );
    }
    await query(
      `insert into cdrs (sim_id, ended_at, dedupe_key, started_at, org_id, up_bytes, down_bytes, source) values
         ($1, '2026-11-20T10:10:00Z', 1, '2026-11-20T10:00:00Z', $2, 1, 2, 2),
         ($1, '2026-11-20T10:30:00Z', 2, '2026-11-20T10:20:00Z', $3, 10, 20, 2)`,
      [moved.id, acme, branch],
    );
    await query(
      `insert into usage_hourly (sim_id, hour_at, plmn, radio, up_bytes, down_bytes, records)
       values ($1, '2026-11-20T10:00:00Z', 0, 0, 11, 22, 2)`,
      [moved.id],
    );
    await query(
      `insert into bundles (code, name, sku, type, overage_policy, reset_cycle)
       values ('B', 'B', 'B', 'prepaid basic', 'stop', 'month')`,
    );
    await query(
      `insert into bundle_orders (sim_id, org_id, bundle_id, status, expires_at)
       select $1, $2, id, 'expired', at from bundles,
         unnest(array['2026-11-19', '2026-11-20T20:00:00Z', '2026-11-21T09:00:00Z']::timestamptz[]) as at`,
      [moved.id, acme],
    );

    await migrate(database.pool, migrations);
    const owners = await query(
      `select sim_id, org_id, since::text, until::text from (select * from sim_owners order by sim_id, number) as o`,
    );
    expect(owners.map(({ sim_id, org_id }) => [sim_id, org_id])).toEqual([
      [moved.id, acme],
      [moved.id, branch],
      [moved.id, acme],
      [stayed.id, acme],
    ]);
    expect(owners.at(-1)).toMatchObject({ since: '-infinity', until: 'infinity' });
    const used = await query(
      'select org_id, sum(up_bytes + down_bytes)::int as bytes from own_usage_hourly group by 1 order by 1',
    );
    expect(used).toEqual([
      { org_id: acme, bytes: 3 },
      { org_id: branch, bytes: 30 },
    ]);
    const orders = await query('select org_id, former_org_id from bundle_orders order by expires_at');
    expect(orders).toEqual([
      { org_id: acme, former_org_id: null },
      { org_id: null, former_org_id: branch },
      { org_id: acme, former_org_id: null },
    ]);
  });
});
