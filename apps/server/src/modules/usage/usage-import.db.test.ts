import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool, PoolClient } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../platform/clock/index.ts';
import { type Database, inTransaction } from '../../platform/db/index.ts';
import { testDatabase } from '../../testing/database.ts';
import { runProgram } from '../../testing/run-program.ts';
import {
  cdrHeader,
  clearUsage,
  expectedUsage,
  fileOf,
  lineOf,
  makeUsageSims,
  someRecords,
  sourceOf,
  storedUsage,
  type UsageRecord,
  type UsageSim,
} from '../../testing/usage-records.ts';
import { addToPools } from '../pool/index.ts';
import { lockLive, moveSims } from '../sim/transfer/transfer.queries.ts';
import { fileSource, type ImportReport, importCdrs } from './index.ts';

const now = '2026-11-21T12:00:00.000Z';
const clock = new FixedClock(now);

let database: Database;
let folder: string;
let sims: Awaited<ReturnType<typeof makeUsageSims>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simcube-cdrs-'));
  database = await testDatabase();
  sims = await makeUsageSims(database.pool);
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => clearUsage(database.pool));

const records = (count: number): UsageRecord[] => someRecords(sims, count, clock.now());

const importText = (text: string | Buffer, chunkRows = 20): Promise<ImportReport> =>
  importCdrs({ countForPools: addToPools, pool: database.pool, clock, source: sourceOf(text), chunkRows });

