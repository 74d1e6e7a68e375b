import { type ReportKind, reportKinds } from '@simcube/contract/report';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensurePartitions, inTransaction } from '../../platform/db/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../testing/app.ts';
import { makeBill, publishedMonth } from '../../testing/bills.ts';
import { importUsage, makePricedBundles, makeSimWithBundles } from '../../testing/prices.ts';
import { reportText } from '../../testing/reports.ts';
import { operatorActor } from '../audit/index.ts';
import { turnDueCycles } from '../usage/cycle-turns.service.ts';
import { regenerateMonth } from './generation/regenerate.service.ts';
import { savePreferences } from './preferences/preferences.queries.ts';
import { generateDueReports } from './report.jobs.ts';
import { boundsOf, businessMonth } from './report.rules.ts';
import { findReports } from './reports.views.ts';

const megabyte = 2 ** 20;
const timeZone = 'Europe/Madrid';
const month = '2026-10';

let test: TestApp;
let acme: { id: number; code: string };
let other: { id: number; code: string };
let sims: { id: number; iccid: string }[];
const pool = () => test.database.pool;

const prefer = (orgId: number, kinds: readonly ReportKind[], at: string, zone = timeZone) =>
  inTransaction(pool(), (tx) =>
    savePreferences(tx, {
      orgId,
      kinds: [...kinds],
      formats: ['csv', 'xlsx'],
      language: 'en-US',
      time_zone: zone,
      notify: [],
      at: new Date(at),
    }),
  );

/** Records on either side of both borders of October in Madrid, and in the middle of the month. */
const records = [
  { at: '2026-09-30T21:30:00Z', bytes: 1, country: 'DE' },
  { at: '2026-09-30T22:30:00Z', bytes: 20 * megabyte, country: 'DE' },
  { at: '2026-10-01T12:00:00Z', bytes: 5, country: 'DE' },
  { at: '2026-10-15T12:00:00Z', bytes: 300, country: 'JP' },
  { at: '2026-10-31T22:30:00Z', bytes: 4000, country: 'DE' },
  { at: '2026-10-31T23:30:00Z', bytes: 50_000, country: 'JP' },
] as const;

