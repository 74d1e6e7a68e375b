import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { limits } from '@simcube/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../platform/clock/index.ts';
import { type Database, ensurePartitions, partitionedTables } from '../../platform/db/index.ts';
import { createLog } from '../../platform/log/index.ts';
import { testDatabase } from '../../testing/database.ts';
import { makeBundle, makeSim } from '../../testing/inventory.ts';
import { dataState } from '../sim/index.ts';
import { oldestRetainedMonth, retentionMonths } from './index.ts';
import { usageJobs } from './usage.jobs.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
const log = createLog({ level: 'silent', format: 'json' });

let database: Database;
let acme: number;
let other: number;

beforeAll(async () => {
  database = await testDatabase();
  const { rows } = await database.pool.query<{ id: number }>(
    `insert into organisations (code, name, country)
     values ('acme', 'Acme Mobility', 'DE'), ('other', 'Other Limited', 'FR') returning id`,
  );
  [acme, other] = rows.map(({ id }) => id) as [number, number];
});
afterAll(() => database.close());
beforeEach(async () => {
  clock.set('2026-11-21T12:00:00Z');
  await database.pool.query(`truncate sims, sim_live, org_sim_counts, bundle_orders, usage_cycles, outbox,
    org_usage_hourly, org_usage_rank, org_daily_figures cascade`);
});

/** Runs the job with that name once, as the worker would. */
const run = async (
  name: string,
  { archiveDir, signal = new AbortController().signal }: { archiveDir?: string; signal?: AbortSignal } = {},
): Promise<void> => {
  const handler = usageJobs({ pool: database.pool, clock, archiveDir }).find(({ job }) => job.name === name);
  expect(handler, name).toBeDefined();
  await handler?.handle({}, { signal, log, attempt: 1 });
};

const rowsOf = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows;

describe('usage ranks', () => {
  const spoke = (orgId: number, hourAt: string) =>
    rowsOf('insert into org_usage_hourly values ($1, $2, 0, 0, 1, 1, 1) on conflict do nothing', [
      orgId,
      hourAt,
    ]);
  const rank = (orgId: number) =>
    rowsOf(
      `select r.position, s.iccid, r.used_bytes from org_usage_rank r join sims s on s.id = r.sim_id
       where r.org_id = $1 order by r.position`,
      [orgId],
    );

  it('contain the SIMs with the highest usage of each organisation', async () => {
    const sims = [];
    for (let index = 0; index < limits.usageRank + 3; index += 1) {
      sims.push(await makeSim(database.pool, acme, { usedBytes: 100 + index }));
    }
    await makeSim(database.pool, acme, { usedBytes: 0 });
    const foreign = await makeSim(database.pool, other, { usedBytes: 7 });
    await spoke(acme, '2026-11-21T11:00:00Z');
    await spoke(other, '2026-11-21T12:00:00Z');
    await run('usage.refresh-ranks');
    const expected = sims
      .map(({ iccid }, index) => ({ iccid, used_bytes: 100 + index }))
      .toReversed()
      .slice(0, limits.usageRank);
    expect(await rank(acme)).toEqual(expected.map((row, index) => ({ position: index + 1, ...row })));
    expect(await rank(other)).toEqual([{ position: 1, iccid: foreign.iccid, used_bytes: 7 }]);
  });

  it('follow usage, and drop SIMs whose cycle has ended', async () => {
    const first = await makeSim(database.pool, acme, { usedBytes: 10 });
    const second = await makeSim(database.pool, acme, { usedBytes: 5 });
    await spoke(acme, '2026-11-21T12:00:00Z');
    await run('usage.refresh-ranks');
    await rowsOf('update sim_live set used_bytes = 20 where sim_id = $1', [second.id]);
    clock.advance(300_000);
    await run('usage.refresh-ranks');
    expect((await rank(acme)).map(({ iccid }) => iccid)).toEqual([second.iccid, first.iccid]);
    await rowsOf('update sim_live set cycle_ends_at = $2 where sim_id = $1', [second.id, clock.now()]);
    clock.advance(300_000);
    await run('usage.refresh-ranks');
    expect(await rank(acme)).toEqual([{ position: 1, iccid: first.iccid, used_bytes: 10 }]);
  });

  it('include usage of older records and of SIMs that were transferred here', async () => {
    const sim = await makeSim(database.pool, acme, { usedBytes: 10 });
    await spoke(acme, '2026-11-21T09:00:00Z');
    await run('usage.refresh-ranks');
    expect(await rank(acme)).toEqual([{ position: 1, iccid: sim.iccid, used_bytes: 10 }]);
  });

  it('of organisations without recent usage are recomputed hourly', async () => {
    const sim = await makeSim(database.pool, acme, { usedBytes: 10 });
    await run('usage.refresh-ranks');
    await rowsOf('update sim_live set used_bytes = 0 where sim_id = $1', [sim.id]);
    clock.set('2026-11-21T12:59:59Z');
    await run('usage.refresh-ranks');
    expect(await rank(acme)).toHaveLength(1);
    clock.set('2026-11-21T13:00:00Z');
    await run('usage.refresh-ranks');
    expect(await rank(acme)).toEqual([]);
  });
});

