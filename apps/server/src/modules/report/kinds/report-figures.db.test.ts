import { minuteMs } from '@simcube/contract/time';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensurePartitions, inTransaction } from '../../../platform/db/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../../testing/app.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { makePool, orderShared } from '../../../testing/pools.ts';
import { importUsage, makePricedBundles } from '../../../testing/prices.ts';
import { reportFigures, reportText } from '../../../testing/reports.ts';
import { operatorActor } from '../../audit/index.ts';
import { exitSims } from '../../pool/membership/membership.service.ts';
import { regenerateMonth } from '../generation/regenerate.service.ts';
import { savePreferences } from '../preferences/preferences.queries.ts';

const month = '2026-10';
/** October in the operator's business days: pools' cycles end with it. */
const from = Date.parse('2026-09-30T16:00:00Z');
const until = Date.parse('2026-10-31T16:00:00Z');

let test: TestApp;
let acme: { id: number; code: string };
let other: { id: number };
let sims: { id: number; iccid: string }[];
const pool = () => test.database.pool;

beforeAll(async () => {
  test = await testApp();
  test.clock.set('2026-09-01T00:00:00Z');
  await ensurePartitions(pool(), new Date('2026-08-01T00:00:00Z'), new Date('2026-12-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  acme = await makeOrganisation(test, { code: 'acme', parentCode: 'operator' });
  other = await makeOrganisation(test, { code: 'other', parentCode: 'operator' });
  await makePricedBundles(pool());
  sims = [];
  for (let index = 0; index < 3; index += 1)
    sims.push(await makeSim(pool(), acme.id, { lifecycle: 'active' }));
  const preferences = { language: 'en-US', time_zone: 'Asia/Shanghai', notify: [] } as const;
  await inTransaction(pool(), (tx) =>
    savePreferences(tx, {
      ...preferences,
      notify: [],
      formats: ['csv'],
      orgId: acme.id,
      kinds: ['pools', 'sms'],
      at: new Date('2026-09-01T00:00:00Z'),
    }),
  );
});
afterAll(() => test.close());

const remake = () => {
  test.clock.set('2026-11-09T00:00:00Z');
  return regenerateMonth(pool(), { code: 'acme', month, actor: operatorActor(), now: test.clock.now() });
};
const written = (kind: 'pools' | 'sms') => reportText(pool(), { orgId: acme.id, month, kind });
const lines = async (kind: 'pools' | 'sms') => (await written(kind)).slice(1);
const heading = async (kind: 'pools' | 'sms') => (await written(kind))[0] ?? [];
const figures = (kind: 'pools' | 'sms') => reportFigures(pool(), { orgId: acme.id, month, kind });

/** Within two days of either end of the month as often as in its middle; never exactly at an end. */
const instant = fc.oneof(
  fc.integer({ min: -2880, max: 2880 }).map((minutes) => from + minutes * minuteMs + 1000),
  fc.integer({ min: -2880, max: 2880 }).map((minutes) => until + minutes * minuteMs + 1000),
  fc.integer({ min: from, max: until - 1 }),
);

const message = fc.record({
  sim: fc.nat({ max: 2 }),
  at: instant,
  isFrom: fc.boolean(),
  status: fc.nat({ max: 4 }),
  parts: fc.integer({ min: 1, max: 4 }),
  // Of a message that failed; null before they were counted: then all of them, none having been accepted.
  unsent: fc.option(fc.nat({ max: 4 }), { nil: null }),
  isOurs: fc.boolean(),
});
const [delivered, failed] = [2, 3];

it('counts the messages of each SIM in the month like a direct evaluation', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 40 }), async (messages) => {
      await pool().query('delete from sms_messages');
      for (const { sim, at, isFrom, status, parts, unsent, isOurs } of messages) {
        const own = [sims[sim]?.id, isOurs ? acme.id : other.id, new Date(at), isFrom];
        await pool().query(
          `insert into sms_messages (sim_id, org_id, at, mobile_originated, status, content, msisdn, encoding, parts,
             unsent_parts)
           values ($1, $2, $3, $4, $5, 'Hello', '491500000000', 0, $6, $7)`,
          [
            ...own,
            isFrom ? 5 : status,
            parts,
            status === failed && unsent !== null ? Math.min(unsent, parts) : null,
          ],
        );
      }
      await remake();
      const within = messages.filter(({ at, isOurs }) => isOurs && at >= from && at < until);
      const expected = sims.flatMap(({ iccid }, index) => {
        const own = within.filter(({ sim }) => sim === index);
        const sent = own.filter(({ isFrom }) => !isFrom);
        const unsentOf = ({ status, parts, unsent }: (typeof own)[number]) =>
          status === failed ? Math.min(unsent ?? parts, parts) : 0;
        const parts = sent.reduce((sum, one) => sum + one.parts - unsentOf(one), 0);
        const count = (wanted: number) => sent.filter(({ status }) => status === wanted).length;
        const row = [sent.length, parts, count(delivered), count(failed), own.length - sent.length];
        return own.length > 0 ? [[iccid, ...row]] : [];
      });
      const shown = (await lines('sms')).map(([iccid, , ...counts]) => [iccid, ...counts.map(Number)]);
      expect(shown).toEqual(expected.toSorted(([a], [b]) => String(a).localeCompare(String(b))));
      const sum = (column: number) => expected.reduce((all, row) => all + Number(row[column]), 0);
      expect(await figures('sms')).toEqual({
        sent: sum(1),
        delivered: sum(3),
        failed: sum(4),
        received: sum(5),
      });
    }),
    { numRuns: 5, endOnFailure: true },
  );
});

