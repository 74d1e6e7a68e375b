import { endpoints } from '@simcube/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../../platform/log/index.ts';
import { makeOrganisation, signedInAs, type TestApp, testApp } from '../../../testing/app.ts';
import { assignMsisdn, makeSim } from '../../../testing/inventory.ts';
import { runJobs } from '../../../testing/jobs.ts';
import { beginDueRuns } from './begin.service.ts';
import { settleRuns } from './settle.service.ts';

const { notify, schedule: calls } = endpoints;
const context = { signal: new AbortController().signal, log: createLog({ level: 'silent', format: 'json' }) };

let test: TestApp;
let org: Awaited<ReturnType<typeof makeOrganisation>>;

beforeAll(async () => {
  test = await testApp();
  org = await makeOrganisation(test, { code: 'acme' });
});
afterAll(() => test.close());
beforeEach(() => test.clock.set('2026-11-22T12:00:00Z'));

const settle = () => settleRuns({ pool: test.database.pool, clock: test.clock }, context);

/** The schedule of a run with a SIM that began at 06:30, and whose task is worked on only at a later time. */
const runUntil = async (name: string, at: string): Promise<string> => {
  const { pool } = test.database;
  const admin = await signedInAs(test, 'admin', org);
  const group = { name: `Desk of ${name}`, emails: ['desk@example.test'] };
  const { id: groupId } = (await admin.call(notify.createGroup, { body: group })).body.data;
  const sim = await makeSim(pool, org.id, {});
  await assignMsisdn(pool, sim.id);
  const when = { mode: 'once', at: '2026-11-23T06:30' } as const;
  const plan = { name, content: '#', when, time_zone: 'UTC', groupId, only_failures: false };
  const body = { ...plan, selection: { iccids: [sim.iccid] } };
  const { id } = (await admin.call(calls.create, { body })).body.data;
  test.clock.set('2026-11-23T06:30:00Z');
  await beginDueRuns({ pool, clock: test.clock }, context);
  test.clock.set(at);
  await runJobs(test.database, test.wiring.jobs);
  return id;
};

const messagesOf = async (scheduleId: string) =>
  (
    await test.database.pool.query<{ at: Date }>(
      'select m.at from sms_messages m join schedule_runs r on r.task = m.task where r.schedule_id = $1',
      [scheduleId],
    )
  ).rows.map(({ at }) => at.toISOString());
const refusalsOf = async (scheduleId: string) =>
  (
    await test.database.pool.query<{ code: string }>(
      `select i.code from task_items i join schedules s on s.id = $1
       join schedule_sims r on r.schedule_id = s.id and r.id = i.ref
       where i.kind = 'recipient' and i.code is not null`,
      [scheduleId],
    )
  ).rows.map(({ code }) => code);
const reportsOf = async (scheduleId: string) =>
  (
    await test.database.pool.query<{ fields: Record<string, unknown> }>(
      `select fields from notifications where kind = 'schedule.ran' and fields ->> 'id' = $1`,
      [scheduleId],
    )
  ).rows.map(({ fields }) => fields);

describe('a run that was interrupted', () => {
  it('sends nothing more two hours after its start, and reports what it left out', async () => {
    const id = await runUntil('Too late', '2026-11-23T08:30:01Z');
    expect(await messagesOf(id)).toEqual([]);
    expect(await refusalsOf(id)).toEqual(['CB-04-0014']);
    await settle();
    expect(await reportsOf(id)).toMatchObject([{ quantity: 1, unknown: 0, left_out: 1 }]);
  });

  it('goes on before, and is settled 25 hours after its last message, which is unknown if it is still open', async () => {
    const id = await runUntil('In time', '2026-11-23T08:30:00Z');
    expect(await messagesOf(id)).toEqual(['2026-11-23T08:30:00.000Z']);
    test.clock.set('2026-11-24T09:29:59Z');
    await settle();
    expect(await reportsOf(id)).toEqual([]);
    test.clock.set('2026-11-24T09:30:00Z');
    await settle();
    expect(await reportsOf(id)).toMatchObject([
      { quantity: 1, delivered: 0, failed: 0, unknown: 1, left_out: 0 },
    ]);
  });
});