it('daily figures are those of the current day (UTC+8), and are final after it', async () => {
  await makeSim(database.pool, acme, { overLimit: true, expiresAt: '2026-11-21T12:00:00Z' });
  await makeSim(database.pool, acme, { lifecycle: 'paused', expiresAt: '2026-11-21T11:59:59Z' });
  await makeSim(database.pool, acme, { expiresAt: '2027-01-05T11:59:59Z' });
  await makeSim(database.pool, acme, { expiresAt: '2027-01-05T12:00:00Z' });
  await makeSim(database.pool, acme, { expiresAt: '2027-01-05T12:00:01Z' });
  await makeSim(database.pool, acme, { lifecycle: 'terminated', expiresAt: '2026-12-01T00:00:00Z' });
  await run('usage.refresh-daily-figures');
  const figures = (orgId: number) =>
    rowsOf(
      `select day_on, total_sims, active_sims, overage_sims, expiring_sims from org_daily_figures
       where org_id = $1 order by 1`,
      [orgId],
    );
  const before = { day_on: '2026-11-21', total_sims: 6, active_sims: 4, overage_sims: 1, expiring_sims: 2 };
  expect(await figures(acme)).toEqual([before]);
  expect(await figures(other)).toEqual([
    { day_on: '2026-11-21', total_sims: 0, active_sims: 0, overage_sims: 0, expiring_sims: 0 },
  ]);
  await makeSim(database.pool, acme);
  clock.set('2026-11-21T15:59:59Z');
  await run('usage.refresh-daily-figures');
  expect(await figures(acme)).toMatchObject([{ total_sims: 7, active_sims: 5, overage_sims: 1 }]);
  clock.set('2026-11-21T16:00:00Z');
  await rowsOf('update sim_live set over_limit = false');
  await run('usage.refresh-daily-figures');
  expect(await figures(acme)).toMatchObject([
    { day_on: '2026-11-21', total_sims: 7, overage_sims: 1 },
    { day_on: '2026-11-22', total_sims: 7, overage_sims: 0 },
  ]);
});

describe('partitions', () => {
  const months = async (table: string): Promise<string[]> =>
    (
      await rowsOf(
        `select right(c.relname, 7) as month from pg_class c join pg_inherits i on i.inhrelid = c.oid
         join pg_class p on p.oid = i.inhparent where p.relname = $1 order by 1`,
        [table],
      )
    ).map(({ month }) => month);

  it('exist for three months ahead, whenever the job runs', async () => {
    clock.set('2027-11-30T23:59:59Z');
    await run('usage.keep-partitions');
    await run('usage.keep-partitions');
    for (const table of partitionedTables) {
      const expected = ['2027_11', '2027_12', '2028_01', '2028_02'];
      expect(await months(table), table).toEqual(expect.arrayContaining(expected));
    }
  });

  it('are dropped after the retention time of each table', async () => {
    clock.set('2028-03-01T00:00:00Z');
    await run('usage.keep-partitions');
    const open = {
      dropped: (await makeSim(database.pool, acme)).id,
      retained: (await makeSim(database.pool, acme)).id,
    };
    await database.pool.query(
      `update sim_live set open_hour_at = v.at, open_plmn = 262002, open_radio = 3, open_up_bytes = 10,
         open_down_bytes = 20, open_records = 4
       from (values ($1::bigint, timestamptz '2026-12-31T23:00:00Z'), ($2, '2027-02-01T00:00:00Z')) as v (id, at)
       where sim_id = v.id`,
      [open.dropped, open.retained],
    );
    const usedThen = `select day_on::text, (up_bytes + down_bytes)::float8 as bytes, records from sim_usage_daily
      where sim_id = $1 and day_on >= '2026-12-01'`;
    await run('usage.drop-old-partitions');
    for (const table of partitionedTables) {
      const first = new Date(Date.UTC(2028, 2 - retentionMonths[table], 1))
        .toISOString()
        .slice(0, 7)
        .replace('-', '_');
      const remaining = await months(table);
      expect(
        remaining.filter((month) => month < first),
        table,
      ).toEqual([]);
      expect(remaining.at(-1), table).toBe('2028_06');
      expect(remaining, table).toContain('2028_03');
    }
    // Open hours of the dropped month are now in their days.
    expect(await rowsOf('select sim_id, open_records from sim_live where open_hour_at is not null')).toEqual([
      { sim_id: open.retained, open_records: 4 },
    ]);
    expect(await rowsOf(usedThen, [open.dropped])).toEqual([{ day_on: '2026-12-31', bytes: 30, records: 4 }]);
    expect((await months('cdrs'))[0]).toBe('2027_02');
    expect((await months('usage_daily'))[0]).toBe('2026_01');
    expect((await oldestRetainedMonth(database.pool, clock.now())).toISOString()).toBe(
      '2027-02-01T00:00:00.000Z',
    );
  });
});

