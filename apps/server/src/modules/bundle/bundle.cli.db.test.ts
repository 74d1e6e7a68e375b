import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleSpecSchema } from '@simcube/contract/bundle';
import { Command } from 'commander';
import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { FixedClock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { Failure } from '../../platform/http/index.ts';
import { bundleOf, testBundles } from '../../testing/bundles.ts';
import { testDatabase } from '../../testing/database.ts';
import { bundleCommands } from './bundle.cli.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
let database: Database;
let directory: string;
let org: Awaited<ReturnType<typeof testBundles>>;

beforeAll(async () => {
  database = await testDatabase();
  directory = await mkdtemp(join(tmpdir(), 'bundles-'));
  org = await testBundles(database, [bundleOf({ code: 'B30' })]);
});
afterAll(async () => {
  await database.close();
  await rm(directory, { recursive: true });
});
afterEach(() => vi.restoreAllMocks());

/** Runs `simcube bundles …` and returns what it printed. */
const bundles = (...args: string[]): Promise<string> => run(args, database.pool, []);

const run = async (args: readonly string[], pool: Pool, printed: string[]): Promise<string> => {
  for (const level of ['info', 'warn'] as const) {
    vi.spyOn(console, level).mockImplementation((line: string) => printed.push(line));
  }
  const program = new Command().exitOverride();
  bundleCommands(program, async () => ({ pool, clock, close: async () => undefined }));
  await program.parseAsync(['bundles', ...args], { from: 'user' });
  return printed.join('\n');
};
const file = async (name: string, content: string): Promise<string> => {
  await writeFile(join(directory, name), content);
  return join(directory, name);
};

describe('bundles import', () => {
  it('stores coverage and the amounts of the policies, once', async () => {
    const catalogue = await file(
      'catalogue.json',
      JSON.stringify([
        {
          code: 'EU',
          name: 'EU',
          sku: 'EU',
          type: 'postpaid flow',
          quota_bytes: 1000,
          overage_policy: 'billing then stop after',
          stop_after_bytes: 500,
          reset_cycle: 'month',
          out_of_coverage_policy: 'shut down',
          coverage_countries: ['DE', 'FR'],
        },
      ]),
    );
    expect(await bundles('import', catalogue)).toBe('1 created, 0 changed, 0 unchanged');
    expect(await bundles('import', catalogue)).toBe('0 created, 0 changed, 1 unchanged');
    const { rows } = await database.pool.query(
      `select coverage_countries, threshold_bytes, stop_after_bytes from bundles where code = 'EU'`,
    );
    expect(rows).toEqual([
      { coverage_countries: ['DE', 'FR'], threshold_bytes: null, stop_after_bytes: 500 },
    ]);
  });

  it('takes a file that begins with a byte order mark, and none that names a bundle twice', async () => {
    const write = (...own: object[]) =>
      file(
        'twice.json',
        `\uFEFF${JSON.stringify(own.map((one) => ({ ...bundleOf({ code: 'TWICE' }), ...one })))}`,
      );
    await expect(bundles('import', await write({}, { orderable: true }))).rejects.toThrow(
      'The file names bundle TWICE twice',
    );
    const repeated = JSON.stringify([bundleOf({ code: 'TWICE' })]).replace('{', '{"code":"ONCE",');
    await expect(bundles('import', await file('repeated.json', repeated))).rejects.toThrow(
      '"code" appears twice (line 1)',
    );
    expect(await bundles('import', await write({}))).toBe('1 created, 0 changed, 0 unchanged');
  });

  it('changes whether a bundle can be ordered, and nothing else of one that exists', async () => {
    const write = (own: object) =>
      file('offer.json', JSON.stringify([{ ...bundleOf({ code: 'OFFER' }), ...own }]));
    expect(await bundles('import', await write({}))).toBe('1 created, 0 changed, 0 unchanged');
    const report = await bundles('import', await write({ orderable: true }), '--json');
    expect(JSON.parse(report)).toEqual({ made: 0, changed: 1, unchanged: 0 });
    const { rows } = await database.pool.query(`select orderable from bundles where code = 'OFFER'`);
    expect(rows).toEqual([{ orderable: true }]);
    const trail = await database.pool.query(
      `select before, after from audit_entries where action = 'bundle.changed'`,
    );
    expect(trail.rows).toEqual([{ before: { orderable: false }, after: { orderable: true } }]);
    await expect(bundles('import', await write({ orderable: false, quota_bytes: 1 }))).rejects.toThrow(
      'There is already a different bundle OFFER',
    );
  });

  it.each([
    [{ overage_policy: 'billing and threshold' }, 'threshold_bytes'],
    [{ overage_policy: 'billing then stop after' }, 'stop_after_bytes'],
    [{ type: 'prepaid supplementary', quota_bytes: null }, 'quota_bytes'],
    [{ coverage_countries: ['DE', 'DE'] }, 'coverage_countries'],
    [{ coverage_countries: ['Germany'] }, 'coverage_countries'],
  ])('refuses %o for its %s', (own, path) => {
    const read = bundleSpecSchema.safeParse({ ...bundleOf({ code: 'X' }), ...own });
    expect(read.error?.issues.map((issue) => issue.path[0])).toEqual([path]);
  });
});

describe('bundles order', () => {
  it('places orders for the SIMs of a file, once for each sales order', async () => {
    const [a, b] = [await org.sim('active'), await org.sim('terminated')];
    const iccids = await file(
      'sims.csv',
      `ICCID,name\n${a.iccid},truck\n"${b.iccid}"\n89490200000000000009\n\n`,
    );
    const order = () => bundles('order', 'B30', '--iccids', iccids, '--sales-order', 'SO-9', '--count', '2');
    expect((await order()).split('\n')).toEqual([
      `${b.iccid}: a prepaid basic cannot be ordered for a SIM that is terminated`,
      '89490200000000000009: there is no such SIM',
      '2 placed, 2 SIMs refused',
    ]);
    expect(await order()).toContain('0 placed, 2 SIMs refused');
    expect(await org.state(a)).toMatchObject({ bundle: 'B30', expires_at: new Date('2027-01-20T12:00:00Z') });
  });

  it('reports what was ordered before an error, and the error itself', async () => {
    let transactions = 0;
    const failing = new Proxy(database.pool, {
      get: (of, name) => {
        const value: unknown = Reflect.get(of, name);
        if (name !== 'connect') return typeof value === 'function' ? value.bind(of) : value;
        return async () => {
          transactions += 1;
          if (transactions > 1) throw new Failure('CB-02-0001');
          return of.connect();
        };
      },
    });
    const sim = await org.sim('active');
    const unknown = Array.from({ length: 1000 }, (_, n) => `8949020000000${String(n).padStart(6, '0')}`);
    const iccids = await file('many.csv', [sim.iccid, ...unknown].join('\n'));
    const printed: string[] = [];
    const ordering = run(['order', 'B30', '--iccids', iccids], failing, printed);
    await expect(ordering).rejects.toThrow(Failure);
    expect(printed.at(-1)).toBe('1 placed, 999 SIMs refused');
  });

  it('reports what it can’t do', async () => {
    const good = await file('good.csv', '89490200000000000009\n');
    await expect(bundles('order', 'NONE', '--iccids', good)).rejects.toThrow('There is no bundle NONE');
    for (const count of ['0', '101', '0x10', '1e2'])
      await expect(bundles('order', 'B30', '--iccids', good, '--count', count)).rejects.toThrow(
        "option '--count <n>' argument",
      );
    const wrong = await file('wrong.csv', 'iccid\nnot a sim\n');
    await expect(bundles('order', 'B30', '--iccids', wrong)).rejects.toThrow(
      'Line 2: not an ICCID: not a sim',
    );
    await expect(bundles('order', 'B30', '--iccids', await file('empty.csv', '\n'))).rejects.toThrow(
      'no ICCIDs',
    );
  });
});
