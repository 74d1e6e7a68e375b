import type { RejectReason } from '@simcube/contract/sim';
import { hourMs } from '@simcube/contract/time';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import { type Database, inTransaction } from '../../../platform/db/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { radiusInventory, type TestSims } from '../../../testing/radius.ts';
import { startAccessRecorder } from './access-recorder.ts';
import { clearRefusals, type Refusal, trimRefusals } from './refusal-events.queries.ts';
import { reportRefusals } from './refusal-events.service.ts';

const noon = new Date('2026-11-21T12:00:00Z');
const after = (hours: number) => new Date(noon.getTime() + hours * hourMs);

let database: Database;

beforeAll(async () => {
  database = await testDatabase({ max: 12 });
});
afterAll(() => database.close());

const refusal = (simId: number, reason: RejectReason = 'paused'): Refusal => ({
  simId,
  reason,
  apn: 'iot.example',
  plmn: '262-02',
});
const report = (refusals: Refusal[], now = noon) =>
  inTransaction(database.pool, (tx) => reportRefusals(tx, refusals, now));
const events = async (sims: TestSims) =>
  (
    await database.pool.query(
      `select sim_id as "simId", facts ->> 'reason' as reason, at from sim_events
       where org_id = $1 and kind = 'rejected' order by at, id`,
      [sims.orgId],
    )
  ).rows;
const facts = async (sims: TestSims) =>
  (
    await database.pool.query(
      `select payload from outbox where org_id = $1 and topic = 'aaa.access-refused' order by id`,
      [sims.orgId],
    )
  ).rows.map(({ payload }) => payload);

describe('a refusal', () => {
  it('is an event of the SIM, and updates open screens', async () => {
    const sims = await radiusInventory(database, 2);
    const [first = 0, second = 0] = sims.ids;
    await report([refusal(first), { ...refusal(second, 'apn-not-allowed'), apn: null, plmn: null }]);
    const { rows } = await database.pool.query(
      `select sim_id, facts, actor from sim_events where org_id = $1 and kind = 'rejected' order by sim_id`,
      [sims.orgId],
    );
    expect(rows).toEqual([
      { sim_id: first, facts: { reason: 'paused', apn: 'iot.example', plmn: '262-02' }, actor: null },
      { sim_id: second, facts: { reason: 'apn-not-allowed' }, actor: null },
    ]);
    expect(await facts(sims)).toEqual([
      { at: noon.toISOString(), iccids: expect.arrayContaining([sims.iccid(0), sims.iccid(1)]) },
    ]);
  });

  it('is reported once for each reason, and again after a day', async () => {
    const sims = await radiusInventory(database, 1);
    const [simId = 0] = sims.ids;
    for (const hours of [0, 1, 23.9]) await report([refusal(simId)], after(hours));
    await report([refusal(simId, 'quota-used')], after(2));
    expect((await events(sims)).map(({ reason }) => reason)).toEqual(['paused', 'quota-used']);
    for (const hours of [24, 25, 26.5])
      await report([refusal(simId), refusal(simId, 'quota-used')], after(hours));
    expect((await events(sims)).map(({ reason, at }) => [reason, at])).toEqual([
      ['paused', noon],
      ['quota-used', after(2)],
      ['paused', after(24)],
      ['quota-used', after(26.5)],
    ]);
  });

  it('is reported again when the SIM was accepted in between', async () => {
    const sims = await radiusInventory(database, 2);
    const [first = 0, second = 0] = sims.ids;
    await report([refusal(first), refusal(second)]);
    await inTransaction(database.pool, (tx) => clearRefusals(tx, [first]));
    await report([refusal(first), refusal(second)], after(1));
    expect((await events(sims)).map(({ simId }) => simId).sort((a, b) => a - b)).toEqual([
      first,
      first,
      second,
    ]);
  });

  it('is reported once by servers that reject concurrently, in any order', async () => {
    const sims = await radiusInventory(database, 300);
    const all = sims.ids.map((simId) => refusal(simId));
    const batches = Array.from({ length: 8 }, (_, turn) => (turn % 2 === 0 ? all : all.toReversed()));
    await Promise.all([
      ...batches.map((batch) => report(batch)),
      ...batches.map(() => inTransaction(database.pool, (tx) => clearRefusals(tx, [-1, -2]))),
    ]);
    expect(await events(sims)).toHaveLength(300);
    await Promise.all([
      ...batches.map((batch) => report(batch, after(24))),
      inTransaction(database.pool, (tx) => trimRefusals(tx, noon)),
    ]);
    expect(await events(sims)).toHaveLength(600);
  });

  it('is deleted when it is no longer needed', async () => {
    const sims = await radiusInventory(database, 1);
    await report(sims.ids.map((simId) => refusal(simId)));
    const countStored = async () =>
      (await database.pool.query('select 1 from access_refusals where sim_id = any($1)', [sims.ids]))
        .rowCount;
    await trimRefusals(database.pool, after(24));
    expect(await countStored()).toBe(1);
    await trimRefusals(database.pool, after(24.1));
    expect(await countStored()).toBe(0);
  });
});