it('shows the contributions and usage of a pool’s members in its cycle, including former members', async () => {
  const [quota, raised] = [1000, 500];
  const begun = new Date('2026-09-01T02:00:00Z');
  const leaving = { index: 1, at: Date.parse('2026-10-10T00:00:00Z') };
  const shared = await makePool(pool(), acme.id, { now: begun, quotaBytes: quota, policy: 'no limit' });
  const stranger = await makeSim(pool(), other.id, { lifecycle: 'active' });
  const elsewhere = await makePool(pool(), other.id, { now: begun, policy: 'no limit' });
  const iccids = sims.map(({ iccid }) => iccid);
  await orderShared(pool(), shared, iccids, begun);
  await orderShared(pool(), elsewhere, [stranger.iccid], begun);
  await shared.enrol(
    sims.map(({ id }) => id),
    begun,
  );
  await elsewhere.enrol([stranger.id], begun);
  await inTransaction(pool(), (tx) =>
    exitSims(tx, { simIds: [sims[leaving.index]?.id ?? 0], reason: 'ordered', now: new Date(leaving.at) }),
  );
  await shared.raise(raised, new Date('2026-10-15T00:00:00Z'));
  const record = fc.record({ sim: fc.nat({ max: 2 }), at: instant, bytes: fc.integer({ min: 1, max: 900 }) });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(record, { minLength: 5, maxLength: 12, selector: ({ sim, at }) => `${sim} ${at}` }),
      async (records) => {
        test.clock.set('2026-11-03T00:00:00Z');
        for (const [index, { iccid }] of sims.entries()) {
          const own = records.filter(({ sim }) => sim === index);
          const taken = own.map(({ at, bytes }) => ({
            at: new Date(at).toISOString(),
            bytes,
            country: 'DE' as const,
          }));
          if (taken.length > 0) await importUsage(test, iccid, taken);
        }
        await importUsage(test, stranger.iccid, [{ at: '2026-10-10T00:00:00Z', bytes: 77, country: 'DE' }]);
        await remake();
        const isMember = ({ sim, at }: (typeof records)[number]) => sim !== leaving.index || at < leaving.at;
        const used = records
          .filter((one) => isMember(one) && one.at >= from && one.at < until)
          .reduce((sum, { bytes }) => sum + bytes, 0);
        const limit = sims.length * quota + raised;
        const { rows: events } = await pool().query<{ at: Date }>(
          'select at from pool_events where pool_id = $1',
          [shared.id],
        );
        const inCycle = events.filter(({ at }) => at.getTime() >= from && at.getTime() < until);
        expect((await heading('pools')).slice(0, 3)).toEqual([
          ...['Pool', 'Cycle start (Asia/Shanghai)', 'Cycle end (Asia/Shanghai)'],
        ]);
        expect(await lines('pools')).toEqual([
          [
            ...['Trucks', '2026-10-01 00:00:00', '2026-11-01 00:00:00', String(sims.length)],
            ...[limit, used, Math.round((used * 100) / limit), Math.max(0, used - limit)].map(String),
            String(inCycle.length),
          ],
        ]);
        const over = used > limit ? 1 : 0;
        expect(await figures('pools')).toEqual({ pools: 1, limit, used, over_limit: over });
      },
    ),
    { numRuns: 1, endOnFailure: true },
  );
});