describe('a file of usage records', () => {
  it('is counted exactly in records, hours, days, organisations and cycles', async () => {
    const all = records(300);
    const report = await importText(fileOf(all));
    expect(report).toMatchObject({ lines: 301, accepted: 300, duplicate: 0, refused: 0, known: false });
    const found = await storedUsage(database.pool);
    expect(found).toEqual(expectedUsage(all));
    expect(Object.keys(found.cycles).length).toBeGreaterThan(3);
  });

  it('is counted in the cycles of late records', async () => {
    const late = { sim: sims[0], mnc: 1, radio: 3, up: 5, down: 6 };
    const all = [
      { ...late, id: 'now', endedAt: Date.parse('2026-11-20T00:00:00Z') },
      // A cycle turns at midnight UTC+8.
      { ...late, id: 'last', endedAt: Date.parse('2026-10-31T15:59:59Z') },
      { ...late, id: 'first', endedAt: Date.parse('2026-10-31T16:00:00Z') },
    ];
    for (const record of all) await importText(fileOf([record]));
    const found = await storedUsage(database.pool);
    expect(found).toEqual(expectedUsage(all));
    expect(found.live).toEqual({ [`${sims[0].id} 2026-10-31T16:00:00.000Z`]: [22] });
    expect(found.cycles).toEqual({ [`${sims[0].id} 2026-09-30T16:00:00.000Z`]: [11] });
  });

  it('changes nothing when imported again, under any name', async () => {
    const file = fileOf(records(50));
    const first = await importText(file);
    const before = await storedUsage(database.pool);
    const again = await importCdrs({
      countForPools: addToPools,
      pool: database.pool,
      clock,
      source: { ...sourceOf(file), name: 'copy.csv' },
    });
    expect(again).toEqual({ ...first, file: 'copy.csv', known: true });
    expect(await storedUsage(database.pool)).toEqual(before);
  });

  it('reports records of another file, or repeated ones, as duplicates', async () => {
    const all = records(60);
    await importText(fileOf(all.slice(0, 40)));
    const report = await importText(`${fileOf(all.toReversed())}${lineOf(records(1)[0] as UsageRecord)}\n`);
    expect(report).toMatchObject({ accepted: 20, duplicate: 41, refused: 0 });
    expect(await storedUsage(database.pool)).toEqual(expectedUsage(all));
  });

  it('is added to existing and new hours and days', async () => {
    const all = records(300);
    const parts = [0, 1, 2].map((part) => all.filter((_, index) => index % 3 === part));
    for (const part of parts) expect(await importText(fileOf(part))).toMatchObject({ accepted: 100 });
    expect(await storedUsage(database.pool)).toEqual(expectedUsage(all));
  });

  it('identifies SIMs by ICCID, IMSI and MSISDN', async () => {
    const [sim] = sims;
    const lines = [sim.iccid, sim.imsi, sim.msisdn].map(
      (name, index) => `${name},r${index},1795230000,1,1,,,`,
    );
    expect(await importText([cdrHeader, ...lines].join('\r\n'))).toMatchObject({ accepted: 3, refused: 0 });
    expect((await storedUsage(database.pool)).live).toEqual({ [`${sim.id} 2026-10-31T16:00:00.000Z`]: [6] });
  });

  it('is imported except for bad lines, which are reported with number and reason', async () => {
    const iccid = sims[0].iccid;
    const at = '2026-11-20T00:00:00Z';
    const bad: [string, string][] = [
      ['x'.repeat(9000), 'line-too-long'],
      [`${iccid},"r,${at},1,1,262,01,4G`, 'quotes-unbalanced'],
      ['too,few', 'column-count'],
      [`,r,${at},1,1,262,01,4G`, 'identifier-missing'],
      [`${'8'.repeat(40)},r,${at},1,1,262,01,4G`, 'identifier-invalid'],
      [`8986009999999999999,r,${at},1,1,262,01,4G`, 'unknown-sim'],
      [`\0,r,${at},1,1,262,01,4G`, 'invisible-character'],
      [`${iccid},r,2026-02-30T00:00:00Z,1,1,262,01,4G`, 'time-invalid'],
      [`${iccid},r,2019-01-01T00:00:00Z,1,1,262,01,4G`, 'time-out-of-range'],
      [`${iccid},r,2026-11-21T12:06:00Z,1,1,262,01,4G`, 'time-out-of-range'],
      [`${iccid},r,${at},-1,1,262,01,4G`, 'bytes-invalid'],
      [`${iccid},r,${at},1,${2 ** 50},262,01,4G`, 'bytes-invalid'],
      [`${iccid},r,${at},1,1,2620,01,4G`, 'network-invalid'],
      [`${iccid},r,${at},1,1,262,01,9G`, 'radio-unknown'],
      [`${iccid},${'r'.repeat(300)},${at},1,1,262,01,4G`, 'text-too-long'],
    ];
    const good = records(2);
    const lines = [cdrHeader, ...good.map(lineOf), '', ...bad.map(([line]) => line)];
    const report = await importText(lines.join('\n'));
    expect(report).toMatchObject({ lines: lines.length, accepted: 2, duplicate: 0, refused: bad.length });
    expect(report.refusals).toEqual(bad.map(([, reason], index) => ({ line: index + 5, reason })));
    expect(await storedUsage(database.pool)).toEqual(expectedUsage(good));
  });

  it('is imported except for lines with damaged texts, which make no other line a duplicate', async () => {
    const [sim] = sims;
    const named = (apn: string, id = '') => `${sim.iccid},${id},2026-11-20T00:00:00Z,1,1,${apn}`;
    const good = ['iot.acme', 'öl.werk', '一號'];
    const lines = [
      'iccid,record_id,ended_at,up_bytes,down_bytes,apn',
      ...good.map((apn, index) => named(apn, `r${index}`)),
      named('iot\u200b.acme', 'r3'),
      named('iot\u0001', 'r4'),
    ].join('\n');
    // "Größe" in Windows-1252, and a truncated character.
    const damaged = [
      named('gr\u00f6\u00dfe', 'r5'),
      named('', 'r\u00f6'),
      named('iot\u00e4\u00b8', 'r6'),
    ].join('\n');
    const file = Buffer.concat([
      Buffer.from(`${lines}\n`),
      Buffer.from(`${damaged}\n`, 'latin1'),
      Buffer.from(named('', 'r7')),
    ]);
    const report = await importText(file);
    expect(report).toMatchObject({ lines: 10, accepted: 4, duplicate: 0, refused: 5 });
    expect(report.refusals).toEqual(
      ['invisible-character', 'invisible-character', 'not-utf8', 'not-utf8', 'not-utf8'].map(
        (reason, index) => ({ line: index + 5, reason }),
      ),
    );
    const { rows } = await database.pool.query('select apn from cdrs order by apn');
    expect(rows.map(({ apn }) => apn).toSorted()).toEqual([...good, null].toSorted());
  });

  it.each(['', '\n', 'iccid,up_bytes,down_bytes\n', 'ended_at,up_bytes,down_bytes\n', 'x'.repeat(10_000)])(
    'is refused whole without a header that can be used: %#',
    async (text) => {
      await expect(importText(text)).rejects.toMatchObject({ name: 'CdrFileRefused' });
      const { rows } = await database.pool.query('select count(*) from cdr_files');
      expect(rows[0].count).toBe(0);
    },
  );

  it.each([
    ['carriage returns alone', (file: string) => file.replaceAll('\n', '\r')],
    ['separated by semicolons', (file: string) => file.replaceAll(',', ';')],
    ['no header line', () => 'x'.repeat(10_000)],
  ])('is refused in words when it is not the CSV that is read: %s', async (words, spoilt) => {
    for (const count of [2, 500])
      await expect(importText(spoilt(fileOf(records(count))))).rejects.toThrow(words);
  });

  it('is counted up to the largest volumes', async () => {
    const most = 2 ** 42;
    const huge = Array.from({ length: 1500 }, (_, index) => ({
      ...(records(1)[0] as UsageRecord),
      id: `h${index}`,
      up: most,
      down: most,
    }));
    expect(await importText(fileOf(huge), 500)).toMatchObject({ accepted: 1500, refused: 0 });
    expect(await importText(fileOf(records(3)))).toMatchObject({ accepted: 3 });
    const { rows } = await database.pool.query('select used_bytes from sim_live where sim_id = $1', [
      sims[0].id,
    ]);
    expect(rows).toEqual([{ used_bytes: Number.MAX_SAFE_INTEGER }]);
  });
});

