import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { createMetrics } from '../../../platform/metrics/index.ts';
import { consumeOnce, defineConsumer, defineEvent, emit } from '../../../platform/outbox/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { testCosts } from '../../../testing/prices.ts';
import { exportWork } from './export.work.ts';

const happened = defineEvent({ topic: 'test.meanwhile', payload: z.object({ format: z.string() }) });
const report = { log: createLog({ level: 'silent', format: 'json' }), metrics: createMetrics() };
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
  const order = { id: 1, orgId, userId: '', reference: 'T1', actor: null, traceId: null };
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
  it.each(['csv', 'xlsx'] as const)('as %s keeps no fact from its consumers', async (format) => {
    const { pool } = database;
    const delivered: string[] = [];
    const consumer = defineConsumer({
      name: `meanwhile-${format}`,
      events: [happened],
      handle: async (_, { payload }) => void delivered.push(payload.format),
    });
    await pool.query(`insert into outbox_cursors (consumer, xact, id) values ($1, '0', 0)`, [consumer.name]);
    const running = await begun(format);
    await emit(pool, happened, { orgId: null, payload: { format } });
    // Tests in other files have short transactions on the same server.
    await expect
      .poll(() => consumeOnce(pool, consumer, report).then(() => delivered), { timeout: 30_000 })
      .toContain(format);
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
