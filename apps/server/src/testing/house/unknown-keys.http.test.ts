import { allEndpoints, endpoints, roles } from '@simcube/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signedInAs, type TestApp, type TestClient, testApp } from '../app.ts';
import { fillParts, inject, type ValueOf } from './call-endpoint.ts';
import { type MatrixFixture, makeMatrixFixture } from './matrix/index.ts';

/** A misspelt key must not be ignored silently: a filter without it would select everything. */

let test: TestApp;
let house: MatrixFixture;
let client: TestClient;

beforeAll(async () => {
  test = await testApp();
  house = await makeMatrixFixture(test, roles);
  client = house.clients.get('superadmin') ?? (await signedInAs(test, 'superadmin', house.own));
});
afterAll(() => test.close());

const own: ValueOf = (field, endpoint) => house.things[field].own(client, endpoint);

interface Refused {
  status: { code: string; detail?: { issues: { path: string; key: string; values?: object }[] } };
}

const expectNamed = (answer: { statusCode: number; json: () => Refused }, path: string): void => {
  const { status } = answer.json();
  expect([answer.statusCode, status.code]).toEqual([400, 'CB-00-0400']);
  const field = path.split('.').at(-1);
  expect(status.detail?.issues).toContainEqual(
    expect.objectContaining({ path, key: 'unknownField', values: { field } }),
  );
};

describe('an unknown key', () => {
  it.each(allEndpoints)('in the query of $id is rejected by name', async (endpoint) => {
    const parts = await fillParts(endpoint, own);
    const asked = { ...parts, query: { ...parts.query, lifecyle: 'terminated' } };
    expectNamed(await inject(test, endpoint, { headers: client.headers, parts: asked }), 'lifecyle');
  });

  const withBody = allEndpoints.filter(({ method, upload }) => method !== 'GET' && !upload);
  it.each(withBody)('in the body of $id is rejected by name', async (endpoint) => {
    const parts = await fillParts(endpoint, own);
    const asked = { ...parts, body: { ...parts.body, lifecyle: ['terminated'] } };
    expectNamed(await inject(test, endpoint, { headers: client.headers, parts: asked }), 'lifecyle');
  });

  it.each([
    [{ selection: { filter: { lifecyle: ['terminated'] } } }, 'selection.filter.lifecyle'],
    [{ selection: { fliter: { lifecycle: ['terminated'] } } }, 'selection.fliter'],
    [{ selection: { filter: {}, exept: ['89860012300000000001'] } }, 'selection.exept'],
    [{ lifecyle: ['terminated'], selection: { filter: {} } }, 'lifecyle'],
  ])('of a suspension, %j, suspends nothing', async (body, path) => {
    const before = await test.database.pool.query('select count(*) from tasks');
    const answer = await test.app.inject({
      method: 'POST',
      url: endpoints.sim.suspend.path,
      headers: client.headers,
      payload: body,
    });
    expectNamed(answer, path);
    const after = await test.database.pool.query('select count(*) from tasks');
    expect(after.rows).toEqual(before.rows);
  });

  it('is truncated in the error', async () => {
    const key = 'k'.repeat(10_000);
    const answer = await test.app.inject({
      method: 'POST',
      url: endpoints.sim.list.path,
      headers: client.headers,
      payload: { [key]: 1 },
    });
    expectNamed(answer, 'k'.repeat(60));
  });
});

it('a call without a body accepts an empty body, null or none', async () => {
  for (const payload of [{}, 'null', undefined]) {
    const answer = await test.app.inject({
      method: 'PUT',
      url: endpoints.account.refreshPermissions.path,
      headers: { ...client.headers, ...(payload !== undefined && { 'content-type': 'application/json' }) },
      ...(payload !== undefined && { payload }),
    });
    expect(answer.statusCode).toBe(200);
  }
});