describe('a SIM that is transferred during an import', () => {
  /** @returns how many records of the file had been counted when the SIM moved */
  const transfer = (sim: UsageSim, from: number, to: number): Promise<number> =>
    inTransaction(database.pool, async (tx) => {
      await lockLive(tx, [sim.id]);
      const { rows } = await tx.query('select done_lines from cdr_files');
      await moveSims(tx, { simIds: [sim.id], from, to, at: clock.now() }, []);
      return Math.max(0, (rows[0]?.done_lines ?? 0) - 1);
    });

  it('counts for its former organisation until then and for the new one from then on', async () => {
    const [sim, , { orgId: otherId }] = sims;
    const all = records(400);
    const moves: { at: number; orgId: number }[] = [];
    const report = await importCdrs({
      countForPools: addToPools,
      pool: database.pool,
      clock,
      source: sourceOf(fileOf(all)),
      chunkRows: 20,
      onProgress: async ({ lines }) => {
        const [from, to] = moves.length % 2 === 0 ? [sim.orgId, otherId] : [otherId, sim.orgId];
        if (moves.length < 3 && lines > 100 * (moves.length + 1))
          moves.push({ at: await transfer(sim, from, to), orgId: to });
      },
    });
    expect(report).toMatchObject({ accepted: 400, duplicate: 0, refused: 0 });
    expect(moves).toHaveLength(3);
    const counted = all.map((record, index) => {
      const orgId = moves.findLast(({ at }) => at <= index)?.orgId ?? sim.orgId;
      return record.sim === sim ? { ...record, sim: { ...sim, orgId } } : record;
    });
    expect(await storedUsage(database.pool)).toEqual(expectedUsage(counted));
    const { rows } = await database.pool.query(
      `select org_id, count(*)::integer as records, sum(up_bytes)::float8 as up from cdrs group by org_id order by 1`,
    );
    expect(rows).toEqual(
      [sim.orgId, otherId].map((orgId) => {
        const own = counted.filter((record) => record.sim.orgId === orgId);
        return { org_id: orgId, records: own.length, up: own.reduce((sum, { up }) => sum + up, 0) };
      }),
    );
    await transfer(sim, otherId, sim.orgId);
  });
});

