import type { ReportKind } from '@simcube/contract/report';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTransaction } from '../../../platform/db/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../../testing/app.ts';
import { makeBill, publishedMonth } from '../../../testing/bills.ts';
import { reportFigures } from '../../../testing/reports.ts';
import { savePreferences } from '../preferences/preferences.queries.ts';
import { generateDueReports } from '../report.jobs.ts';

const month = '2026-10';

let test: TestApp;
const pool = () => test.database.pool;

beforeAll(async () => {
  test = await testApp();
  test.clock.set('2026-09-01T00:00:00Z');
  await makeOrganisation(test, { code: 'operator' });
});
afterAll(() => test.close());

/** A settlement customer with one held bill of October. */
const makeCustomer = async (code: string, kinds: ReportKind[]) => {
  const org = await makeOrganisation(test, { code, parentCode: 'operator' });
  await inTransaction(pool(), (tx) =>
    savePreferences(tx, {
      orgId: org.id,
      kinds,
      formats: ['csv'],
      language: 'en-US',
      time_zone: 'UTC',
      notify: [],
      at: new Date('2026-10-01T00:00:00Z'),
    }),
  );
  const billId = await makeBill(pool(), { orgId: org.id, month });
  const draft = "status = 'draft', issued_at = null, due_on = null";
  const published = "status = 'published', issued_at = '2026-11-06', due_on = '2026-11-16'";
  const set = (state: string) => pool().query(`update bills set ${state} where id = $1`, [billId]);
  await set(draft);
  return { ...org, release: () => set(published) };
};
const makeDue = (at: string) => {
  test.clock.set(at);
  return generateDueReports({ pool: pool(), clock: test.clock });
};
const made = async (orgId: number) => {
  const { rows } = await pool().query<{ kind: string }>(
    'select kind from reports where org_id = $1 and month_on = $2 and made_at is not null order by kind',
    [orgId, `${month}-01`],
  );
  return rows.map(({ kind }) => kind);
};
const announced = async (orgId: number) => {
  const { rows } = await pool().query<{ kinds: string[] }>(
    `select payload -> 'kinds' as kinds from outbox
     where topic = 'report.ready' and org_id = $1 and payload ->> 'month' = $2 order by id`,
    [orgId, month],
  );
  return rows.map(({ kinds }) => kinds);
};

it('the report of cost is made once all bills of the month are published; other kinds do not wait for it', async () => {
  const org = await makeCustomer('held', ['cost', 'sms']);
  await publishedMonth(pool(), { orgId: org.id, month });
  await makeDue('2026-11-05T00:00:00Z');
  expect(await made(org.id)).toEqual(['sms']);
  expect(await announced(org.id)).toEqual([['sms']]);
  await org.release();
  await makeDue('2026-11-06T00:00:00Z');
  expect(await made(org.id)).toEqual(['cost', 'sms']);
  expect(await reportFigures(pool(), { orgId: org.id, month, kind: 'cost' })).toEqual({
    lines: 3,
    amount: 600,
  });
  expect(await announced(org.id)).toEqual([['sms']]);
});

it('a report of cost is made for bills that are published months later', async () => {
  const org = await makeCustomer('late', ['cost']);
  await pool().query(
    "insert into bill_months (org_id, month_on, drafted_at, awaits_tariff) values ($1, $2, '2026-11-03', true)",
    [org.id, `${month}-01`],
  );
  await makeDue('2026-11-05T00:00:00Z');
  await makeDue('2027-01-02T00:00:00Z');
  expect(await made(org.id)).toEqual([]);
  expect(await announced(org.id)).toEqual([]);
  await org.release();
  await makeDue('2027-01-02T01:00:00Z');
  expect(await made(org.id)).toEqual([]);
  await publishedMonth(pool(), { orgId: org.id, month });
  await makeDue('2027-01-02T02:00:00Z');
  expect(await made(org.id)).toEqual(['cost']);
  expect(await announced(org.id)).toEqual([['cost']]);
});