it('hours and days in which SIMs were transferred are dropped together with the others, so that no usage is negative', async () => {
  clock.set('2028-03-01T00:00:00Z');
  const sim = await makeSim(database.pool, acme);
  const times = ['2025-01-31T10:20:00Z', '2027-01-31T10:20:00Z', '2027-02-01T10:20:00Z'];
  await rowsOf(
    `insert into sim_ownerships (sim_id, number, org_id, since, until)
     select $1, n - 1, case when n % 2 = 0 then $2::bigint else $3 end, '-infinity', at from unnest($4::timestamptz[])
       with ordinality as t (at, n)`,
    [sim.id, acme, other, times],
  );
  await rowsOf(
    `insert into usage_handovers (sim_id, number, unit, starts_at, plmn, radio, up_bytes, down_bytes)
     select sim_id, number, unit, date_trunc(unit, until, 'UTC'), 0, 0, 5, 0
     from sim_ownerships cross join (values ('hour'), ('day')) as u (unit) where sim_id = $1`,
    [sim.id],
  );
  await run('usage.drop-old-partitions');
  expect(
    await rowsOf('select number, unit from usage_handovers where sim_id = $1 order by 1, 2', [sim.id]),
  ).toEqual([
    { number: 1, unit: 'day' },
    { number: 2, unit: 'day' },
    { number: 2, unit: 'hour' },
  ]);
});

describe('months that are archived before they are dropped', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'simcube-archive-'));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  const job = 'usage.drop-old-partitions';
  const remaining = async () =>
    (await rowsOf(`select relname from pg_class where relname like 'leaving%' and relkind = 'r'`)).length;
  const record = (simId: number, endedAt: string, apn: string) =>
    rowsOf(
      `insert into cdrs (sim_id, ended_at, dedupe_key, started_at, org_id, up_bytes, down_bytes, source, apn)
       values ($1, $2, 7, $2, $3, 10, 20, 1, $4)`,
      [simId, endedAt, acme, apn],
    );
  const contentOf = async (name: string) =>
    gunzipSync(await readFile(join(directory, name)))
      .toString()
      .split('\n');

  it('are files with every record, readable only by their owner, and are written again after a failure', async () => {
    clock.set('2028-04-05T00:00:00Z');
    await ensurePartitions(database.pool, new Date('2027-02-01'), new Date('2027-03-31'));
    const sim = await makeSim(database.pool, acme);
    await record(sim.id, '2027-02-07T12:00:00Z', 'iot, "quoted"\nline');
    await record(sim.id, '2027-02-08T12:00:00Z', 'm2m');
    await record(sim.id, '2027-03-01T00:00:00Z', 'kept');

    // Its directory can't be created: nothing is lost, and readers no longer see expired months.
    const taken = join(directory, 'taken');
    await writeFile(taken, '');
    await expect(run(job, { archiveDir: join(taken, 'below') })).rejects.toThrow(/ENOTDIR/);
    expect(await rowsOf('select apn from cdrs')).toEqual([{ apn: 'kept' }]);
    const waiting = await remaining();
    expect(waiting).toBeGreaterThan(0);

    // Aborted, and run by a process without the setting: unchanged.
    await expect(run(job, { archiveDir: directory, signal: AbortSignal.abort() })).rejects.toThrow();
    await run(job);
    expect(await remaining()).toBe(waiting);
    expect((await readdir(directory)).filter((name) => name.endsWith('.gz'))).toEqual([]);

    await run(job, { archiveDir: directory });
    expect(await remaining()).toBe(0);
    const [heading = '', ...lines] = await contentOf('cdrs_2027_02.left-2028-04-05.csv.gz');
    expect(heading).toMatch(/^sim_id,ended_at,dedupe_key,.*,iccid$/);
    expect(lines.join('\n')).toContain(`"iot, ""quoted""\nline"`);
    expect(lines.join('\n')).toContain(`2027-02-08 12:00:00+00,7,`);
    expect(lines.filter((line) => line.endsWith(`,${sim.iccid}`))).toHaveLength(2);
    expect((await stat(join(directory, 'cdrs_2027_02.left-2028-04-05.csv.gz'))).mode & 0o077).toBe(0);
    expect((await readdir(directory)).filter((name) => name.endsWith('.part'))).toEqual([]);

    // A late import recreates the month: its file is a different one.
    await ensurePartitions(database.pool, new Date('2027-02-01'), new Date('2027-02-28'));
    await record(sim.id, '2027-02-09T12:00:00Z', 'late');
    clock.set('2028-04-06T00:00:00Z');
    await run(job, { archiveDir: directory });
    expect((await contentOf('cdrs_2027_02.left-2028-04-06.csv.gz')).filter(Boolean)).toHaveLength(2);
    expect(await contentOf('cdrs_2027_02.left-2028-04-05.csv.gz')).toHaveLength(lines.length + 1);
  });
});

