import { type Client, createClient } from '@simcube/client';
import { endpoints } from '@simcube/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeOrganisation, signedInAs, type TestApp, type TestClient, testApp } from '../../testing/app.ts';
import { makeSim } from '../../testing/inventory.ts';
import { createApiKey } from '../../testing/signing.ts';

/** The client package for programs, against the server. */

let test: TestApp;
let developer: TestClient;
let client: Client;
const iccids: string[] = [];

beforeAll(async () => {
  test = await testApp();
  developer = await signedInAs(test, 'admin', await makeOrganisation(test, { code: 'northwind' }));
  const { id, privateKey } = await createApiKey(developer);
  client = createClient({ url: await test.listen(), keyId: id, privateKey, now: () => test.clock.now() });
  for (let made = 0; made < 5; made += 1)
    iccids.push((await makeSim(test.database.pool, developer.orgId, {})).iccid);
});
afterAll(() => test.close());

it('reads a list, row by row over its pages', async () => {
  const first = await client.call(endpoints.sim.list, { body: { page_size: 2 } });
  expect([first.data.length, first.totalCount]).toEqual([2, 5]);
  const found: string[] = [];
  for await (const { iccid } of client.rows(endpoints.sim.list, { body: { page_size: 2 } }))
    found.push(iccid);
  expect(new Set(found)).toEqual(new Set(iccids));
  expect(found).toHaveLength(5);
  const keys = [];
  for await (const { id } of client.rows(endpoints.developer.listKeys, { query: { page_size: 1 } }))
    keys.push(id);
  expect(keys).toHaveLength(1);
});

it('writes, uploads and downloads', async () => {
  const body = { name: 'Ops', emails: ['ops@example.test'] };
  expect((await client.call(endpoints.notify.createGroup, { body })).data).toMatchObject({ name: 'Ops' });
  const file = { name: 'sims.csv', content: `iccid\n${iccids.join('\n')}\n` };
  const { data } = await client.call(endpoints.sim.readIdentifiers, { file });
  expect(JSON.stringify(data)).toContain(iccids[0]);
  const audit = await client.download(endpoints.audit.export, { body: {} });
  expect([audit.type, audit.name]).toEqual(['text/csv; charset=utf-8', expect.stringMatching(/\.csv$/)]);
  expect(Buffer.from(audit.content).toString()).toContain('api-key.created');
});

it('reports why a call was refused', async () => {
  const wrong = client.call(endpoints.notify.createGroup, { body: { name: '', emails: [] } });
  await expect(wrong).rejects.toMatchObject({
    name: 'CallFailure',
    code: 'CB-00-0400',
    http: 400,
    traceId: expect.stringMatching(/^[\w-]{36}$/),
    issues: expect.arrayContaining([expect.objectContaining({ path: 'name' })]),
  });
  await expect(
    client.download(endpoints.audit.export, { body: { actor_id: 'x'.repeat(65) } }),
  ).rejects.toMatchObject({
    code: 'CB-00-0400',
  });
  await expect(client.call(endpoints.identity.getProfile)).rejects.toMatchObject({ code: 'CB-08-0002' });
});
