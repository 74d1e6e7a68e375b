import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { radioTypes } from '@simcube/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dashboardDays, usageDays } from '../../platform/clock/business-day.ts';
import { FixedClock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { testDatabase } from '../../testing/database.ts';
import { makeSim } from '../../testing/inventory.ts';
import { runProgram } from '../../testing/run-program.ts';
import { fileSource, type ImportReport, importCdrs } from './index.ts';

const now = '2026-11-21T12:00:00.000Z';
const clock = new FixedClock(now);
const hourMs = 3_600_000;

let database: Database;
let folder: string;
let sims: { id: number; iccid: string; imsi: string; orgId: number; msisdn: string }[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simcube-cdrs-'));
  database = await testDatabase();
  const { rows } = await database.pool.query<{ id: number }>(
    `insert into organisations (code, name, country)
     values ('acme', 'Acme Mobility', 'DE'), ('other', 'Other Limited', 'FR') returning id`,
  );
  const [acme = 0, other = 0] = rows.map(({ id }) => id);
  sims = await Promise.all(
    [acme, acme, other].map(async (orgId, index) => {
      const msisdn = `49152000${index}`;
      return { ...(await makeSim(database.pool, orgId, { msisdn })), orgId, msisdn };
    }),
  );
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => emptyStore());

const emptyStore = async () => {
  await database.pool.query(`truncate cdrs, usage_hourly, usage_daily, org_usage_hourly, org_usage_daily,
    usage_cycles, cdr_files, cdr_file_refusals, outbox`);
  await database.pool.query(
    `update sim_live set used_bytes = 0, cycle_started_at = null, cycle_ends_at = null`,
  );
};

interface UsageRecord {
  sim: number;
  id: string;
  endedAt: number;
  up: number;
  down: number;
  mnc: number;
  radio: number;
}

const header = 'identifier,record_id,ended_at,up_bytes,down_bytes,mcc,mnc,rat';
const lineOf = ({ sim, id, endedAt, up, down, mnc, radio }: UsageRecord): string => {
  const at = new Date(endedAt).toISOString();
  return `${sims[sim]?.iccid},${id},${at},${up},${down},262,0${mnc},${radioTypes[radio - 1]}`;
};
const fileOf = (records: readonly UsageRecord[]): string =>
  `${[header, ...records.map(lineOf)].join('\n')}\n`;

/** Records of all SIMs over eleven weeks, in no order: three cycles, several hours, networks and radio types. */
const someRecords = (count: number, prefix = 'r'): UsageRecord[] =>
  Array.from({ length: count }, (_, index) => ({
    sim: index % 3,
    id: `${prefix}${index}`,
    endedAt: Date.parse(now) - ((index * 7919) % 1800) * hourMs - (index % 7) * 1000,
    up: index + 1,
    down: 1000 * index,
    mnc: 1 + (index % 2),
    radio: 1 + (index % 3),
  }));

const sourceOf = (text: string | Buffer, piece = 512) => {
  const octets = Buffer.from(text);
  return {
    name: 'usage.csv',
    size: octets.length,
    hash: createHash('sha256').update(octets).digest(),
    async *open(from: number) {
      for (let at = from; at < octets.length; at += piece) yield octets.subarray(at, at + piece);
    },
  };
};

const take = (text: string | Buffer, chunkRows = 20): Promise<ImportReport> =>
  importCdrs({ pool: database.pool, clock, source: sourceOf(text), chunkRows });

type Sums = Record<string, number[]>;

interface Totals {
  cdrs: number;
  hours: Sums;
  days: Sums;
  orgHours: Sums;
  orgDays: Sums;
  live: Sums;
  cycles: Sums;
}

const addTo = (sums: Sums, key: string, values: readonly number[]): void => {
  const before = sums[key];
  sums[key] = values.map((value, index) => value + (before?.[index] ?? 0));
};

/** What the store must hold after those records, worked out one by one. */
const wantedOf = (records: readonly UsageRecord[]): Totals => {
  const wanted: Totals = { cdrs: 0, hours: {}, days: {}, orgHours: {}, orgDays: {}, live: {}, cycles: {} };
  const perCycle = new Map<number, Map<string, number>>(sims.map(({ id }) => [id, new Map()]));
  for (const { sim, endedAt, up, down, mnc, radio } of records) {
    const { id = 0, orgId = 0 } = sims[sim] ?? {};
    const at = new Date(endedAt);
    const hour = new Date(endedAt - (endedAt % hourMs)).toISOString();
    const where = `${262_000 + mnc} ${radio}`;
    wanted.cdrs += 1;
    addTo(wanted.hours, `${id} ${hour} ${where}`, [up, down, 1]);
    addTo(wanted.days, `${id} ${usageDays.dayOf(at)} ${where}`, [up, down, 1]);
    addTo(wanted.orgHours, `${orgId} ${hour} ${where}`, [up, down, 1]);
    addTo(wanted.orgDays, `${orgId} ${dashboardDays.dayOf(at)} ${where}`, [up, down, 1]);
    const cycle = dashboardDays.startOfMonth(dashboardDays.monthOf(at)).toISOString();
    const cycles = perCycle.get(id);
    cycles?.set(cycle, (cycles.get(cycle) ?? 0) + up + down);
  }
  for (const [id, cycles] of perCycle) {
    const [running, ...closed] = [...cycles].sort(([a], [b]) => b.localeCompare(a));
    if (running) addTo(wanted.live, `${id} ${running[0]}`, [running[1]]);
    for (const [start, used] of closed) addTo(wanted.cycles, `${id} ${start}`, [used]);
  }
  return wanted;
};

const stored = async (): Promise<Totals> => {
  const sums = async (text: string): Promise<Sums> => {
    const { rows } = await database.pool.query<(string | number | Date)[]>({ text, rowMode: 'array' });
    return Object.fromEntries(
      rows.map((row) => {
        const split = row.indexOf('|');
        const key = row.slice(0, split).map((value) => (value instanceof Date ? value.toISOString() : value));
        return [key.join(' '), row.slice(split + 1).map(Number)];
      }),
    );
  };
  const rollup = (table: string, owner: string, time: string) =>
    sums(`select ${owner}, ${time}, plmn, radio, '|', up_bytes, down_bytes, records from ${table}`);
  const { rows } = await database.pool.query('select count(*) from cdrs where source = 2');
  return {
    cdrs: rows[0].count,
    hours: await rollup('usage_hourly', 'sim_id', 'hour_at'),
    days: await rollup('usage_daily', 'sim_id', 'day_on'),
    orgHours: await rollup('org_usage_hourly', 'org_id', 'hour_at'),
    orgDays: await rollup('org_usage_daily', 'org_id', 'day_on'),
    live: await sums(
      `select sim_id, cycle_started_at, '|', used_bytes from sim_live where cycle_started_at is not null`,
    ),
    cycles: await sums(`select sim_id, cycle_started_at, '|', used_bytes from usage_cycles`),
  };
};

describe('a file of usage records', () => {
  it('adds up exactly in records, hours, days, organisations and cycles', async () => {
    const records = someRecords(300);
    const report = await take(fileOf(records));
    expect(report).toMatchObject({ lines: 301, accepted: 300, duplicate: 0, refused: 0, known: false });
    const found = await stored();
    expect(found).toEqual(wantedOf(records));
    expect(Object.keys(found.cycles).length).toBeGreaterThan(3);
  });

  it('counts late records in the cycle that they belong to', async () => {
    const late = { sim: 0, mnc: 1, radio: 3, up: 5, down: 6 };
    const records = [
      { ...late, id: 'now', endedAt: Date.parse('2026-11-20T00:00:00Z') },
      // A cycle turns at midnight UTC+8.
      { ...late, id: 'last', endedAt: Date.parse('2026-10-31T15:59:59Z') },
      { ...late, id: 'first', endedAt: Date.parse('2026-10-31T16:00:00Z') },
    ];
    for (const record of records) await take(fileOf([record]));
    const found = await stored();
    expect(found).toEqual(wantedOf(records));
    expect(found.live).toEqual({ [`${sims[0]?.id} 2026-10-31T16:00:00.000Z`]: [22] });
    expect(found.cycles).toEqual({ [`${sims[0]?.id} 2026-09-30T16:00:00.000Z`]: [11] });
  });

  it('changes nothing when it is given again, under whatever name', async () => {
    const file = fileOf(someRecords(50));
    const first = await take(file);
    const before = await stored();
    const again = await importCdrs({
      pool: database.pool,
      clock,
      source: { ...sourceOf(file), name: 'copy.csv' },
    });
    expect(again).toEqual({ ...first, file: 'copy.csv', known: true });
    expect(await stored()).toEqual(before);
  });

  it('tells records that another file brought, or that stand twice, as duplicates', async () => {
    const records = someRecords(60);
    await take(fileOf(records.slice(0, 40)));
    const report = await take(`${fileOf(records.toReversed())}${lineOf(someRecords(1)[0] as UsageRecord)}\n`);
    expect(report).toMatchObject({ accepted: 20, duplicate: 41, refused: 0 });
    expect(await stored()).toEqual(wantedOf(records));
  });

  it('finds SIMs by ICCID, IMSI and MSISDN', async () => {
    const [sim] = sims;
    const lines = [sim?.iccid, sim?.imsi, sim?.msisdn].map(
      (name, index) => `${name},r${index},1795230000,1,1,,,`,
    );
    expect(await take([header, ...lines].join('\r\n'))).toMatchObject({ accepted: 3, refused: 0 });
    expect((await stored()).live).toEqual({ [`${sim?.id} 2026-10-31T16:00:00.000Z`]: [6] });
  });

  it('refuses each bad line with its number and the reason, and takes the others', async () => {
    const iccid = sims[0]?.iccid;
    const at = '2026-11-20T00:00:00Z';
    const bad: [string, string][] = [
      ['x'.repeat(9000), 'line-too-long'],
      [`${iccid},"r,${at},1,1,262,01,4G`, 'quotes-unbalanced'],
      ['too,few', 'column-count'],
      [`,r,${at},1,1,262,01,4G`, 'identifier-missing'],
      [`${'8'.repeat(40)},r,${at},1,1,262,01,4G`, 'identifier-invalid'],
      [`8986009999999999999,r,${at},1,1,262,01,4G`, 'unknown-sim'],
      [`\0,r,${at},1,1,262,01,4G`, 'unknown-sim'],
      [`${iccid},r,2026-02-30T00:00:00Z,1,1,262,01,4G`, 'time-invalid'],
      [`${iccid},r,2019-01-01T00:00:00Z,1,1,262,01,4G`, 'time-out-of-range'],
      [`${iccid},r,2026-11-21T12:06:00Z,1,1,262,01,4G`, 'time-out-of-range'],
      [`${iccid},r,${at},-1,1,262,01,4G`, 'bytes-invalid'],
      [`${iccid},r,${at},1,${2 ** 50},262,01,4G`, 'bytes-invalid'],
      [`${iccid},r,${at},1,1,2620,01,4G`, 'network-invalid'],
      [`${iccid},r,${at},1,1,262,01,9G`, 'radio-unknown'],
      [`${iccid},${'r'.repeat(300)},${at},1,1,262,01,4G`, 'text-too-long'],
    ];
    const good = someRecords(2);
    const lines = [header, ...good.map(lineOf), '', ...bad.map(([line]) => line)];
    const report = await take(lines.join('\n'));
    expect(report).toMatchObject({ lines: lines.length, accepted: 2, duplicate: 0, refused: bad.length });
    expect(report.refusals).toEqual(bad.map(([, reason], index) => ({ line: index + 5, reason })));
    expect(await stored()).toEqual(wantedOf(good));
  });

  it.each(['', '\n', 'iccid,up_bytes,down_bytes\n', 'ended_at,up_bytes,down_bytes\n', 'x'.repeat(10_000)])(
    'is refused whole without a header that can be used: %#',
    async (text) => {
      await expect(take(text)).rejects.toMatchObject({ name: 'CdrFileRefused' });
      const { rows } = await database.pool.query('select count(*) from cdr_files');
      expect(rows[0].count).toBe(0);
    },
  );

  it('takes the largest volumes without an end for the SIM, however many', async () => {
    const most = 2 ** 42;
    const huge = Array.from({ length: 1500 }, (_, index) => ({
      ...(someRecords(1)[0] as UsageRecord),
      id: `h${index}`,
      up: most,
      down: most,
    }));
    expect(await take(fileOf(huge), 500)).toMatchObject({ accepted: 1500, refused: 0 });
    expect(await take(fileOf(someRecords(3)))).toMatchObject({ accepted: 3 });
    const { rows } = await database.pool.query('select used_bytes from sim_live where sim_id = $1', [
      sims[0]?.id,
    ]);
    expect(rows).toEqual([{ used_bytes: Number.MAX_SAFE_INTEGER }]);
  });
});

describe('imports at the same time', () => {
  it('of one file count it once', async () => {
    const records = someRecords(200);
    const results = await Promise.allSettled([take(fileOf(records)), take(fileOf(records))]);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ name: 'CdrFileRefused' });
    }
    expect(await take(fileOf(records))).toMatchObject({ accepted: 200, duplicate: 0, known: true });
    expect(await stored()).toEqual(wantedOf(records));
  });

  it('of files with the same records count each record once', async () => {
    const records = someRecords(400);
    const orders = [records, records.toReversed(), [...records.slice(200), ...records.slice(0, 200)]];
    const reports = await Promise.all(orders.map((order) => take(fileOf(order))));
    const sum = (pick: (report: ImportReport) => number) =>
      reports.reduce((all, report) => all + pick(report), 0);
    expect(sum(({ accepted }) => accepted)).toBe(400);
    expect(sum(({ duplicate }) => duplicate)).toBe(800);
    expect(await stored()).toEqual(wantedOf(records));
  });
});

