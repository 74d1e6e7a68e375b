import type { ReportKind } from '@simcube/contract/report';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ensurePartitions, inTransaction } from '../../../platform/db/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../../testing/app.ts';
import { operatorActor } from '../../audit/index.ts';
import { savePreferences } from '../preferences/preferences.queries.ts';
import { claimReport } from '../reports.queries.ts';
import { countMonth } from '../reports.views.ts';
import { regenerateMonth } from './regenerate.service.ts';

const month = '2026-10';

let test: TestApp;
let org: { id: number; code: string };
let made = 0;
const pool = () => test.database.pool;

beforeAll(async () => {
  test = await testApp();
  await ensurePartitions(pool(), new Date('2026-09-01T00:00:00Z'), new Date('2026-12-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
});
afterAll(() => test.close());
beforeEach(async () => {
  test.clock.set('2026-11-10T00:00:00Z');
  made += 1;
  org = await makeOrganisation(test, { code: `org-${made}`, parentCode: 'operator' });
  await prefer(['inventory', 'sms'], 'UTC');
});

const prefer = (kinds: ReportKind[], timeZone: string) =>
  inTransaction(pool(), (tx) =>
    savePreferences(tx, {
      orgId: org.id,
      kinds,
      formats: ['csv'],
      language: 'en-US',
      time_zone: timeZone,
      notify: [],
      at: new Date('2026-10-02T00:00:00Z'),
    }),
  );
const remake = () =>
  regenerateMonth(pool(), { code: org.code, month, actor: operatorActor(), now: test.clock.now() });
const there = () => countMonth(pool(), { orgId: org.id, month });

it('waits for a report of the month in progress, and generates it afterwards', async () => {
  await remake();
  const other = await pool().connect();
  await other.query('begin');
  expect(await claimReport(other, { orgId: org.id, month, kind: 'sms' })).toBe(true);
  const remade = remake();
  await expect
    .poll(
      async () =>
        (await pool().query("select from pg_locks where locktype = 'advisory' and not granted")).rowCount,
    )
    .toBe(1);
  expect(await there()).toBe(2);
  await other.query('commit');
  other.release();
  expect(await remade).toEqual({ removed: 2, generated: 2 });
});

it('is in the audit trail under the organisation’s own code, however it was written', async () => {
  const order = { code: org.code.toUpperCase(), month, actor: operatorActor(), now: test.clock.now() };
  await regenerateMonth(pool(), order);
  const { rows } = await pool().query(
    "select subject_id from audit_entries where org_id = $1 and action = 'report.remade'",
    [org.id],
  );
  expect(rows).toEqual([{ subject_id: org.code }]);
});

it('removes nothing if no kind is enabled to replace it', async () => {
  await remake();
  await prefer([], 'UTC');
  await expect(remake()).rejects.toThrow('has no reports enabled');
  expect(await there()).toBe(2);
});

it.each([
  ['2027-11-30T23:00:00Z', 'UTC', true],
  ['2027-12-01T01:00:00Z', 'UTC', false],
  // In that zone, October began in September (UTC).
  ['2027-11-30T23:00:00Z', 'Asia/Shanghai', false],
])('removes nothing that records are no longer kept of: at %s in %s', async (at, timeZone, isKept) => {
  await remake();
  await prefer(['inventory', 'sms'], timeZone);
  test.clock.set(at);
  if (isKept) expect(await remake()).toEqual({ removed: 2, generated: 2 });
  else await expect(remake()).rejects.toThrow('no longer retained');
  expect(await there()).toBe(2);
});
