import { afterAll, beforeAll, expect, it } from 'vitest';
import { pageQueryOf, readPage } from '../../../platform/lists/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../../testing/app.ts';
import { makeBill } from '../../../testing/bills.ts';
import { makeBundle, makeSim } from '../../../testing/inventory.ts';
import { findCostliestSims } from '../document/bill-document.views.ts';
import { lineSimList, simList } from './sims.views.ts';

let test: TestApp;
const pool = () => test.database.pool;

beforeAll(async () => {
  test = await testApp();
  await makeOrganisation(test, { code: 'operator' });
});
afterAll(() => test.close());

it('SIMs on a bill show device names only while the organisation owns them', async () => {
  const [acme, other] = [
    await makeOrganisation(test, { code: 'acme', parentCode: 'operator' }),
    await makeOrganisation(test, { code: 'other', parentCode: 'operator' }),
  ];
  const kept = await makeSim(pool(), acme.id, {});
  const gone = await makeSim(pool(), acme.id, {});
  const billId = await makeBill(pool(), { orgId: acme.id, simIds: [kept.id, gone.id] });
  await pool().query("update sims set device_name = 'Pump' where id = $1", [kept.id]);
  await pool().query("update sims set device_name = 'Secret', org_id = $2 where id = $1", [
    gone.id,
    other.id,
  ]);
  const names = [
    [kept.iccid, 'Pump'],
    [gone.iccid, null],
  ];
  const of = { now: test.clock.now(), ...pageQueryOf({ page_no: 1, page_size: 10 }) };
  const { data: ofBill } = await readPage(test.database.db, simList, { scope: { billId }, ...of });
  const { data: ofLine } = await readPage(test.database.db, lineSimList, {
    scope: { billId, line: 1 },
    ...of,
  });
  const { sims: inPdf } = await findCostliestSims(pool(), { billId, most: 5 });
  for (const sims of [ofBill, ofLine, inPdf])
    expect(Object.fromEntries(sims.map(({ iccid, device_name: name }) => [iccid, name]))).toEqual(
      Object.fromEntries(names),
    );
});

it('charges have the end of their cycle, past or running, and messages that of their day', async () => {
  const org = await makeOrganisation(test, { code: 'ends', parentCode: 'operator' });
  const { id: simId } = await makeSim(pool(), org.id, {});
  const billId = await makeBill(pool(), { orgId: org.id, simIds: [simId] });
  await pool().query(
    `insert into bill_charges (bill_id, line, sim_id, cycle_started_at, quantity)
     select $1, line, $2, at::timestamptz, 1
     from (values (1, '2026-10-10'), (1, '2026-10-20'), (3, '2026-10-20')) as v (line, at)`,
    [billId, simId],
  );
  await pool().query(
    `insert into usage_cycles (sim_id, cycle_started_at, cycle_ends_at, used_bytes)
     values ($1, '2026-10-10', '2026-10-20', 0)`,
    [simId],
  );
  await pool().query(
    "update sim_live set cycle_started_at = '2026-10-20', cycle_ends_at = '2026-11-20' where sim_id = $1",
    [simId],
  );
  const ends = async () => {
    const of = { now: test.clock.now(), ...pageQueryOf({ page_no: 1, page_size: 10 }) };
    const { data } = await readPage(test.database.db, simList, { scope: { billId }, ...of });
    return data.flatMap(({ charges }) =>
      charges.map((one) => [one.line, one.cycle_started_at.slice(5, 10), one.cycle_ends_at?.slice(5, 10)]),
    );
  };
  const past = [
    [1, '10-01', undefined],
    [1, '10-10', '10-20'],
  ];
  expect(await ends()).toEqual([...past, [1, '10-20', '11-20'], [3, '10-20', '10-21']]);
  await pool().query(
    `insert into bundle_orders (sim_id, org_id, bundle_id, status, ordered_at, activated_at, expires_at)
     values ($1, $2, $3, 'in use', '2026-10-20', '2026-10-20', '2026-11-05')`,
    [simId, org.id, await makeBundle(pool(), { code: 'ENDS' })],
  );
  // The running cycle ends with its order.
  expect(await ends()).toEqual([...past, [1, '10-20', '11-05'], [3, '10-20', '10-21']]);
});
