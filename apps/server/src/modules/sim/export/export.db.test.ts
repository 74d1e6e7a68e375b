import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { testCosts } from '../../../testing/prices.ts';
import { exportWork } from './export.work.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
const sims = 3000;
let database: Database;
let orgId: number;

beforeAll(async () => {
  database = await testDatabase();
  const { pool } = database;
  const { rows } = await pool.query<{ id: number }>(
    `insert into organisations (code, name, country) values ('acme', 'Acme Mobility', 'DE') returning id`,
  );
  orgId = rows[0]?.id ?? 0;
  await pool.query(
    `with made as (
       insert into sims (org_id, iccid, imsi)
       select $1, '894900' || lpad(n::text, 13, '0'), '26299' || lpad(n::text, 10, '0') from generate_series(1, $2::int) n
       returning id)
     insert into sim_live (sim_id, org_id) select id, $1 from made`,
    [orgId, sims],
  );
});
afterAll(() => database.close());

/** An export in progress: its first piece is written, and the next one not requested yet. */
const begun = async (format: 'csv' | 'xlsx') => {
  const order = {
    id: 1,
    orgId,
    userId: '',
    reference: 'T1',
    startedAt: clock.now(),
    actor: null,
    traceId: null,
  };
  const parameters = { selection: { filter: {} }, format, language: 'en-US', timeZone: 'UTC' };
  const work = exportWork({ pool: database.pool, clock, costsOf: testCosts(database.pool) });
  const told: number[] = [];
  const pieces = work
    .produce({ parameters, order, now: clock.now(), reportRows: (count) => void told.push(count) })
    [Symbol.asyncIterator]();
  const pieceOf = async () => (await pieces.next()).value as Buffer | undefined;
  const first = await pieceOf();
  return {
    rest: async () => {
      const all = [first ?? Buffer.alloc(0)];
      for (let piece = await pieceOf(); piece; piece = await pieceOf()) all.push(piece);
      return { content: Buffer.concat(all), told };
    },
  };
};

describe('an export under way', () => {
  it.each(['csv', 'xlsx'] as const)('as %s keeps no event from its consumers', async (format) => {
    const running = await begun(format);
    // Consumers read up to the oldest transaction that has a number, which only one that writes gets.
    const { rows } = await database.pool.query(
      'select query from pg_stat_activity where datname = current_database() and backend_xid is not null',
    );
    expect(rows).toEqual([]);
    const { told } = await running.rest();
    expect(told.at(-1)).toBe(sims);
  });

  it('contains the SIMs as they were when it began', async () => {
    const running = await begun('csv');
    await database.pool.query(`update sims set notes = 'afterwards' where org_id = $1`, [orgId]);
    const { content } = await running.rest();
    const lines = content.toString().trimEnd().split('\n');
    expect(lines).toHaveLength(1 + sims);
    expect(content.includes('afterwards')).toBe(false);
  });
});