describe('a process that is killed while it imports', () => {
  it('leaves whole chunks, and the next one goes on from there', async () => {
    const records = someRecords(300);
    const path = join(folder, 'killed.csv');
    await writeFile(path, fileOf(records));
    const deaths: [step: string, count: number][] = [
      ['statement', 3],
      ['statement', 8],
      ['before-commit', 3],
      ['after-commit', 1],
      ['chunk', 2],
      ['statement', 15],
    ];
    let before = 0;
    for (const [step, count] of deaths) {
      const end = await runProgram('cdr-import-steps', [database.url, path, now, step, String(count)]);
      expect(end).toBe('SIGKILL');
      const { rows } = await database.pool.query('select done_lines, accepted from cdr_files');
      const [{ done_lines: lines, accepted }] = rows as [{ done_lines: number; accepted: number }];
      expect(accepted).toBe(Math.max(0, lines - 1));
      expect(accepted).toBeGreaterThanOrEqual(before);
      expect(await stored()).toEqual(wantedOf(records.slice(0, accepted)));
      before = accepted;
    }
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(300);
    const report = await importCdrs({ pool: database.pool, clock, source: await fileSource(path) });
    expect(report).toMatchObject({ lines: 301, accepted: 300, duplicate: 0, refused: 0, known: false });
    expect(await stored()).toEqual(wantedOf(records));
  });
});

