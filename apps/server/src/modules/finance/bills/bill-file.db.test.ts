import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeOrganisation, type TestApp, testApp } from '../../../testing/app.ts';
import { makeBill } from '../../../testing/bills.ts';
import { crashingPool } from '../../../testing/crashing-pool.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { billFile } from './bill-file.ts';
import { findOwnBill } from './bills.views.ts';

const cycles = 25_001;

let test: TestApp;
let orgId: number;
let billId: number;
const pool = () => test.database.pool;

beforeAll(async () => {
  test = await testApp();
  await makeOrganisation(test, { code: 'operator' });
  orgId = (await makeOrganisation(test, { code: 'acme', parentCode: 'operator' })).id;
  const sim = await makeSim(pool(), orgId, {});
  billId = await makeBill(pool(), { orgId });
  await pool().query(
    `insert into bill_charges (bill_id, line, sim_id, cycle_started_at, quantity)
     select $1, 2, $2, '2026-10-01'::timestamptz + make_interval(mins => n), 1 from generate_series(1, $3::int) n`,
    [billId, sim.id, cycles],
  );
});
afterAll(() => test.close());

/** The file of the bill's SIMs, with the number of statements so far. */
const fileOf = async (format: 'csv' | 'xlsx', of: 'lines' | 'sims' = 'sims') => {
  const seen = { statements: 0 };
  const counting = crashingPool(pool(), (step) => {
    if (step === 'statement') seen.statements += 1;
  });
  const bill = await findOwnBill(pool(), { orgId, id: billId });
  if (!bill) throw new Error('There is no bill');
  const { content } = await billFile(counting, {
    bill,
    format,
    content: of,
    language: 'en-US',
    timeZone: 'UTC',
  });
  return { seen, pieces: (content as AsyncIterable<Buffer>)[Symbol.asyncIterator]() };
};
const rest = async (pieces: AsyncIterator<Buffer>): Promise<Buffer> => {
  const found: Buffer[] = [];
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) found.push(next.value);
  return Buffer.concat(found);
};

it('has a row for each cycle of a SIM, streamed on demand', async () => {
  const { seen, pieces } = await fileOf('csv');
  const first = (await pieces.next()).value as Buffer;
  // The snapshot and the first rows; further rows wait for the reader.
  expect(seen.statements).toBeLessThan(5);
  const text = Buffer.concat([first, await rest(pieces)]).toString();
  const lines = text.split('\r\n').slice(1, -1);
  expect(lines).toHaveLength(cycles);
  expect(new Set(lines).size).toBe(cycles);
  expect(seen.statements).toBeGreaterThan(7);
});

it('is consistent for each cycle even if the draft is recomputed while it is read', async () => {
  const { pieces } = await fileOf('csv');
  const swapped = async (table: string) => {
    await pool().query(`update ${table} set line = 10 + line where bill_id = $1 and line > 1`, [billId]);
    await pool().query(`update ${table} set line = 15 - line where bill_id = $1 and line > 1`, [billId]);
  };
  await swapped('bill_lines');
  await swapped('bill_charges');
  const text = (await rest(pieces)).toString();
  await swapped('bill_lines');
  await swapped('bill_charges');
  const line = text.split('\r\n')[1];
  expect(line).toMatch(/^3,[^,]*,Beyond the quota,/);
});

it('has negative amounts as numbers', async () => {
  await pool().query(
    'update bill_lines set quantity = -2, amount_minor = -358 where bill_id = $1 and line = 2',
    [billId],
  );
  const { pieces } = await fileOf('csv', 'lines');
  expect((await rest(pieces)).toString().split('\r\n')[2]).toMatch(/,-2,1\.000000,-3\.58$/);
});

it('is a streamed workbook that stops reading when the download is aborted', async () => {
  const { seen, pieces } = await fileOf('xlsx');
  await pieces.next();
  await pieces.return?.();
  expect(seen.statements).toBeLessThan(7);
  const whole = await fileOf('xlsx');
  expect((await rest(whole.pieces)).subarray(0, 2).toString()).toBe('PK');
});