describe('the stored results of Access-Requests', () => {
  const grant = (simId: number, rateKbps: number | null = null) => ({ simId, rateKbps, hasSession: false });
  const startRecorder = (log = createLog({ level: 'silent', format: 'json' })) =>
    startAccessRecorder({
      pool: database.pool,
      log,
      clock: new FixedClock(noon.toISOString()),
      longCodes: () => new Set(),
    });
  const recordDecisions = async (sims: TestSims, decisions: readonly (RejectReason | 'accepted')[]) => {
    const recorder = startRecorder();
    const [simId = 0] = sims.ids;
    for (const decision of decisions) {
      if (decision === 'accepted') recorder.recordAccept(grant(simId));
      else
        recorder.recordRefusal({
          clientId: 1,
          simId,
          identity: 'imsi:1',
          reason: decision,
          apn: undefined,
          plmn: 262_002,
        });
    }
    await recorder.stop();
    return (await events(sims)).map(({ reason }) => reason);
  };

  it.each([
    { decisions: ['paused', 'paused', 'expired'], reported: ['paused', 'expired'] },
    { decisions: ['accepted', 'paused', 'paused'], reported: ['paused'] },
    { decisions: ['paused', 'accepted', 'paused'], reported: ['paused', 'paused'] },
  ] as const)('in the order of the decisions: $decisions', async ({ decisions, reported }) => {
    const sims = await radiusInventory(database, 1);
    const byName = (a: string, b: string) => a.localeCompare(b);
    expect((await recordDecisions(sims, decisions)).toSorted(byName)).toEqual(reported.toSorted(byName));
  });

  it('clear the refusal of a SIM that is accepted later', async () => {
    const sims = await radiusInventory(database, 1);
    expect(await recordDecisions(sims, ['paused', 'accepted'])).toEqual(['paused']);
    expect(await recordDecisions(sims, ['paused'])).toEqual(['paused', 'paused']);
    expect(await recordDecisions(sims, ['paused'])).toEqual(['paused', 'paused']);
  });

  it.each(['access_refusals', 'radius_rejects'])(
    'are retried until they can be stored, and the newest counts: %s is unavailable',
    async (table) => {
      const sims = await radiusInventory(database, 2);
      const [first = 0, second = 0] = sims.ids;
      let onFailure: () => void = () => undefined;
      const failed = new Promise<void>((resolve) => {
        onFailure = resolve;
      });
      const recorder = startRecorder(
        createLog({ level: 'warn', format: 'json', destination: { write: () => onFailure() } }),
      );
      const refuse = (simId: number) =>
        recorder.recordRefusal({
          clientId: 1,
          simId,
          identity: 'imsi:1',
          reason: 'paused',
          apn: undefined,
          plmn: undefined,
        });
      await database.pool.query(`alter table ${table} rename to unavailable`);
      recorder.recordAccept(grant(first, 64));
      refuse(second);
      recorder.recordAccept(grant(second, 64));
      await failed;
      recorder.recordAccept(grant(second, 128));
      await database.pool.query(`alter table unavailable rename to ${table}`);
      await recorder.stop();
      const { rows } = await database.pool.query(
        `select network_rate_kbps as rate, (select count(*)::int from radius_rejects r where r.sim_id = l.sim_id) as rejects
         from sim_live l where org_id = $1 order by sim_id`,
        [sims.orgId],
      );
      expect(rows).toEqual([
        { rate: 64, rejects: 0 },
        { rate: 128, rejects: 1 },
      ]);
      expect((await events(sims)).map(({ simId }) => simId)).toEqual([second]);
    },
  );
});
