import { type Plmn, radiusCode } from '@simcube/radius';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FixedClock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { testDatabase } from '../../testing/database.ts';
import {
  attributesOf,
  radiusInventory,
  sendAccounting,
  type TestRadius,
  testRadius,
} from '../../testing/radius.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');

let database: Database;
let server: TestRadius;

beforeAll(async () => {
  database = await testDatabase({ max: 12 });
  await database.pool.query(
    `insert into networks (plmn, mcc, mnc) values (334020, '334', '020'), (1001, '001', '01')
     on conflict (plmn) do update set mcc = excluded.mcc, mnc = excluded.mnc`,
  );
  await radiusInventory(database, 1);
  server = await testRadius(database, clock);
});
afterAll(async () => {
  await server.stop();
  await database.close();
});

it('events name networks by all digits of their codes, also leading zeros', async () => {
  const sims = await radiusInventory(database, 1);
  const report = (status: 'start' | 'interim', minutes: number, network: Plmn) => {
    const at = new Date(clock.now().getTime() + minutes * 60_000);
    return sendAccounting(server.acct, status, { imsi: sims.imsi(0), session: 'C', at, network });
  };
  expect(await report('start', 0, { mcc: '334', mnc: '020' })).toBe(true);
  expect(await report('interim', 1, { mcc: '001', mnc: '01' })).toBe(true);
  expect(await report('interim', 2, { mcc: '310', mnc: '410' })).toBe(true);
  await database.pool.query('update sims set lifecycle = 30 where id = $1', [sims.ids[0]]);
  const attributes = attributesOf({ imsi: sims.imsi(0), sgsnMccMnc: '334020' });
  expect(await server.auth.send({ code: radiusCode.accessRequest, attributes })).toMatchObject({ ok: true });

  const named = async () =>
    (
      await database.pool.query(
        `select kind, facts ->> 'network' as network, facts ->> 'from' as "from", facts ->> 'to' as "to",
           facts ->> 'plmn' as plmn
         from sim_events where org_id = $1 order by kind, at`,
        [sims.orgId],
      )
    ).rows.map(({ kind, network, from, to, plmn }) => [kind, network ?? plmn ?? `${from} ${to}`]);
  await expect.poll(named).toEqual([
    ['network-changed', '334-020 001-01'],
    ['network-changed', '001-01 310-410'],
    ['rejected', '334-020'],
    ['session-started', '334-020'],
  ]);
});