describe('chunks that are written at the same time', () => {
  /** The pool, with the error codes of failed statements. */
  const watched = (): { pool: Pool; failures: unknown[] } => {
    const failures: unknown[] = [];
    const watch = (client: PoolClient): PoolClient =>
      new Proxy(client, {
        get: (of, name) => {
          const value: unknown = Reflect.get(of, name);
          if (typeof value !== 'function') return value;
          return (...args: unknown[]): unknown => {
            const result: unknown = value.apply(of, args);
            if (result instanceof Promise) result.catch((error) => failures.push(error.code));
            return result;
          };
        },
      });
    const pool = new Proxy(database.pool, {
      get: (of, name) => {
        const value: unknown = Reflect.get(of, name);
        if (name === 'connect') return async () => watch(await of.connect());
        return typeof value === 'function' ? value.bind(of) : value;
      },
    });
    return { pool, failures };
  };

  it('do not deadlock', async () => {
    const all = records(1500);
    const { pool, failures } = watched();
    const source = sourceOf(fileOf(all));
    expect(await importCdrs({ countForPools: addToPools, pool, clock, source, chunkRows: 20 })).toMatchObject(
      { accepted: 1500 },
    );
    expect(failures).toEqual([]);
    expect(await storedUsage(database.pool)).toEqual(expectedUsage(all));
  });
});

describe('imports at the same time', () => {
  it('of one file count each record once', async () => {
    const all = records(200);
    const results = await Promise.allSettled([importText(fileOf(all)), importText(fileOf(all))]);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ name: 'CdrFileRefused' });
    }
    expect(await importText(fileOf(all))).toMatchObject({ accepted: 200, duplicate: 0, known: true });
    expect(await storedUsage(database.pool)).toEqual(expectedUsage(all));
  });

  it('of files with the same records count each record once', async () => {
    const all = records(400);
    const orders = [all, all.toReversed(), [...all.slice(200), ...all.slice(0, 200)]];
    const reports = await Promise.all(orders.map((order) => importText(fileOf(order))));
    const sum = (pick: (report: ImportReport) => number) =>
      reports.reduce((total, report) => total + pick(report), 0);
    expect(sum(({ accepted }) => accepted)).toBe(400);
    expect(sum(({ duplicate }) => duplicate)).toBe(800);
    expect(await storedUsage(database.pool)).toEqual(expectedUsage(all));
  });
});

describe('a process that is killed during an import', () => {
  /** A commit that was sent may be in progress briefly after its sender's death. */
  const connectionsOver = async (): Promise<void> => {
    const { rows } = await database.pool.query(
      `select count(*)::integer as count from pg_stat_activity
       where datname = current_database() and application_name = 'cdr import steps'`,
    );
    if (rows[0].count > 0) await connectionsOver();
  };

  it('leaves complete chunks, and the next one continues there', { timeout: 240_000 }, async () => {
    const all = records(300);
    const path = join(folder, 'killed.csv');
    await writeFile(path, fileOf(all));
    const deaths: [step: string, count: number][] = [
      // The first three statements register the file.
      ['statement', 3],
      ['statement', 6],
      ['statement', 11],
      ['before-commit', 4],
      ['after-commit', 2],
      ['chunk', 2],
      ['statement', 18],
    ];
    let before = 0;
    for (const [step, count] of deaths) {
      const end = await runProgram('cdr-import-steps', [database.url, path, now, step, String(count)]);
      expect(end).toBe('SIGKILL');
      await connectionsOver();
      const { rows } = await database.pool.query('select done_lines, accepted from cdr_files');
      const [file] = rows as [{ done_lines: number; accepted: number } | undefined];
      const { done_lines: lines, accepted } = file ?? { done_lines: 0, accepted: 0 };
      expect(accepted).toBe(Math.max(0, lines - 1));
      expect(accepted).toBeGreaterThanOrEqual(before);
      expect(await storedUsage(database.pool)).toEqual(expectedUsage(all.slice(0, accepted)));
      before = accepted;
    }
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(300);
    const report = await importCdrs({
      countForPools: addToPools,
      pool: database.pool,
      clock,
      source: await fileSource(path),
    });
    expect(report).toMatchObject({ lines: 301, accepted: 300, duplicate: 0, refused: 0, known: false });
    expect(await storedUsage(database.pool)).toEqual(expectedUsage(all));
  });
});
