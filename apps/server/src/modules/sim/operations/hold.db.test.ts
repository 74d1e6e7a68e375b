import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../../platform/db/index.ts';
import { signedInAs, type TestApp, type TestClient, testApp } from '../../../testing/app.ts';
import { bundleOf, testBundles } from '../../../testing/bundles.ts';
import { runJobs } from '../../../testing/jobs.ts';
import { startWork } from '../../task/index.ts';
import { simItems } from '../ordering/sim-items.ts';

let test: TestApp;
let bundles: Awaited<ReturnType<typeof testBundles>>;
let admin: TestClient;

beforeAll(async () => {
  test = await testApp();
  bundles = await testBundles(test.database, [
    bundleOf({ code: 'day', reset_cycle: 'day' }),
    bundleOf({ code: 'hours', reset_cycle: '24h day' }),
  ]);
  const { rows } = await test.database.pool.query(
    `select id, code, tenant_id as "tenantId" from organisations where id = $1`,
    [bundles.orgId],
  );
  admin = await signedInAs(test, 'admin', rows[0]);
});
afterAll(() => test.close());

/** A rule's operation on an idle SIM, at a time when the last counted cycle of its bundle is over. */
const holdIdle = async (bundle: 'day' | 'hours', type: 'sim-data-off' | 'sim-slow-down', at: string) => {
  test.clock.set('2026-11-21T12:00:00Z');
  const sim = await bundles.sim('active');
  await bundles.order([sim], bundle, test.clock.now());
  test.clock.set(at);
  await inTransaction(test.database.pool, (tx) =>
    startWork(tx, {
      ...{ orgId: bundles.orgId, userId: admin.userId, type, remark: null, at: test.clock.now() },
      parameters: type === 'sim-slow-down' ? { rate_kbps: 128 } : {},
      actor: { kind: 'system', id: null, name: 'Rule', address: null, traceId: null, action: undefined },
      ...{ kind: simItems, busy: 'CB-01-0011', access: null },
      items: [{ ref: sim.id, label: sim.iccid }],
    }),
  );
  await runJobs(test.database, test.wiring.jobs);
  const { rows } = await test.database.pool.query('select held_until from sim_live where sim_id = $1', [
    sim.id,
  ]);
  return rows[0].held_until.toISOString();
};

describe('data that a rule turns off or slows down', () => {
  it.each([
    ['day', 'sim-data-off', '2026-11-21T16:00:00Z', '2026-11-22T16:00:00.000Z'],
    ['day', 'sim-slow-down', '2026-11-23T04:00:00Z', '2026-11-23T16:00:00.000Z'],
    ['day', 'sim-data-off', '2026-11-21T15:59:59Z', '2026-11-21T16:00:00.000Z'],
    ['hours', 'sim-data-off', '2026-11-23T04:00:00Z', '2026-11-23T12:00:00.000Z'],
  ] as const)(
    'stays so until the cycle ends in which it happened, counted or not (%s, %s at %s)',
    async (bundle, type, at, until) => expect(await holdIdle(bundle, type, at)).toBe(until),
  );
});
