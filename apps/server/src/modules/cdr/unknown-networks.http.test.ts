import { endpoints } from '@simcube/contract';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeOrganisation, signedInAs, type TestApp, type TestClient, testApp } from '../../testing/app.ts';
import { importRecords } from '../../testing/cdrs.ts';
import { makeSim } from '../../testing/inventory.ts';
import { runJobs } from '../../testing/jobs.ts';

const { cdr } = endpoints;
const params = { partnerCode: 'acme' };

let test: TestApp;
let user: TestClient;

beforeAll(async () => {
  test = await testApp();
  const acme = await makeOrganisation(test, { code: 'acme' });
  user = await signedInAs(test, 'user', acme);
  const { iccid } = await makeSim(test.database.pool, acme.id);
  const codes = ['410', '411', '05'];
  await importRecords(
    test,
    codes.map((mnc, hour) => ({ iccid, ended_at: `2026-11-20T1${hour}:00:00Z`, mcc: '999', mnc })),
  );
});
afterAll(() => test.close());

it('unlisted networks are found by their whole code, however many digits it has', async () => {
  const codes = ['999-05', '999-410', '999-411'];
  const listed = (await user.call(cdr.listOperators)).body.data;
  expect(listed.map(({ operator }) => operator)).toEqual(codes);
  const { groups } = (await user.call(cdr.sums, { params, body: { group_by: ['operator'] } })).body.data;
  expect(groups.operator?.map(({ key }) => key).sort()).toEqual(codes);
  for (const code of codes) {
    const { data } = (await user.call(cdr.list, { params, body: { operator: [code] } })).body;
    expect(data.map(({ network }) => `${network?.mcc}-${network?.mnc}`)).toEqual([code]);
  }
});

it('files contain their whole code, too', async () => {
  const { body } = await user.call(cdr.exportAll, {
    params: { ...params, format: 'csv' },
    body: { filter: {}, columns: ['plmn'] },
  });
  await runJobs(test.database, test.wiring.jobs);
  const { rows } = await test.database.pool.query<{ content: Buffer }>(
    'select content from task_files where task_id = $1 order by part',
    [Number(body.data.reference_id.slice(1))],
  );
  const [, ...lines] = parse(Buffer.concat(rows.map(({ content }) => content)), { bom: true }) as string[][];
  expect(lines.flat()).toEqual(['999-05', '999-411', '999-410']);
});
