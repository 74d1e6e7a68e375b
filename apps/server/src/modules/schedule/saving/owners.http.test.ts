import { endpoints } from '@simcube/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';
import { assignMsisdn, makeSim } from '../../../testing/inventory.ts';

const { schedule: calls } = endpoints;

let test: TestApp;
let author: TestClient;
let admin: TestClient;
let iccid: string;

beforeAll(async () => {
  test = await testApp();
  const org = await makeOrganisation(test, { code: 'acme' });
  author = await signedInAs(test, 'operator', org);
  admin = await signedInAs(test, 'admin', org);
  const sim = await makeSim(test.database.pool, org.id, {});
  await assignMsisdn(test.database.pool, sim.id);
  ({ iccid } = sim);
});
afterAll(() => test.close());

it('a scheduled SMS that changes its owner records that in its log, with one entry for each change', async () => {
  const wanted = {
    name: 'Clock sync',
    content: '#CLK;SYNC',
    time_zone: 'Europe/Madrid',
    groupId: null,
    when: { mode: 'once', at: '2999-12-24T18:00' } as const,
    only_failures: false,
  };
  const { id: scheduleId } = (
    await author.call(calls.create, { body: { ...wanted, selection: { iccids: [iccid] } } })
  ).body.data;
  const log = async () => {
    const { data } = (await admin.call(calls.listLog, { params: { scheduleId }, query: {} })).body;
    return data.map(({ action, before, after }) => [action, before, after]);
  };
  const switched = (client: TestClient, enabled: boolean) =>
    client.call(calls.setStatus, { body: { scheduleId, enabled } });
  const [ofAuthor, ofAdmin] = [{ owner: 'operator Tester' }, { owner: 'admin Tester' }];
  for (const client of [author, admin, admin])
    expect((await client.call(calls.update, { body: { ...wanted, scheduleId } })).http).toBe(200);
  expect((await log())[0]).toEqual(['schedule.changed', ofAuthor, ofAdmin]);
  expect(await log()).toHaveLength(2);
  await switched(author, false);
  expect((await log())[0]).toEqual(['schedule.switched', { enabled: true }, { enabled: false }]);
  await switched(author, true);
  expect((await log())[0]).toEqual([
    'schedule.switched',
    { enabled: false, ...ofAdmin },
    { enabled: true, ...ofAuthor },
  ]);
});
