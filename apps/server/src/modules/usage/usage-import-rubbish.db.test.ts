import { radioTypes } from '@simcube/contract/sim';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FixedClock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { testDatabase } from '../../testing/database.ts';
import { cdrHeader, lineOf, makeUsageSims, sourceOf } from '../../testing/usage-records.ts';
import { addToPools } from '../pool/index.ts';
import { importCdrs } from './index.ts';

const now = '2026-11-21T12:00:00.000Z';
const clock = new FixedClock(now);

let database: Database;
let sims: Awaited<ReturnType<typeof makeUsageSims>>;

beforeAll(async () => {
  database = await testDatabase();
  sims = await makeUsageSims(database.pool);
});
afterAll(() => database.close());

const importText = (text: string, chunkRows: number) =>
  importCdrs({ countForPools: addToPools, pool: database.pool, clock, source: sourceOf(text), chunkRows });

it('random input is rejected line by line, and accepted records are counted exactly', {
  timeout: 300_000,
}, async () => {
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
      sim: fc.constantFrom(...sims),
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
      const { accepted, duplicate, refused, refusals } = await importText(`${cdrHeader}\n${body}`, 50);
      const lineCount = body.split('\n').filter((text) => text !== '' && text !== '\r').length;
      expect(accepted + duplicate + refused).toBe(lineCount);
      expect(refusals).toHaveLength(refused);
      total.lines += lineCount;
      total.accepted += accepted;
      total.refused += refused;
    }),
    { numRuns: 150, endOnFailure: true },
  );
  expect(total.lines).toBeGreaterThan(15_000);
  expect(total.refused).toBeGreaterThan(2500);
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
