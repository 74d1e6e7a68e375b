import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import { type Database, inTransaction } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { sessionUpdate, storeUpdate, testIntake } from '../../../testing/session-updates.ts';
import { makeUsageSims, sourceOf } from '../../../testing/usage-records.ts';
import { addToPools } from '../../pool/index.ts';
import { lockLive, moveSims } from '../../sim/transfer/transfer.queries.ts';
import { importCdrs, networkUsage, recordUsageHandover } from '../../usage/index.ts';
import { createUsageViews } from '../../usage/usage.views.ts';
import type { Intake } from './intake.ts';

const clock = new FixedClock('2026-11-19T08:00:00Z');
let database: Database;
let intake: Intake;
let acme: number;
let branch: number;

beforeAll(async () => {
  database = await testDatabase();
  intake = await testIntake(database, clock);
  const [one, , other] = await makeUsageSims(database.pool);
  [acme, branch] = [one.orgId, other.orgId];
});
afterAll(async () => {
  await intake.stop();
  await database.close();
});

interface Card {
  id: number;
  iccid: string;
  imsi: string;
}

let session = 0;
const ways = {
  accounting: async ({ imsi }: Card, at: string, up: number) => {
    session += 1;
    const facts = { status: 'stop' as const, sessionKey: session, up };
    await storeUpdate(intake, sessionUpdate({ imsi, at: Date.parse(at) }, facts));
  },
  'a file': async ({ iccid }: Card, at: string, up: number) => {
    session += 1;
    const text = `iccid,record_id,ended_at,up_bytes,down_bytes,mcc,mnc,rat\n${iccid},R${session},${at},${up},0,262,02,3G\n`;
    await importCdrs({ countForPools: addToPools, pool: database.pool, clock, source: sourceOf(text) });
  },
};

const transfer = async ({ id }: Card, [from, to]: [number, number], at: string): Promise<void> => {
  clock.set(at);
  await inTransaction(database.pool, async (tx) => {
    await lockLive(tx, [id]);
    await moveSims(tx, { simIds: [id], from, to, at: clock.now() }, []);
    await recordUsageHandover(tx, { simIds: [id], at: clock.now() });
  });
};

/** The number of the SIM's records that an organisation has, by hour or day. */
const counted = async ({ id }: Card, orgId: number, length: 13 | 10): Promise<Record<string, number>> => {
  const { rows } = await database.pool.query<{ at: Date; bytes: number }>(
    'select ended_at as at, up_bytes + down_bytes as bytes from cdrs where sim_id = $1 and org_id = $2',
    [id, orgId],
  );
  return sums(rows.map(({ at, bytes }) => [at.toISOString().slice(0, length), bytes]));
};

/** The organisation's view of the SIM's usage. */
const shown = async ({ id }: Card, orgId: number, granularity: 'hour' | 'day') => {
  const views = createUsageViews({ db: database.db, clock });
  const days = { from: '2026-11-18', to: '2026-11-21' };
  const { points, total_bytes, by_network } = await views.simUsage({ id, orgId }, { granularity, ...days });
  expect(by_network.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(total_bytes);
  return sums(
    points.map(({ at, up_bytes, down_bytes }) => [
      at.slice(0, granularity === 'hour' ? 13 : 10),
      up_bytes + down_bytes,
    ]),
  );
};

const sums = (parts: readonly (readonly [string, number])[]): Record<string, number> => {
  const found = new Map<string, number>();
  for (const [key, bytes] of parts) if (bytes !== 0) found.set(key, (found.get(key) ?? 0) + bytes);
  return Object.fromEntries([...found].sort());
};

describe.each(Object.entries(ways))('late records of a transferred SIM that arrive by %s', (_, use) => {
  it('belong to the organisation that owned it when they were counted, by hour, by day and by country', async () => {
    const card = await makeSim(database.pool, acme);
    const late = async (bytes: number) => {
      await use(card, '2026-11-18T22:30:00Z', bytes);
      await use(card, '2026-11-19T09:30:00Z', bytes * 10);
      await use(card, '2026-11-19T12:10:00Z', bytes * 100);
      await use(card, '2026-11-20T03:00:00Z', bytes * 1000);
    };
    clock.set('2026-11-19T10:00:00Z');
    await use(card, '2026-11-19T09:00:00Z', 1_000_000);
    await transfer(card, [acme, branch], '2026-11-19T12:20:00Z');
    clock.set('2026-11-20T05:00:00Z');
    await use(card, '2026-11-20T04:59:00Z', 2_000_000);
    await late(1);
    await transfer(card, [branch, acme], '2026-11-20T06:20:00Z');
    clock.set('2026-11-20T08:00:00Z');
    await late(2);
    await transfer(card, [acme, branch], '2026-11-20T09:20:00Z');
    clock.set('2026-11-21T08:00:00Z');
    await use(card, '2026-11-21T07:59:00Z', 3_000_000);
    await late(3);
    for (const orgId of [acme, branch]) {
      expect(await shown(card, orgId, 'hour')).toEqual(await counted(card, orgId, 13));
      expect(await shown(card, orgId, 'day')).toEqual(await counted(card, orgId, 10));
      const span = { simId: card.id, from: new Date('2026-11-18T22:00:00Z'), to: clock.now() };
      const [used] = await networkUsage(database.pool, [span], orgId);
      const all = Object.values(await counted(card, orgId, 10)).reduce((sum, bytes) => sum + bytes, 0);
      expect(used?.bytes).toBe(all);
    }
  });
});

it('the end of a session after a transfer does not show the SIM to its new organisation', async () => {
  const card = await makeSim(database.pool, acme);
  clock.set('2026-11-22T08:00:00Z');
  session += 1;
  const began = { sessionKey: session, ip: '10.8.0.1', imei: '49015420323751' };
  const { imsi } = card;
  await storeUpdate(
    intake,
    sessionUpdate({ imsi, at: clock.now().getTime() }, { status: 'start', ...began }),
  );
  await transfer(card, [acme, branch], '2026-11-22T09:00:00Z');
  await database.pool.query('truncate outbox');
  const stop = { status: 'stop' as const, sessionKey: session, up: 5, plmn: null, radio: null };
  await storeUpdate(intake, sessionUpdate({ imsi, at: clock.now().getTime() + 3000 }, stop));
  const { rows } = await database.pool.query(
    `select l.connection, l.last_seen_at, l.ip, l.plmn, l.radio, l.imei, s.last_imei, r.stopped_at
     from sim_live l join sims s on s.id = l.sim_id join radius_sessions r on r.sim_id = l.sim_id where l.sim_id = $1`,
    [card.id],
  );
  const unseen = {
    connection: 0,
    last_seen_at: null,
    ip: null,
    plmn: null,
    radio: null,
    imei: null,
    last_imei: null,
  };
  expect(rows).toEqual([{ ...unseen, stopped_at: new Date('2026-11-22T09:00:03Z') }]);
  const { rows: used } = await database.pool.query(
    'select sum(up_bytes)::int as bytes from cdrs where sim_id = $1 and org_id = $2',
    [card.id, branch],
  );
  expect(used).toEqual([{ bytes: 5 }]);
  const facts = await database.pool.query(`select from outbox where topic = 'aaa.session-changed'`);
  expect(facts.rowCount).toBe(0);
});
