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
  `${bill}: computed again, the same cents; 0 cycles have records that came since`;

it('bills check --all computes every bill in force again, and no draft', async () => {
  expect(await check('--all')).toEqual({
    said: [same('BILL-2026-09-00091'), same('BILL-2026-09-00092')],
    errors: '',
  });
  expect(await check('BILL-2026-09-00091')).toEqual({ said: [same('BILL-2026-09-00091')], errors: '' });
});

it('bills check names each bill that is not what its records say, after the others', async () => {
  await test.database.pool.query('update bills set total_minor = 5 where serial = 91');
  const { said, errors } = await check('--all', '--json');
  expect(said.map((line) => JSON.parse(line))).toEqual([
    {
      ...{ bill: 'BILL-2026-09-00091', late: 0 },
      mismatches: [{ what: 'the sum of the lines', billed: '5', computed: '0' }],
    },
    { bill: 'BILL-2026-09-00092', late: 0, mismatches: [] },
  ]);
  expect(errors).toContain('Not what the records say: BILL-2026-09-00091');
});

it('bills check wants a bill or --all, and not both', async () => {
  for (const args of [[], ['BILL-2026-09-00091', '--all']]) {
    expect(await check(...args)).toMatchObject({
      said: [],
      errors: expect.stringContaining('Name a bill, or give --all'),
    });
  }
});
