import { dayMs, minuteMs } from '@simcube/contract/time';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { now } from '../../../testing/cdr-arbitraries.ts';
import { testDatabase } from '../../../testing/database.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { clearUsage, sourceOf } from '../../../testing/usage-records.ts';
import { addToPools } from '../../pool/index.ts';
import { syncNetworks } from '../../sim/index.ts';
import { createUpcomingPartitions, importCdrs } from '../../usage/index.ts';
import { completePacks, refreshCounts } from '../counts/counts.service.ts';
import { readSums } from './sums.views.ts';

/** Many SIMs, of which few are shown and few are read from each pack. */

const clock = new FixedClock(now.toISOString());
const [simCount, headSize, maxSims] = [12, 5, 2];
let database: Database;
let orgId: number;
let iccids: readonly string[];

beforeAll(async () => {
  database = await testDatabase();
  for (const at of ['2028-02-01', '2028-03-01']) await createUpcomingPartitions(database.pool, new Date(at));
  const { rows } = await database.pool.query<{ id: number }>(
    `insert into organisations (code, name, country) values ('acme', 'Acme Mobility', 'DE') returning id`,
  );
  orgId = rows[0]?.id ?? 0;
  const sims = [];
  for (let count = 0; count < simCount; count += 1) sims.push(await makeSim(database.pool, orgId));
  iccids = sims.map(({ iccid }) => iccid);
  await syncNetworks(database.pool);
});
afterAll(() => database.close());
const clear = async () => {
  await clearUsage(database.pool);
  await database.pool.query(
    'truncate cdr_hours, cdr_counts, cdr_firsts, cdr_sim_counts, cdr_sim_heads, cdr_sessions, cdr_traits',
  );
};
beforeEach(clear);

interface One {
  sim: number;
  /** Before now. */
  minutes: number;
  up: number;
  down: number;
  session: number;
}

const importRecords = async (records: readonly One[]): Promise<void> => {
  const header = 'iccid,record_id,session_id,ended_at,up_bytes,down_bytes,mcc,mnc,rat';
  const lines = records.map(({ sim, minutes, up, down, session }) => {
    const at = new Date(now.getTime() - minutes * minuteMs).toISOString();
    return [iccids[sim], Math.random(), `s${session}`, at, up, down, 262, '02', '4G'].join(',');
  });
  const source = sourceOf([header, ...lines].join('\n'));
  await importCdrs({ countForPools: addToPools, pool: database.pool, clock, source });
};

const refreshOptions = () => ({ pool: database.pool, clock, signal: new AbortController().signal, headSize });

const sumsOf = async (span: { from: Date; to: Date }, few: number) => {
  const filter = { from: span.from.toISOString(), to: span.to.toISOString() };
  const query = { scope: { orgId }, filter, now, groupings: ['sim'] as const, before: true, few, maxSims };
  return (await readSums(database.db, query)).groups.sim ?? [];
};

const fromRecords = Number.MAX_SAFE_INTEGER;

const record = fc.record({
  // Some have much more than others, and some are on all days.
  sim: fc.oneof(fc.nat({ max: 2 }), fc.nat({ max: simCount - 1 })),
  minutes: fc.oneof(fc.nat({ max: 3000 }), fc.nat({ max: 30 * 24 * 60 })),
  // Many have no bytes.
  up: fc.oneof(fc.constant(0), fc.nat({ max: 1000 })),
  down: fc.constantFrom(0, 0, 1),
  session: fc.nat({ max: 3 }),
});
const today = now.getTime() - (now.getTime() % dayMs);
const span = fc
  .tuple(fc.integer({ min: 1, max: 30 }), fc.nat({ max: 31 }), fc.constantFrom(0, 0, 10 * 60 + 30))
  .map(([ago, days, minutes]) => ({
    from: new Date(today - ago * dayMs + minutes * minuteMs),
    to: new Date(Math.min(today - (ago - days) * dayMs, now.getTime())),
  }));

describe('sums by SIM of many SIMs', () => {
  it('match the records, whichever days are combined, even if some were recomputed', async () => {
    const records = (minLength: number) => fc.array(record, { minLength, maxLength: 150, size: 'max' });
    await fc.assert(
      fc.asyncProperty(
        records(60),
        fc.array(record, { maxLength: 4 }),
        fc.array(span, { minLength: 5, maxLength: 5 }),
        async (first, later, spans) => {
          await clear();
          await importRecords(first);
          await refreshCounts(refreshOptions());
          await completePacks(refreshOptions());
          const expectSums = async () => {
            for (const one of spans) expect(await sumsOf(one, 0)).toEqual(await sumsOf(one, fromRecords));
          };
          await expectSums();
          await importRecords(later);
          await expectSums();
          await refreshCounts(refreshOptions());
          await expectSums();
          await completePacks(refreshOptions());
          await expectSums();
        },
      ),
      { numRuns: 3 },
    );
  }, 180_000);

  it('read the top SIMs of several days from a combined head, unless one of the days was recomputed', async () => {
    const ago = (days: number) => (now.getTime() - today + (days - 0.5) * dayMs) / minuteMs;
    const days = [7, 6, 5, 4].map((count) => ({ sim: 0, minutes: ago(count), up: 100, down: 1, session: 1 }));
    await importRecords(days);
    await refreshCounts(refreshOptions());
    const range = { from: new Date('2028-02-26T00:00:00Z'), to: new Date('2028-03-01T00:00:00Z') };
    await completePacks(refreshOptions());
    expect(await sumsOf(range, 0)).toMatchObject([{ up_bytes: 400, sessions: 1 }]);
    const { rows } = await database.pool.query(
      `select days, to_char(starts_at, 'MM-DD') as since from cdr_sim_heads order by starts_at, days`,
    );
    expect(rows).toEqual([
      { days: 2, since: '02-26' },
      { days: 4, since: '02-26' },
      { days: 2, since: '02-28' },
    ]);
    await database.pool.query(`update cdr_sim_heads set head = ''`);
    expect(await sumsOf(range, 0)).toEqual([]);
    await importRecords([{ sim: 1, minutes: ago(5), up: 7, down: 1, session: 1 }]);
    await refreshCounts(refreshOptions());
    // Nothing of the first two days was computed again.
    expect(await sumsOf(range, 0)).toMatchObject([{ up_bytes: 200, records: 2 }, { up_bytes: 7 }]);
    await completePacks(refreshOptions());
    expect(await sumsOf(range, 0)).toMatchObject([{ up_bytes: 400, records: 4 }, { up_bytes: 7 }]);
  });
});
