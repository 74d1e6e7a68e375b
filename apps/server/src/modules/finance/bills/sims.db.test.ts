import { afterAll, beforeAll, expect, it } from 'vitest';
import { pageQueryOf, readPage } from '../../../platform/lists/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../../testing/app.ts';
import { makeBill } from '../../../testing/bills.ts';
import { makeSim } from '../../../testing/inventory.ts';
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
