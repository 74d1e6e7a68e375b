import { endpoints } from '@simcube/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../../platform/log/index.ts';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';
import { assignMsisdn, makeSim } from '../../../testing/inventory.ts';
import { runJobs } from '../../../testing/jobs.ts';
import { beginDueRuns } from '../running/begin.service.ts';
import { settleRuns } from '../running/settle.service.ts';

const { notify, schedule: calls } = endpoints;
const context = { signal: new AbortController().signal, log: createLog({ level: 'silent', format: 'json' }) };

let test: TestApp;
let org: Awaited<ReturnType<typeof makeOrganisation>>;
let admin: TestClient;

beforeAll(async () => {
  test = await testApp();
  org = await makeOrganisation(test, { code: 'acme' });
});
afterAll(() => test.close());
beforeEach(async () => {
  test.clock.set('2026-11-22T12:00:00Z');
  admin = await signedInAs(test, 'admin', org);
});

/** A schedule whose only run has ended, with a message whose outcome is not known yet. */
const runOnce = async (name: string) => {
  const { pool } = test.database;
  const body = { name: `Desk of ${name}`, emails: ['desk@example.test'] };
  const { id: groupId } = (await admin.call(notify.createGroup, { body })).body.data;
  const sim = await makeSim(pool, org.id, {});
  await assignMsisdn(pool, sim.id);
  const when = { mode: 'once', at: '2026-11-23T06:30' } as const;
  const plan = { content: '#', when, time_zone: 'UTC', groupId, only_failures: false };
  const created = await admin.call(calls.create, {
    body: { ...plan, name, selection: { iccids: [sim.iccid] } },
  });
  const { id: scheduleId } = created.body.data;
  test.clock.set('2026-11-23T06:30:10Z');
  await beginDueRuns({ pool, clock: test.clock }, context);
  await runJobs(test.database, test.wiring.jobs);
  admin = await signedInAs(test, 'admin', org);
  return { groupId, scheduleId };
};
const reportsOf = async (scheduleId: string) =>
  (
    await test.database.pool.query<{ fields: Record<string, unknown> }>(
      `select fields from notifications where kind = 'schedule.ran' and fields ->> 'id' = $1`,
      [scheduleId],
    )
  ).rows.map(({ fields }) => fields);

describe('a run whose outcome is not final', () => {
  it('keeps its address group from being removed until it is reported', async () => {
    const { groupId, scheduleId } = await runOnce('Clock sync');
    const remove = async () => (await admin.call(notify.removeTarget, { params: { groupId } })).body.status;
    expect(await remove()).toMatchObject({
      code: 'CB-09-0033',
      message: expect.stringContaining('the scheduled SMS Clock sync'),
    });
    await test.database.pool.query('update sms_messages set status = 2, settled_at = $1 where scheduled', [
      test.clock.now(),
    ]);
    await settleRuns({ pool: test.database.pool, clock: test.clock }, context);
    expect(await reportsOf(scheduleId)).toMatchObject([{ quantity: 1, delivered: 1, unknown: 0 }]);
    expect((await remove()).code).toBe('CB-00-0000');
  });

  it('is reported when its schedule is deleted, with open messages as unknown', async () => {
    const { scheduleId } = await runOnce('Reset');
    expect(await reportsOf(scheduleId)).toEqual([]);
    expect((await admin.call(calls.remove, { query: { scheduleId } })).http).toBe(200);
    expect(await reportsOf(scheduleId)).toMatchObject([
      { quantity: 1, delivered: 0, failed: 0, unknown: 1, left_out: 0 },
    ]);
  });
});
