import type { ReportKind } from '@simcube/contract/report';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensurePartitions, inTransaction } from '../../../platform/db/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../../testing/app.ts';
import { importUsage, makePricedBundles, makeSimWithBundles } from '../../../testing/prices.ts';
import { reportText } from '../../../testing/reports.ts';
import { runProgram } from '../../../testing/run-program.ts';
import { savePreferences } from '../preferences/preferences.queries.ts';

const kinds: ReportKind[] = ['inventory', 'sim-usage', 'sms'];
const month = '2026-10';
const at = '2026-11-04T17:00:00Z';
const kills = 6;

let test: TestApp;
let orgIds: number[];
const pool = () => test.database.pool;

beforeAll(async () => {
  test = await testApp();
  test.clock.set('2026-10-01T00:00:00Z');
  await ensurePartitions(pool(), new Date('2026-09-01T00:00:00Z'), new Date('2026-12-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  await makePricedBundles(pool());
  orgIds = [];
  for (const code of ['one', 'two']) {
    const { id: orgId } = await makeOrganisation(test, { code, parentCode: 'operator' });
    orgIds.push(orgId);
    test.clock.set('2026-10-01T00:00:00Z');
    const sim = await makeSimWithBundles(test, { orgId, now: new Date('2026-10-01T02:00:00Z') });
    await pool().query("update sims set created_at = '2026-10-01' where id = $1", [sim.id]);
    test.clock.set('2026-10-20T00:00:00Z');
    await importUsage(test, sim.iccid, [{ at: '2026-10-10T00:00:00Z', bytes: 4321, country: 'DE' }]);
    const { rows } = await pool().query<{ id: string }>(
      "insert into notification_targets (org_id, kind, name, addresses) values ($1, 'email', 'Finance', array['finance@example.test']) returning id::text",
      [orgId],
    );
    const preferences = { language: 'en-US', time_zone: 'UTC', formats: ['csv', 'xlsx'] } as const;
    await inTransaction(pool(), (tx) =>
      savePreferences(tx, {
        ...preferences,
        formats: [...preferences.formats],
        orgId,
        kinds,
        notify: rows.map(({ id }) => id),
        at: new Date('2026-10-10T00:00:00Z'),
      }),
    );
  }
});
afterAll(() => test.close());

/** In all there are some sixty statements, seven commits, and three dozen parts and rows. */
const kill = fc.oneof(
  fc.tuple(fc.constant('statement'), fc.integer({ min: 1, max: 40 })),
  fc.tuple(fc.constant('alone'), fc.integer({ min: 1, max: 25 })),
  fc.tuple(fc.constantFrom('before-commit', 'after-commit'), fc.integer({ min: 1, max: 5 })),
);

it('generates each report once, completely, and announces a month once, despite crashes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(kill, { minLength: kills, maxLength: kills }), async (plan) => {
      const ends: (number | string)[] = [];
      for (const [step, count] of plan) {
        ends.push(await runProgram('report-steps', [test.database.url, at, step, String(count)]));
        await gone();
      }
      expect(ends).toContain('SIGKILL');
      expect(await runProgram('report-steps', [test.database.url, at, 'none', '1'])).toBe(0);
    }),
    { numRuns: 1, endOnFailure: true },
  );
  const { rows } = await pool().query(
    `select r.org_id, array_agg(r.kind order by r.kind) as kinds, bool_and(r.made_at is not null and r.rows = (r.kind <> 'sms')::int) as made,
       bool_and((select count(*) = 2 and bool_and(f.bytes = (
         select sum(octet_length(content)) from report_parts p where p.report_id = f.report_id and p.format = f.format))
         from report_files f where f.report_id = r.id)) as whole,
       (select count(*)::int from outbox where topic = 'report.ready' and org_id = r.org_id) as facts,
       (select count(*)::int from notifications where kind = 'report.ready' and org_id = r.org_id) as notifications
     from reports r group by 1 order by 1`,
  );
  expect(rows).toEqual(
    orgIds.map((orgId) => ({ org_id: orgId, kinds, made: true, whole: true, facts: 1, notifications: 1 })),
  );
  for (const orgId of orgIds) {
    const [, ...lines] = await reportText(pool(), { orgId, month, kind: 'sim-usage' });
    expect(lines.map((cells) => Number(cells[6]))).toEqual([4321]);
  }
}, 120_000);

/** A killed worker's claims are released when the database notices its death. */
const gone = () =>
  expect
    .poll(
      async () =>
        (await pool().query(`select 1 from pg_stat_activity where application_name = 'report steps'`))
          .rowCount,
    )
    .toBe(0);
