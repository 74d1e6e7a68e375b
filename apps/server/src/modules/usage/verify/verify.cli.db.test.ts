import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../../testing/app.ts';
import { commandLine } from '../../../testing/command-line.ts';
import {
  fileOf,
  makeUsageSims,
  someRecords,
  sourceOf,
  type UsageSim,
} from '../../../testing/usage-records.ts';
import { addToPools } from '../../pool/index.ts';
import { importCdrs } from '../index.ts';

let test: TestApp;
let first: UsageSim;
let simcube: ReturnType<typeof commandLine>;

beforeAll(async () => {
  test = await testApp();
  const sims = await makeUsageSims(test.database.pool);
  [first] = sims;
  const { clock } = test;
  const source = sourceOf(fileOf(someRecords(sims, 300, clock.now())));
  await importCdrs({ countForPools: addToPools, pool: test.database.pool, clock, source });
  simcube = commandLine(test, '/nonexistent');
});
afterAll(() => test.close());

const verify = async (...options: string[]) => {
  const { out, errors } = await simcube.run(['usage', 'verify', ...options]);
  expect(errors).toBe('');
  return out.trimEnd().split('\n');
};

it('usage verify reports differences, and repairs them only with --repair', async () => {
  expect(await verify()).toEqual(['3 SIMs and 0 pools compared, 0 differ']);
  await test.database.pool.query('update sim_live set used_bytes = used_bytes + 5 where sim_id = $1', [
    first.id,
  ]);
  const difference = expect.stringMatching(
    new RegExp(`^${first.iccid}: 1 counters differ, \\d+ bytes recorded, \\d+ stored$`),
  );
  for (const _ of [1, 2])
    expect(await verify()).toEqual([difference, '3 SIMs and 0 pools compared, 1 differ']);
  expect(await verify('--repair')).toEqual([
    difference,
    '3 SIMs and 0 pools compared, 1 differed, 1 repaired, 0 still differ',
  ]);
  expect(await verify()).toEqual(['3 SIMs and 0 pools compared, 0 differ']);
});

it('usage verify reports the same as JSON', async () => {
  await test.database.pool.query(
    `update org_usage_daily set up_bytes = up_bytes - 5 where org_id = $1 and day_on >= '2026-11-01'
       and day_on = (select max(day_on) from org_usage_daily where org_id = $1)`,
    [first.orgId],
  );
  const runVerify = async (...options: string[]) =>
    (await verify('--json', ...options)).map((line) => JSON.parse(line));
  const difference = { organisation: 'acme', month: '2026-11', what: 'days' };
  expect(await runVerify()).toMatchObject([difference, { sims: 3, differing: 1 }]);
  expect(await runVerify('--repair')).toMatchObject([
    difference,
    { sims: 3, differing: 1, repaired: 1, left: 0 },
  ]);
  expect(await runVerify()).toEqual([{ sims: 3, pools: 0, differing: 0 }]);
  const { rows } = await test.database.pool.query(
    `select actor_kind, subject_id from audit_entries where action = 'usage.repaired' and subject_kind = 'organisation'`,
  );
  expect(rows).toEqual([{ actor_kind: 'operator', subject_id: 'acme' }]);
});