describe('cycles', () => {
  const live = async (simId: number) =>
    (
      await rowsOf(
        `select cycle_started_at, cycle_ends_at, used_bytes, threshold_bytes, over_limit, data_state, rate_kbps
         from sim_live where sim_id = $1`,
        [simId],
      )
    )[0];
  const november = { start: new Date('2026-10-31T16:00:00Z'), end: new Date('2026-11-30T16:00:00Z') };
  let sims = 0;
  const stopped = async () => {
    sims += 1;
    const bundleId = await makeBundle(database.pool, { code: `B${sims}` });
    const sim = await makeSim(database.pool, acme, {
      bundleId,
      activatedAt: '2026-03-01T00:00:00Z',
      usedBytes: 1200,
      limitBytes: 1000,
      overLimit: true,
    });
    await rowsOf(
      `update sim_live set cycle_started_at = $2, cycle_ends_at = $3, data_state = $4 where sim_id = $1`,
      [sim.id, november.start, november.end, dataState.stopped],
    );
    return sim;
  };

  it('of SIMs without updates end when due, and not before', async () => {
    const sim = await stopped();
    clock.set('2026-11-30T15:59:59Z');
    await run('usage.turn-cycles');
    expect(await live(sim.id)).toMatchObject({ used_bytes: 1200, cycle_ends_at: november.end });
    clock.set(november.end);
    await run('usage.turn-cycles');
    expect(await live(sim.id)).toEqual({
      cycle_started_at: november.end,
      cycle_ends_at: new Date('2026-12-31T16:00:00Z'),
      used_bytes: 0,
      threshold_bytes: 1000,
      over_limit: false,
      data_state: dataState.open,
      rate_kbps: null,
    });
    expect(await rowsOf('select * from usage_cycles')).toEqual([
      {
        sim_id: sim.id,
        cycle_started_at: november.start,
        cycle_ends_at: november.end,
        used_bytes: 1200,
        limit_bytes: 1000,
      },
    ]);
  });

  it('report once, when they end, that data is open again', async () => {
    const sim = await stopped();
    clock.set('2027-02-10T00:00:00Z');
    await run('usage.turn-cycles');
    await run('usage.turn-cycles');
    const payload = { simId: sim.id, iccid: sim.iccid, dataStateBefore: dataState.stopped };
    expect(await rowsOf('select topic, org_id, payload from outbox')).toEqual([
      { topic: 'usage.reopened', org_id: acme, payload },
    ]);
    expect(await live(sim.id)).toMatchObject({ cycle_started_at: new Date('2027-01-31T16:00:00Z') });
  });

  it('of more SIMs than fit in one transaction all end, once', async () => {
    await rowsOf(
      `with made as (insert into sims (org_id, iccid, imsi, lifecycle)
         select $1, '8949' || n, '26299' || n, 23 from generate_series(100000000, 100002300) n returning id)
       insert into sim_live (sim_id, org_id, cycle_started_at, cycle_ends_at, used_bytes)
       select id, $1, $2, $3, 5 from made`,
      [acme, november.start, november.end],
    );
    clock.set('2026-12-01T00:00:00Z');
    await Promise.all([run('usage.turn-cycles'), run('usage.turn-cycles')]);
    expect(await rowsOf('select count(*), sum(used_bytes)::int as used from usage_cycles')).toEqual([
      { count: 2301, used: 5 * 2301 },
    ]);
    expect(
      await rowsOf('select count(*) from sim_live where used_bytes > 0 or cycle_ends_at <= $1', [
        clock.now(),
      ]),
    ).toEqual([{ count: 0 }]);
  });
});
