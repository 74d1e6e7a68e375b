import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, ensurePartitions, inTransaction } from '../../../platform/db/index.ts';
import { bundleOf, testBundles } from '../../../testing/bundles.ts';
import { testDatabase } from '../../../testing/database.ts';
import { findStartTasks } from '../../sim/index.ts';
import { terminateOrderOperation } from './terminate-order.operation.ts';

const start = new Date('2026-09-01T00:00:00Z');
const now = new Date('2026-09-11T00:00:00Z');

let database: Database;

beforeAll(async () => {
  database = await testDatabase();
  await ensurePartitions(database.pool, start, now);
});
afterAll(() => database.close());

const terminate = async (orgId: number, sim: { id: number; iccid: string }) => {
  const order = {
    id: 1,
    orgId,
    userId: '',
    reference: 'T1',
    startedAt: now,
    actor: 'Over its quota',
    traceId: null,
  };
  const items = [{ position: 0, ref: sim.id, label: sim.iccid, input: null }];
  const refusals = await inTransaction(database.pool, (tx) =>
    terminateOrderOperation.apply(tx, { order, items, parameters: {}, now, remember: () => undefined }),
  );
  expect([...refusals]).toEqual([]);
};

it('events and facts of an order that a task ended name the task', async () => {
  const org = await testBundles(database, [bundleOf({ code: 'B30' })]);
  const sim = await org.sim('active');
  await org.order([sim], 'B30', start);
  await terminate(org.orgId, sim);
  const { rows: events } = await database.pool.query(
    `select kind, actor, task_id from sim_events where sim_id = $1 and at = $2 order by kind`,
    [sim.id, now],
  );
  expect(events).toEqual(
    ['bundle-ended', 'lifecycle-changed'].map((kind) => ({ kind, actor: 'Over its quota', task_id: 'T1' })),
  );
  const { rows: facts } = await database.pool.query(
    `select payload -> 'to' as to, payload -> 'task' as task from outbox where topic = 'sim.lifecycle-changed' and org_id = $1
     order by id desc limit 1`,
    [org.orgId],
  );
  expect(facts).toEqual([{ to: 'expired', task: 'T1' }]);
});

it('a SIM whose last order was terminated ended then, not when the order would have', async () => {
  const org = await testBundles(database, [bundleOf({ code: 'B31' })], 'ends');
  const ends = async (sim: { id: number }) =>
    (await database.pool.query('select expires_at from sims where id = $1', [sim.id])).rows[0].expires_at;
  const [last, queued] = [await org.sim('active'), await org.sim('active')];
  await org.order([last, queued], 'B31', start);
  await org.order([queued], 'B31', start);
  expect(await ends(last)).toEqual(new Date('2026-10-01T00:00:00Z'));
  await terminate(org.orgId, last);
  await terminate(org.orgId, queued);
  expect(await ends(last)).toEqual(now);
  expect(await ends(queued)).toEqual(new Date('2026-10-11T00:00:00Z'));
  const { rows } = await database.pool.query(
    `select payload -> 'simIds' as ids, payload -> 'task' as task from outbox
     where topic = 'bundle.lifecycle-ends-moved' and org_id = $1 order by id desc limit 1`,
    [org.orgId],
  );
  expect(rows).toEqual([{ ids: [queued.id], task: 'T1' }]);
  const started = await findStartTasks(database.pool, {
    orgId: org.orgId,
    since: new Map([last, queued].map(({ id }) => [id, now.getTime()])),
  });
  expect([...started]).toEqual([[queued.id, 'T1']]);
});