describe('rubbish', () => {
  it('is refused line by line, and what is accepted adds up', { timeout: 300_000 }, async () => {
    const field = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom(
        '"',
        '""',
        '\0',
        '-1',
        '1e9',
        'NaN',
        '9'.repeat(25),
        '2026-13-01T00:00:00Z',
        '4G',
        '262',
        '01',
      ),
      fc.nat().map(String),
    );
    const record = fc
      .record({
        sim: fc.nat({ max: 2 }),
        id: fc.stringMatching(/^[a-z]{0,3}$/),
        endedAt: fc.integer({ min: Date.parse('2026-08-01T00:00:00Z'), max: Date.parse(now) }),
        up: fc.integer({ min: 1, max: 2 ** 32 }),
        down: fc.nat({ max: 2 ** 32 }),
        mnc: fc.integer({ min: 1, max: 3 }),
        radio: fc.integer({ min: 1, max: radioTypes.length }),
      })
      .map((some) => lineOf(some).split(','));
    const spoilt = fc
      .tuple(record, fc.nat({ max: 7 }), field)
      .map(([fields, at, other]) => fields.with(at, other).join(','));
    const line = fc.oneof(
      { weight: 2, arbitrary: record.map((fields) => fields.join(',')) },
      { weight: 4, arbitrary: spoilt },
      { weight: 1, arbitrary: fc.array(field, { maxLength: 10 }).map((fields) => fields.join(',')) },
      {
        weight: 1,
        arbitrary: fc.uint8Array({ maxLength: 60 }).map((octets) => Buffer.from(octets).toString('latin1')),
      },
    );
    const total = { lines: 0, accepted: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 100, maxLength: 160, size: 'max' }), async (lines) => {
        const body = lines.join('\n');
        const { accepted, duplicate, refused, refusals } = await take(`${header}\n${body}`, 50);
        const held = body.split('\n').filter((text) => text !== '' && text !== '\r').length;
        expect(accepted + duplicate + refused).toBe(held);
        expect(refusals).toHaveLength(refused);
        total.lines += held;
        total.accepted += accepted;
        total.refused += refused;
      }),
      { numRuns: 300, endOnFailure: true },
    );
    expect(total.lines).toBeGreaterThan(30_000);
    expect(total.refused).toBeGreaterThan(5000);
    const { rows } = await database.pool.query(
      `with volumes as (select count(*) as records, sum(up_bytes) as up, sum(down_bytes) as down from cdrs),
         tables as (
           select 'hours' as name, up_bytes, down_bytes, records from usage_hourly union all
           select 'days', up_bytes, down_bytes, records from usage_daily union all
           select 'org hours', up_bytes, down_bytes, records from org_usage_hourly union all
           select 'org days', up_bytes, down_bytes, records from org_usage_daily)
       select v.records, (v.up + v.down) = (select sum(used) from (
           select used_bytes as used from sim_live union all select used_bytes from usage_cycles) c) as cycles,
         (select count(*) from (select name from tables group by name
           having (sum(up_bytes), sum(down_bytes), sum(records)) = (v.up, v.down, v.records)) t) as alike
       from volumes v`,
    );
    expect(rows).toEqual([{ records: total.accepted, cycles: true, alike: 4 }]);
  });
});
