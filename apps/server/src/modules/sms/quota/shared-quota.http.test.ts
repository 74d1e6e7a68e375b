import { endpoints } from '@simcube/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeOrganisation, signedInAs, type TestApp, testApp } from '../../../testing/app.ts';

let test: TestApp;

beforeAll(async () => {
  test = await testApp();
  test.clock.set('2026-11-20T12:00:00Z');
});
afterAll(() => test.close());

it('a shared quota says whose parts were used, so that used and left make up the limit', async () => {
  const { pool } = test.database;
  const make = (code: string, parentCode?: string) =>
    makeOrganisation(test, { code, ...(parentCode !== undefined && { parentCode }) });
  const top = await make('top');
  const [north, south] = [await make('north', 'top'), await make('south', 'top')];
  await pool.query(
    "update organisations set sms_quota_kind = 'custom', sms_quota_messages = 100 where id = $1",
    [top.id],
  );
  // 27 of its own, 4 of north and 5 of south, which inherit.
  await pool.query(
    `insert into sms_quota_spent (org_id, month_on, parts)
     values ($1, '2026-11-01', 36), ($2, '2026-11-01', 4), ($3, '2026-11-01', 5), ($3, '2026-10-01', 50)`,
    [top.id, north.id, south.id],
  );
  const quotaOf = async (org: typeof top) =>
    (await (await signedInAs(test, 'operator', org)).call(endpoints.sms.remainUsage, {})).body.data;
  const shared = { month: '2026-11', limit: 100, remaining: 64 };
  expect(await quotaOf(top)).toEqual({ ...shared, used: 36, used_below: 9, used_above: 0 });
  expect(await quotaOf(north)).toEqual({ ...shared, used: 4, used_below: 0, used_above: 32 });
});
