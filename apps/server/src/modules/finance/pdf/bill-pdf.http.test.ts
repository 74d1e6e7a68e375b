import { endpoints, type Language, limits } from '@simcube/contract';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { setDayOffset } from '../../../platform/clock/business-day.ts';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';
import { makeBill } from '../../../testing/bills.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { readPdf } from '../../../testing/pdf.ts';

const { finance } = endpoints;
// Each thread reads the sources first.
vi.setConfig({ testTimeout: 60_000 });

let test: TestApp;
let admin: TestClient;
let stranger: TestClient;
let billId: string;
let draftId: string;

beforeAll(async () => {
  test = await testApp();
  const { pool } = test.database;
  test.clock.set('2026-11-20T12:00:00Z');
  await makeOrganisation(test, { code: 'operator' });
  const acme = await makeOrganisation(test, { code: 'acme', parentCode: 'operator' });
  const other = await makeOrganisation(test, { code: 'other', parentCode: 'operator' });
  admin = await signedInAs(test, 'admin', acme);
  stranger = await signedInAs(test, 'admin', other);
  const { id: simId } = await makeSim(pool, acme.id, {});
  billId = String(await makeBill(pool, { orgId: acme.id, simIds: [simId], serial: 417 }));
  draftId = String(await makeBill(pool, { orgId: acme.id, month: '2026-11', serial: 418 }));
  await pool.query("update bills set status = 'draft', issued_at = null, due_on = null where id = $1", [
    draftId,
  ]);
});
afterAll(() => test.close());

const asked = async (
  call: typeof finance.pdf | typeof finance.previewPdf,
  query: { billId: string; language?: Language },
  by = admin,
) =>
  test.app.inject({
    url: call.path,
    query,
    headers: { ...by.headers, 'accept-language': 'en-US' },
  });
const codeOf = (answer: Awaited<ReturnType<typeof asked>>) =>
  (answer.json() as { status: { code: string } }).status.code;

it('a bill is downloaded as a file, the same one each time', async () => {
  const [once, again] = [await asked(finance.pdf, { billId }), await asked(finance.pdf, { billId })];
  expect(once.statusCode).toBe(200);
  expect(once.headers['content-type']).toBe('application/pdf');
  expect(once.headers['content-disposition']).toContain('attachment; filename="BILL-2026-10-00417.pdf"');
  expect(readPdf(once.rawPayload).text.replaceAll(' ', '')).toContain('Topay€6.00');
  expect(once.rawPayload.equals(again.rawPayload)).toBe(true);
});

it('a payment changes the open amount', async () => {
  const { pool } = test.database;
  await pool.query(
    `insert into bill_payments (org_id, serial, currency, amount_minor, paid_on, reference, recorded_at)
     select org_id, serial, 'EUR', 150, '2026-11-10', 'TX 1', now() from bills where id = $1`,
    [billId],
  );
  const text = readPdf((await asked(finance.pdf, { billId })).rawPayload).text.replaceAll(' ', '');
  for (const part of ['TX1', 'Paid-€1.50', 'Topay€4.50']) expect(text).toContain(part);
});

it('a draft can be previewed but not downloaded', async () => {
  const preview = await asked(finance.previewPdf, { billId: draftId });
  expect(preview.headers['content-disposition']).toContain('inline; filename="BILL-2026-11-00418.pdf"');
  expect(readPdf(preview.rawPayload).text).toContain('Draft');
  expect(codeOf(await asked(finance.pdf, { billId: draftId }))).toBe('CB-06-0004');
});

it('the requested language takes precedence over that of the caller', async () => {
  const spanish = await asked(finance.previewPdf, { billId, language: 'es-ES' });
  expect(readPdf(spanish.rawPayload).plain).toContain('/Lang (es-ES)');
  const english = await asked(finance.previewPdf, { billId });
  expect(readPdf(english.rawPayload).plain).toContain('/Lang (en-US)');
});

it('the drawing thread uses the business days of the process', async () => {
  const period = async () =>
    readPdf((await asked(finance.previewPdf, { billId })).rawPayload).text.replaceAll(' ', '');
  expect(await period()).toContain('Oct1,2026toOct31,2026(UTC+8)');
  setDayOffset(-5);
  try {
    expect(await period()).toContain('Oct1,2026toOct31,2026(UTC-5)');
  } finally {
    setDayOffset(8);
  }
});

it('another organisation’s bill is not found', async () => {
  for (const call of [finance.pdf, finance.previewPdf])
    expect(codeOf(await asked(call, { billId }, stranger))).toBe('CB-06-0001');
});

it('a bill with too many lines for a document is refused', async () => {
  const { pool } = test.database;
  await pool.query(
    `insert into bill_lines select (r).* from (
       select json_populate_record(n, json_build_object('line', l)) as r
       from bill_lines n, generate_series(4, $2) l where n.bill_id = $1 and n.line = 1) as more`,
    [billId, limits.bills.pdfLines + 1],
  );
  for (const call of [finance.pdf, finance.previewPdf])
    expect(codeOf(await asked(call, { billId }))).toBe('CB-06-0005');
});