beforeAll(async () => {
  test = await testApp();
  test.clock.set('2026-09-01T00:00:00Z');
  await ensurePartitions(pool(), new Date('2026-08-01T00:00:00Z'), new Date('2027-03-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  acme = await makeOrganisation(test, { code: 'acme', parentCode: 'operator' });
  other = await makeOrganisation(test, { code: 'other', parentCode: 'operator' });
  await makePricedBundles(pool());
  const now = new Date('2026-09-01T02:00:00Z');
  sims = [];
  for (const { id } of [acme, acme, other]) sims.push(await makeSimWithBundles(test, { orgId: id, now }));
  await pool().query("update sims set created_at = '2026-09-01'");
  test.clock.set('2026-11-01T01:00:00Z');
  for (const { iccid } of sims) await importUsage(test, iccid, records);
  // The second SIM was transferred from acme to the other organisation in the middle of the month.
  await pool().query(
    `insert into sim_ownerships (sim_id, number, org_id, since, until)
     select id, 0, $2, '-infinity', '2026-10-10' from sims where id = $1`,
    [sims[1]?.id, acme.id],
  );
  await pool().query(
    `update sims set org_id = $2, ownership = 1, owned_since = '2026-10-10', device_name = 'theirs now' where id = $1`,
    [sims[1]?.id, other.id],
  );
  await pool().query(
    `insert into sim_events (sim_id, at, org_id, kind, facts, actor)
     select $1, at, $2, 'lifecycle-changed', facts, 'Ada'
     from (values (timestamptz '2026-10-20', jsonb '{"from":"active","to":"paused","reason":"suspend"}'),
       ('2026-11-02', '{"from":"paused","to":"active","reason":"resume"}')) as e (at, facts)`,
    [sims[0]?.id, acme.id],
  );
  await makeBill(pool(), { orgId: acme.id, month });
  await publishedMonth(pool(), { orgId: acme.id, month });
  await turnDueCycles({ pool: pool(), now: new Date('2026-11-02T00:00:00Z') });
});
afterAll(() => test.close());

const make = (at: string) => {
  test.clock.set(at);
  return generateDueReports({ pool: pool(), clock: test.clock });
};

const reportsOf = async (orgId: number) => {
  const { rows } = await pool().query<{ id: number }>(
    'select id from reports where org_id = $1 and made_at is not null order by id',
    [orgId],
  );
  return findReports(pool(), { orgId, ids: rows.map(({ id }) => id), withPreview: true });
};
const figuresOf = async (orgId: number, kind: ReportKind) => {
  const report = (await reportsOf(orgId)).find((one) => one.kind === kind);
  return Object.fromEntries((report?.figures ?? []).map(({ figure, value }) => [figure, value]));
};
const textOf = (orgId: number, kind: ReportKind) => reportText(pool(), { orgId, month, kind });
const readyFacts = async () =>
  (await pool().query("select org_id from outbox where topic = 'report.ready' order by 1")).rows;

describe('the reports of a month', () => {
  it('are generated from the 5th on, once each by two workers, and announced once', async () => {
    await prefer(acme.id, reportKinds, '2026-10-20T00:00:00Z');
    await make('2026-11-04T15:00:00Z');
    expect(await reportsOf(acme.id)).toEqual([]);
    await Promise.all([make('2026-11-04T17:00:00Z'), make('2026-11-04T17:00:00Z')]);
    await make('2026-11-04T18:00:00Z');
    const made = await reportsOf(acme.id);
    expect(made).toHaveLength(reportKinds.length);
    expect(new Set(made.map(({ kind }) => kind))).toEqual(new Set(reportKinds));
    for (const { files, month: of } of made)
      expect([of, ...files.map(({ format }) => format)]).toEqual([month, 'csv', 'xlsx']);
    await make('2026-11-05T18:00:00Z');
    expect((await reportsOf(acme.id)).map(({ id }) => id)).toEqual(made.map(({ id }) => id));
    expect(await readyFacts()).toEqual([{ org_id: acme.id }]);
  });

  it('contain usage between two midnights of the zone, while SIMs belonged to the organisation', async () => {
    const { from, until } = boundsOf(month, timeZone);
    const { rows } = await pool().query<{ sim: string; used: number }>(
      `select s.iccid as sim, sum(c.up_bytes + c.down_bytes)::bigint as used
       from cdrs c join sims s on s.id = c.sim_id join sim_owners o on o.sim_id = c.sim_id and o.org_id = $1
         and c.ended_at >= o.since and c.ended_at < o.until
       where c.ended_at >= $2 and c.ended_at < $3 group by 1 order by 1`,
      [acme.id, from, until],
    );
    const [, ...lines] = await textOf(acme.id, 'sim-usage');
    expect(lines.map((cells) => ({ sim: cells[0], used: Number(cells[6]) }))).toEqual(rows);
    expect(rows.map(({ used }) => used)).toEqual([20 * megabyte + 4305, 20 * megabyte + 5]);
    // The first of October in Madrid begins on the day (UTC) before.
    expect(lines.map((cells) => cells[3])).toEqual(['3', '1']);
    const total = rows.reduce((sum, { used }) => sum + used, 0);
    expect(await figuresOf(acme.id, 'sim-usage')).toMatchObject({ sims: 2, used: total, unused: 0 });
    const [, ...byNetwork] = await textOf(acme.id, 'networks');
    expect(byNetwork.reduce((sum, cells) => sum + Number(cells[7]), 0)).toBe(total);
    expect(await figuresOf(acme.id, 'networks')).toEqual({ countries: 2, networks: 2, used: total });
  });

  it('contain the inventory at the end of the month, and each status change with actor and reason', async () => {
    const [, ...lines] = await textOf(acme.id, 'inventory');
    expect(lines.map(([iccid, , , , status]) => [iccid, status])).toEqual([[sims[0]?.iccid, 'Paused']]);
    expect(await figuresOf(acme.id, 'inventory')).toMatchObject({ sims: 1, paused: 1, active: 0 });
    const [, ...changes] = await textOf(acme.id, 'status-changes');
    expect(changes).toHaveLength(1);
    expect(changes[0]).toEqual(
      expect.arrayContaining([sims[0]?.iccid, 'Active', 'Paused', 'Ada', '2026-10-20 02:00:00']),
    );
  });

  it('omit a SIM’s time with another organisation', async () => {
    for (const kind of reportKinds)
      expect(JSON.stringify(await textOf(acme.id, kind))).not.toContain('theirs now');
  });

  it('contain the usage of cycles that ended in it, and bills line by line', async () => {
    const { from, until } = businessMonth(month);
    const { rows } = await pool().query<{ used: number; over: number }>(
      `select coalesce(sum(u.used_bytes), 0)::bigint as used,
         coalesce(sum(greatest(u.used_bytes - u.limit_bytes, 0)), 0)::bigint as over
       from usage_cycles u join sim_owners o on o.sim_id = u.sim_id and o.org_id = $1
         and u.cycle_ends_at > o.since and u.cycle_ends_at <= o.until
       where u.cycle_ends_at > $2 and u.cycle_ends_at <= $3`,
      [acme.id, from, until],
    );
    expect(await figuresOf(acme.id, 'bundles')).toMatchObject({ ...rows[0] });
    expect(await figuresOf(acme.id, 'cost')).toEqual({ lines: 3, amount: 600 });
    const [, ...lines] = await textOf(acme.id, 'cost');
    expect(lines.map((cells) => cells[5])).toEqual(['1.00', '2.00', '3.00']);
  });
});

it('continues a report that was left unfinished, from its beginning', async () => {
  await prefer(other.id, ['sim-usage'], '2026-11-06T00:00:00Z', 'UTC');
  await pool().query(
    `with begun as (
       insert into reports (org_id, month_on, kind, language, time_zone) values ($1, '2026-10-01', 'sim-usage', 'en-US', 'UTC')
       returning id)
     insert into report_parts (report_id, format, part, content) select id, 'csv', 0, 'half' from begun`,
    [other.id],
  );
  await make('2026-11-07T00:00:00Z');
  const [, ...lines] = await textOf(other.id, 'sim-usage');
  expect(lines.map(([iccid]) => iccid)).toEqual([sims[1]?.iccid, sims[2]?.iccid].sort());
  expect(await readyFacts()).toEqual(
    [acme, other].map(({ id }) => ({ org_id: id })).sort((a, b) => a.org_id - b.org_id),
  );
});

it('does not generate kinds enabled after the 8th, except for the operator', async () => {
  await prefer(other.id, ['sim-usage', 'sms'], '2026-11-09T00:00:00Z', 'UTC');
  await make('2026-11-09T01:00:00Z');
  expect((await reportsOf(other.id)).map(({ kind }) => kind)).toEqual(['sim-usage']);
  const work = { code: 'other', actor: operatorActor(), now: test.clock.now() };
  expect(await regenerateMonth(pool(), { ...work, month })).toEqual({ removed: 1, generated: 2 });
  await expect(regenerateMonth(pool(), { ...work, month: '2026-11' })).rejects.toThrow('not due yet');
  expect(await readyFacts()).toHaveLength(2);
});

it('generates reports that are missing for up to three earlier months, by the kinds of that time', async () => {
  await prefer(other.id, ['sim-usage', 'sms', 'inventory'], '2027-01-09T00:00:00Z', 'UTC');
  await make('2027-03-04T12:00:00Z');
  const made = (await reportsOf(other.id)).map((report) => `${report.month} ${report.kind}`);
  expect(new Set(made.filter((name) => !name.startsWith(month)))).toEqual(
    new Set([
      ...['2026-11 sim-usage', '2026-11 sms', '2026-12 sim-usage', '2026-12 sms'],
      ...['2027-01 sim-usage', '2027-01 sms', '2027-01 inventory'],
    ]),
  );
  const announced = `select to_char(month_on, 'YYYY-MM') as month from report_months where org_id = $1 order by 1`;
  expect((await pool().query(announced, [other.id])).rows.map((row) => row.month)).toEqual([
    ...[month, '2026-11', '2026-12', '2027-01'],
  ]);
});

it('retains 24 months', async () => {
  await make('2028-10-31T12:00:00Z');
  const october = async () => (await reportsOf(acme.id)).filter((report) => report.month === month);
  expect(await october()).toHaveLength(reportKinds.length);
  await make('2028-11-02T12:00:00Z');
  expect(await october()).toEqual([]);
  expect(await textOf(acme.id, 'sim-usage')).toEqual([]);
});

it('that fail for one organisation do not block others', async () => {
  const zoneOfAcme = (zone: string) =>
    pool().query('update report_preferences set time_zone = $2 where org_id = $1', [acme.id, zone]);
  await zoneOfAcme('Nowhere/Land');
  await expect(make('2029-01-05T00:00:00Z')).rejects.toThrow('Nowhere/Land');
  expect((await reportsOf(other.id)).filter((report) => report.month === '2028-12')).toHaveLength(3);
  await zoneOfAcme(timeZone);
});
