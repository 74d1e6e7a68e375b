import { endpoints } from '@simcube/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../../platform/db/index.ts';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';
import { waitForBlockedStatements } from '../../../testing/locks.ts';
import { settle } from '../deliveries/settle.service.ts';

const calls = endpoints.notify;
const url = 'https://hooks.example.test/simcube?team=1';

let test: TestApp;
let admin: TestClient;

const query = (text: string, values: unknown[] = []) => test.database.pool.query(text, values);

beforeAll(async () => {
  test = await testApp();
  admin = await signedInAs(test, 'admin', await makeOrganisation(test, { code: 'own' }));
});
afterAll(() => test.close());

describe('an API target', () => {
  it('is listed alone by its id, among those of its kind', async () => {
    await admin.call(calls.createApiTarget, { body: { name: 'Other', url } });
    const { target } = (await admin.call(calls.createApiTarget, { body: { name: 'One', url } })).body.data;
    const alone = { query: { groupId: target.id } };
    expect((await admin.call(calls.listApiTargets, alone)).body.data).toEqual([target]);
    expect((await admin.call(calls.listGroups, alone)).body.data).toEqual([]);
  });

  it('with a new address no longer counts as failing: waiting deliveries are attempted immediately', async () => {
    const made = await admin.call(calls.createApiTarget, { body: { name: 'Hook', url } });
    const groupId = made.body.data.target.id;
    await admin.call(calls.tryTarget, { params: { groupId } });
    const failing = () =>
      query(
        `with lane as (insert into delivery_lanes (lane, failures, failing_since, next_try_at) values ($1, 9, now(), '2027-01-01')
           on conflict (lane) do update set failures = 9, next_try_at = '2027-01-01')
         update deliveries set due_at = '2027-01-01' where target_id = $1`,
        [groupId],
      );
    const next = async () =>
      (await admin.call(calls.listDeliveries, { params: { groupId } })).body.data[0]?.next_attempt_at;
    await failing();
    const edit = (body: object) =>
      admin.call(calls.updateApiTarget, { body: { groupId, name: 'Hook', url, ...body } });
    expect((await edit({ name: 'Renamed' })).body.data.state).toBe('failing');
    expect(await next()).toBe('2027-01-01T00:00:00.000Z');
    expect((await edit({ url: `${url}&v=2` })).body.data).toMatchObject({ state: 'active' });
    expect(await next()).toBe('2026-11-21T12:00:00.000Z');
    await query(`update notification_targets set paused_at = now(), paused_for = 'gone' where id = $1`, [
      groupId,
    ]);
    expect((await edit({})).body.data).toMatchObject({ state: 'active', paused_for: null });
  });

  it('is not paused by responses of its former address: these deliveries are sent to the new one', async () => {
    const { database, clock } = test;
    const made = await admin.call(calls.createApiTarget, { body: { name: 'Moved', url } });
    const groupId = made.body.data.target.id;
    const lane = Number(groupId);
    await admin.call(calls.tryTarget, { params: { groupId } });
    const { rows } = await query(
      `with began as (update deliveries set attempts = 1 where target_id = $1 returning id)
       insert into delivery_attempts (delivery_id, number, at) select id, 1, now() from began returning delivery_id as id`,
      [lane],
    );
    const body = { groupId, name: 'Moved', url: 'https://new.example.test/' };
    await admin.call(calls.updateApiTarget, { body });
    const at = clock.now();
    const id: number = rows[0].id;
    const delivery = { id, attempts: 1, lane, createdAt: at, resentAt: null, attemptsBefore: 0 };
    const outcome = { delivered: false, fault: 'gone', status: 410, final: true } as const;
    await inTransaction(database.pool, (tx) => settle(tx, [{ delivery, outcome, durationMs: 5 }], at));
    const [target] = (await admin.call(calls.listApiTargets, { query: { search: 'Moved' } })).body.data;
    expect([target?.state, target?.last_delivery?.state]).toEqual(['active', 'waiting']);
    expect((await query('select from delivery_lanes where lane = $1', [lane])).rowCount).toBe(0);
  });

  it('is removed while the failure of one of its deliveries is being written', async () => {
    const { database, clock } = test;
    const { pool } = database;
    const made = await admin.call(calls.createApiTarget, { body: { name: 'Dead', url } });
    const groupId = made.body.data.target.id;
    await admin.call(calls.tryTarget, { params: { groupId } });
    const lane = Number(groupId);
    const { rows } = await pool.query<{ id: number }>(
      `with began as (update deliveries set attempts = 1 where target_id = $1 returning id),
         lane as (insert into delivery_lanes (lane, failures, failing_since) values ($1, 1, now()))
       insert into delivery_attempts (delivery_id, number, at) select id, 1, now() from began returning delivery_id as id`,
      [lane],
    );
    const at = clock.now();
    const delivery = {
      id: rows[0]?.id ?? 0,
      attempts: 1,
      lane,
      createdAt: at,
      resentAt: null,
      attemptsBefore: 0,
    };
    const failed = { delivery, outcome: { delivered: false, fault: 'time' } as const, durationMs: 5 };
    const remove = () => admin.call(calls.removeTarget, { params: { groupId } });
    const removing = await inTransaction(pool, async (tx) => {
      await tx.query('select from deliveries where id = $1 for update', [delivery.id]);
      const begun = remove();
      await waitForBlockedStatements(pool);
      await settle(tx, [failed], at);
      return { begun };
    });
    expect((await removing.begun).body.status.code).toBe('CB-00-0000');
  });
});
