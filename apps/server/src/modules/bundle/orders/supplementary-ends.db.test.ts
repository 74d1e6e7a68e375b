import { afterAll, beforeAll, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import { type Database, ensurePartitions } from '../../../platform/db/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { bundleOf, testBundles } from '../../../testing/bundles.ts';
import { testDatabase } from '../../../testing/database.ts';
import { usageModule } from '../../usage/index.ts';
import { endOrders } from '../lifecycle/lifecycle.service.ts';

const start = new Date('2026-11-01T00:00:00Z');
const minute = 60_000;
const at = (days: number, minutes = 0) => new Date(start.getTime() + days * 1440 * minute + minutes * minute);
const clock = new FixedClock(start);

let database: Database;
let org: Awaited<ReturnType<typeof testBundles>>;

beforeAll(async () => {
  database = await testDatabase();
  await ensurePartitions(database.pool, start, at(60));
  org = await testBundles(database, [
    bundleOf({ code: 'BASE', duration_days: 16 }),
    bundleOf({ code: 'TOP', type: 'prepaid supplementary', quota_bytes: 300, duration_days: 10 }),
  ]);
});
afterAll(() => database.close());

/** The jobs at an instant: ends of orders are due every minute, turns of cycles every ten. */
const work = async (now: Date): Promise<void> => {
  clock.set(now);
  await endOrders({ pool: database.pool, now });
  const turn = usageModule({ ...database, clock }).jobs.find(({ job }) => job.name === 'usage.turn-cycles');
  await turn?.handle(
    {},
    { signal: new AbortController().signal, log: createLog({ level: 'silent', format: 'json' }), attempt: 1 },
  );
};

it.each([
  ['every hour', Array.from({ length: 20 * 24 }, (_, hours) => at(0, hours * 60 + 5))],
  ['once, after a downtime', []],
])(
  'a cycle in which nothing was used has what top-ups gave until they ended, if jobs run %s',
  async (_, instants) => {
    const sim = await org.sim('active');
    await org.order([sim], 'BASE', at(0));
    // One ends a moment after a cycle, one with it.
    await org.order([sim], 'TOP', at(0, 3));
    for (const now of instants.filter((instant) => instant < at(3))) await work(now);
    await org.order([sim], 'TOP', at(3));
    for (const now of instants.filter((instant) => instant >= at(3))) await work(now);
    await work(at(20));
    const { rows } = await database.pool.query<{ started_at: Date; limit_bytes: number }>(
      'select cycle_started_at as started_at, limit_bytes from usage_cycles where sim_id = $1 order by 1',
      [sim.id],
    );
    const days = (first: number, last: number, limit: number) =>
      Array.from({ length: last - first + 1 }, (__, index) => [at(first + index), limit]);
    expect(rows.map(({ started_at, limit_bytes }) => [started_at, limit_bytes])).toEqual([
      ...days(0, 2, 1300),
      ...days(3, 9, 1600),
      ...days(10, 12, 1300),
      ...days(13, 15, 1000),
    ]);
  },
);
