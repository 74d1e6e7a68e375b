import { type EndpointShape, endpoints, headers } from '@simcube/contract';
import type { KeyRights } from '@simcube/contract/developer';
import type { Task } from '@simcube/contract/task';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeOrganisation, signedInAs, type TestApp, type TestClient, testApp } from '../../testing/app.ts';
import { makeSim } from '../../testing/inventory.ts';
import { runJobs } from '../../testing/jobs.ts';
import { createApiKey, readSigning, type Signing, sendCall, type TestKey } from '../../testing/signing.ts';

const { task: calls, sim } = endpoints;

let test: TestApp;
let signing: Signing;
let admin: TestClient;
/** Tasks of the same person: one by each key, one by the person. */
let references: { narrow: string; wide: string; person: string };
let narrow: TestKey;
let wide: TestKey;

const send = (
  key: TestKey,
  { method, path }: EndpointShape,
  wanted: { task?: string; body?: object } = {},
) => {
  const url = path.replace('{taskReference}', wanted.task ?? '');
  const request = {
    method,
    url: url.endsWith('oneTimeToken') ? `${url}?taskReference=${wanted.task}` : url,
    ...(wanted.body && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(wanted.body),
    }),
  };
  const created = Math.floor(test.clock.now().getTime() / 1000);
  return sendCall(test, request, signing.signed(request, key, { created }));
};
const suspension = async () => {
  const { iccid } = await makeSim(test.database.pool, admin.orgId, { lifecycle: 'active' });
  return { selection: { iccids: [iccid] } };
};
const order = async (key: TestKey) => {
  const { data } = await send(key, sim.suspend, { body: await suspension() });
  return (data as { task: { reference_id: string } }).task.reference_id;
};
const tasksOf = async (key: TestKey) =>
  new Set(((await send(key, calls.listMine)).data as Task[]).map(({ reference_id }) => reference_id));

beforeAll(async () => {
  test = await testApp();
  signing = await readSigning();
  admin = await signedInAs(test, 'admin', await makeOrganisation(test, { code: 'acme' }));
  const rights: KeyRights = { sim: ['read', 'operate'] };
  [narrow, wide] = [await createApiKey(admin, { rights }), await createApiKey(admin)];
  const { body } = await admin.call(sim.suspend, { body: await suspension() });
  const person = body.data.task?.reference_id ?? '';
  references = { narrow: await order(narrow), wide: await order(wide), person };
  await runJobs(test.database, test.wiring.jobs);
});
afterAll(() => test.close());

it('a key with fewer rights follows the tasks that it ordered, to the report', async () => {
  const task = references.narrow;
  expect(await tasksOf(narrow)).toEqual(new Set([task]));
  expect((await send(narrow, calls.getMine, { task })).data).toMatchObject({ status: 'done', done: 1 });
  expect((await send(narrow, calls.listItems, { task })).data).toMatchObject([{ state: 'done' }]);
  const { token } = (await send(narrow, calls.makeDownloadToken, { task })).data as { token: string };
  const report = await test.app.inject({
    url: calls.download.path.replace('{taskReference}', task),
    headers: { [headers.oneTimeToken]: token },
  });
  expect([report.statusCode, report.payload.split('\r\n').length]).toEqual([200, 3]);
});

it('it finds no task of its person or of another key, and undoes none', async () => {
  for (const task of [references.wide, references.person]) {
    for (const call of [calls.getMine, calls.listItems, calls.makeDownloadToken]) {
      expect((await send(narrow, call, { task })).code).toBe('CB-09-0012');
    }
  }
  expect((await send(narrow, calls.undo, { task: references.narrow, body: {} })).code).toBe('CB-08-0002');
});

it('a key with all rights of its account sees all tasks of the person, as the person does', async () => {
  const all = new Set(Object.values(references));
  expect(await tasksOf(wide)).toEqual(all);
  const { body } = await admin.call(calls.listMine);
  expect(new Set(body.data.map(({ reference_id }) => reference_id))).toEqual(all);
});
