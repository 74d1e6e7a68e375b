import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeOrganisation, type TestApp, testApp } from '../../../testing/app.ts';
import { commandLine } from '../../../testing/command-line.ts';

let test: TestApp;
let simcube: ReturnType<typeof commandLine>;

beforeAll(async () => {
  test = await testApp();
  await makeOrganisation(test, { code: 'operator' });
  const { id } = await makeOrganisation(test, { code: 'acme', parentCode: 'operator' });
  await test.database.pool.query(
    `insert into bills (serial, org_id, month_on, type, currency, status, total_minor, computed_at, issued_at, due_on)
     select serial, $1, '2026-09-01', type, 'EUR', status, 0, now(),
       case when status <> 'draft' then now() end, case when status <> 'draft' then current_date end
     from (values (91, 'post-payment', 'published'), (92, 'advance', 'paid'), (93, 'credit', 'draft')) as b (serial, type, status)`,
    [id],
  );
  simcube = commandLine(test, '/nonexistent');
});
afterAll(() => test.close());

const check = async (...args: string[]) => {
  const { out, errors } = await simcube.run(['bills', 'check', ...args]);
  return { said: out.trimEnd().split('\n').filter(Boolean), errors };
};
const same = (bill: string) =>
  `${bill}: recomputed, the same amounts; 0 cycles have records that arrived since`;

it('bills check --all recomputes every bill in force, and no draft', async () => {
  expect(await check('--all')).toEqual({
    said: [same('BILL-2026-09-00091'), same('BILL-2026-09-00092')],
    errors: '',
  });
  expect(await check('BILL-2026-09-00091')).toEqual({ said: [same('BILL-2026-09-00091')], errors: '' });
});

it('bills list and bills pay show the amount paid of each bill, and which bills are past due', async () => {
  await test.database.pool.query(
    `update bills set total_minor = 3495, due_on = '2026-10-10' where serial = 91`,
  );
  await test.database.pool.query(`update bills set total_minor = 500, due_on = null where serial = 92`);
  const list = async (...args: string[]) =>
    (await simcube.run(['bills', 'list', ...args])).out.trimEnd().split('\n').filter(Boolean);
  const overdue = 'BILL-2026-09-00091\tacme\texpired\t0.00 of 34.95 EUR paid\t2026-10-10';
  expect(await list('--state', 'expired', 'paid', '--organisation', 'ACME')).toEqual([
    'BILL-2026-09-00092\tacme\tpaid\t0.00 of 5.00 EUR paid, 5.00 from the deposit\t-',
    overdue,
  ]);
  expect(await list('--state', 'draft', '--month', '2026-09')).toEqual([
    'BILL-2026-09-00093\tacme\tdraft\t0.00 of 0.00 EUR paid\t-',
  ]);
  expect(await list('--month', '2026-08')).toEqual([]);
  const publish = (...args: string[]) => simcube.run(['bills', 'publish', '--month', '2026-08', ...args]);
  expect((await publish()).errors).toContain('Nothing was done (settlement customers: 1): add --yes');
  expect((await publish('--yes')).out).toBe('acme\t2026-08\t0 published, 0 held\n');
  expect((await publish('--organisation', 'acme')).out).toBe('acme\t2026-08\tclosed: nothing to bill\n');
  const pay = (amount: string, reference: string) =>
    simcube.run(['bills', 'pay', 'BILL-2026-09-00091', amount, '--reference', reference]);
  expect((await pay('10', 'TX 1')).out).toBe('BILL-2026-09-00091: published, 10.00 of 34.95 EUR paid\n');
  expect((await pay('10', 'TX 1')).out).toBe(
    'BILL-2026-09-00091: already recorded, published, 10.00 of 34.95 EUR paid\n',
  );
  expect((await pay('1000', 'TX 2')).out).toBe('BILL-2026-09-00091: paid, 1010.00 of 34.95 EUR paid\n');
  await test.database.pool.query(`delete from bill_payments`);
  await test.database.pool.query(
    `update bills set total_minor = 0, paid_on = null, status = case serial when 91 then 'published' else status end
     where serial in (91, 92)`,
  );
});

it('bills publish refuses a month whose usage is provisional, even of one organisation', async () => {
  const now = test.clock.now();
  test.clock.set('2026-12-02T00:00:00Z');
  for (const args of [[], ['--yes'], ['--organisation', 'acme']])
    expect((await simcube.run(['bills', 'publish', ...args])).errors).toContain(
      'Usage of 2026-11 is provisional until the 3rd (UTC+8)',
    );
  test.clock.set(now);
});

it('bills terms takes and shows the credit limit as an amount of its currency', async () => {
  const terms = (...options: string[]) => simcube.run(['bills', 'terms', 'acme', 'credit', ...options]);
  const limit = (value: string, currency: string) => terms('--credit-limit', value, '--currency', currency);
  expect((await limit('5000', 'EUR')).out).toBe('acme: credit, credit limit 5000.00 EUR\n');
  expect((await terms()).out).toBe('acme: credit, credit limit 5000.00 EUR\n');
  expect((await limit('5000', 'JPY')).out).toBe('acme: credit, credit limit 5000 JPY\n');
  for (const [value, currency] of [
    ['', 'EUR'],
    ['-1', 'EUR'],
    ['1.5', 'JPY'],
  ] as const)
    expect((await limit(value, currency)).errors).toContain(`${value} is not an amount in ${currency}`);
  for (const wrong of [await limit('5000', 'XYZ'), await terms('--credit-limit', '5000')])
    expect(wrong.errors).toContain('A credit limit needs its currency');
  expect((await terms('--currency', 'EUR')).errors).toContain('--currency is that of a credit limit');
  expect((await terms('--no-credit-limit')).out).toBe('acme: credit, no credit limit\n');
});

it('bills check lists the bills that differ from their records last', async () => {
  await test.database.pool.query('update bills set total_minor = 5 where serial = 91');
  const { said, errors } = await check('--all', '--json');
  expect(said.map((line) => JSON.parse(line))).toEqual([
    {
      bill: 'BILL-2026-09-00091',
      late: 0,
      records_retained: true,
      mismatches: [{ figure: 'total', item: null, what: 'the sum of the lines', billed: '5', computed: '0' }],
    },
    { bill: 'BILL-2026-09-00092', late: 0, records_retained: true, mismatches: [] },
  ]);
  expect(errors).toContain('Bills that differ from the records: BILL-2026-09-00091');
});

it('bills check requires either a bill or --all', async () => {
  for (const args of [[], ['BILL-2026-09-00091', '--all']]) {
    expect(await check(...args)).toMatchObject({
      said: [],
      errors: expect.stringContaining('Name a bill, or use --all'),
    });
  }
});
