import { endpoints, successCode } from '@simcube/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../platform/log/index.ts';
import { createMetrics } from '../../platform/metrics/index.ts';
import { makeOrganisation, signedInAs, type TestApp, type TestClient, testApp } from '../../testing/app.ts';
import {
  createApiKey,
  readSigning,
  type Signing,
  sendCall,
  type TestKey,
  type UnsignedCall,
} from '../../testing/signing.ts';
import { startCallLog } from './log/log.service.ts';

const { listCalls, listKeys } = endpoints.developer;
const { createGroup, listGroups, createApiTarget } = endpoints.notify;
const json = { 'content-type': 'application/json' };

let test: TestApp;
let org: Awaited<ReturnType<typeof makeOrganisation>>;
let developer: TestClient;
let signing: Signing;
let key: TestKey;

beforeAll(async () => {
  test = await testApp();
  signing = await readSigning();
  org = await makeOrganisation(test, { code: 'northwind' });
  developer = await signedInAs(test, 'admin', org);
  key = await createApiKey(developer);
});
afterAll(() => test.close());

const call = (request: UnsignedCall, by = key) => {
  const created = Math.floor(test.clock.now().getTime() / 1000);
  return sendCall(test, request, signing.signed(request, by, { created }));
};
const logged = async (
  body: Parameters<typeof developer.call<typeof listCalls>>[1] = { body: {} },
  by = developer,
) => {
  await test.callLog.flush();
  return (await by.call(listCalls, body)).body.data;
};
const groups: UnsignedCall = { method: 'GET', url: listGroups.path };
const sent = (
  { method, path: url }: typeof createGroup | typeof createApiTarget,
  body: object,
): UnsignedCall => ({ method, url, headers: json, body: JSON.stringify(body) });

describe('the log of calls by API keys', () => {
  it('contains requests and responses of calls by keys only', async () => {
    const made = await call(sent(createGroup, { name: 'Ops', emails: ['ops@example.test'] }));
    await developer.call(listGroups);
    const [one, ...others] = await logged();
    expect(others).toEqual([]);
    expect(one).toMatchObject({
      trace_id: made.headers['x-trace-id'],
      requested_at: expect.stringMatching(/^2026-11-21T1[12]:/),
      key: { id: key.id, name: null },
      ip: '127.0.0.1',
      method: 'POST',
      path: createGroup.path,
      http_code: 200,
      code: 'CB-00-0000',
      header: { 'content-type': 'application/json', signature: '***' },
      body: '{"name":"Ops","emails":["ops@example.test"]}',
      body_bytes: 44,
    });
    expect(JSON.parse(one?.response ?? '')).toMatchObject({ data: { name: 'Ops' } });
    expect(one?.response_bytes).toBe(Buffer.byteLength(one?.response ?? ''));
    const { body } = await developer.call(listCalls, { body: {} });
    expect(body.as_of).toBe(test.clock.now().toISOString());
  });

  it('contains refused calls with their codes, except those with an invalid signature', async () => {
    await call({ ...groups, url: `${groups.url}?pages=1` });
    await call(sent(createGroup, { name: '' }));
    const narrow = await createApiKey(developer, { rights: { 'cube-developer-key': ['read'] } });
    await call(groups, narrow);
    await call(groups, { ...key, id: narrow.id });
    const found = await logged({ body: { http_code: ['4xx'] } });
    expect(found.map(({ http_code, code, key: by }) => `${http_code} ${code} ${by.id}`).toSorted()).toEqual([
      ...Array(2).fill(`400 CB-00-0400 ${key.id}`),
      `403 CB-00-0403 ${narrow.id}`,
    ]);
    expect(await logged({ body: { http_code: ['403'] } })).toHaveLength(1);
    expect(await logged({ body: { http_code: ['5xx', '404'] } })).toEqual([]);
    const own = await call({ method: 'POST', url: listCalls.path, headers: json, body: '{}' }, narrow);
    expect(own.data).toEqual([expect.objectContaining({ key: { id: narrow.id, name: null } })]);
  });

  it('leaves out the content of calls that the account may no longer make', async () => {
    const former = await signedInAs(test, 'admin', org);
    const by = await createApiKey(former);
    const { listTags } = endpoints.sim;
    await call(groups, by);
    await call({ method: listTags.method, url: listTags.path }, by);
    const shown = async () =>
      Object.fromEntries(
        (await logged({ body: {} }, former)).map(({ path, response }) => [path, response !== null]),
      );
    const encoded = groups.url.replace('groups', 'group%73');
    await call({ ...groups, url: encoded }, by);
    expect(await shown()).toEqual({ [listTags.path]: true, [groups.url]: true, [encoded]: true });
    await test.database.pool.query(
      `update memberships set role = 'operator', permission_changes = '{"cube-developer-key":["read"]}' where user_id = $1`,
      [former.userId],
    );
    const withheld = { [listTags.path]: true, [groups.url]: false, [encoded]: false };
    expect(await shown()).toEqual(withheld);
    // As the previous version stored them.
    await test.database.pool.query('update api_calls set endpoint = null');
    expect(await shown()).toEqual(withheld);
    await test.database.pool.query(
      `update api_calls set endpoint = 'notify.removedCall' where user_id = $1`,
      [former.userId],
    );
    expect(await shown()).toEqual({ ...withheld, [listTags.path]: false });
  });

  it('contains no response of HEAD, which has no body', async () => {
    const by = await createApiKey(developer);
    const headers = signing.signed({ ...groups, method: 'HEAD' }, by, {
      created: Math.floor(test.clock.now().getTime() / 1000),
    });
    expect((await test.app.inject({ method: 'HEAD', url: groups.url, headers })).statusCode).toBe(200);
    const found = await logged({ body: { key_id: [by.id] } });
    expect(found).toMatchObject([{ method: 'HEAD', http_code: 200, response: null }]);
    expect(found[0]?.header).not.toBeNull();
  });

  it('contains a request that claims to be larger than any', async () => {
    const by = await createApiKey(developer);
    const request = sent(createGroup, { name: 'Ops', emails: ['ops@example.test'] });
    const claimed = { ...json, 'content-length': '99999999999' };
    expect((await call({ ...request, headers: claimed }, by)).http).toBe(413);
    expect(await logged({ body: { key_id: [by.id] } })).toMatchObject([{ body_bytes: 2_147_483_647 }]);
  });

  it('contains calls to unknown paths, and to calls that accept no key', async () => {
    const lost = await createApiKey(developer);
    const urls = ['/cube/developer/nothing?page=1', `${groups.url}/nothing/more`];
    for (const url of urls) expect((await call({ method: 'GET', url }, lost)).code).toBe('CB-00-0404');
    const wrongMethod = await call({ method: 'DELETE', url: groups.url }, lost);
    expect(wrongMethod).toMatchObject({ http: 405, code: 'CB-00-0410' });
    expect(Number(wrongMethod.headers['x-ratelimit-remaining'])).toBeGreaterThan(0);
    const body = await call({ method: 'POST', url: '/cube/nothing', headers: json, body: '{"a":1}' }, lost);
    expect(body).toMatchObject({ http: 404, code: 'CB-00-0404' });
    const { method, path: url } = endpoints.identity.getProfile;
    expect((await call({ method, url }, lost)).code).toBe('CB-08-0002');
    // Signed by a different key than the one named.
    expect((await call({ method: 'GET', url: '/cube/nothing' }, { ...key, id: lost.id })).code).toBe(
      'CB-00-0404',
    );
    const found = await logged({ body: { key_id: [lost.id] } });
    expect(found.map((one) => `${one.http_code} ${one.code} ${one.method} ${one.path}`).toSorted()).toEqual(
      [
        ...urls.map((path) => `404 CB-00-0404 GET ${path}`),
        `405 CB-00-0410 DELETE ${groups.url}`,
        '404 CB-00-0404 POST /cube/nothing',
        `403 CB-08-0002 ${method} ${url}`,
      ].toSorted(),
    );
  });

  it('is found by key, method, path, time and trace', async () => {
    const other = await createApiKey(developer);
    const { headers } = await call({ method: 'GET', url: listKeys.path }, other);
    const ids = async (body: object) => (await logged({ body })).map(({ trace_id }) => trace_id);
    const [newest] = await logged({ body: { key_id: [other.id] } });
    expect(newest?.trace_id).toBe(headers['x-trace-id']);
    const wanted = [newest?.trace_id];
    expect(await ids({ trace_id: newest?.trace_id })).toEqual(wanted);
    expect(await ids({ path: 'DEVELOPER/key', method: ['GET'] })).toEqual(wanted);
    expect(await ids({ path: 'developer/key', method: ['POST'] })).toEqual([]);
    expect(await ids({ key_id: [other.id], to: newest?.requested_at })).toEqual([]);
    expect(await ids({ key_id: [other.id], from: newest?.requested_at })).toEqual(wanted);
    const [brief] = await logged({ body: { trace_id: newest?.trace_id ?? '', content: false } });
    expect(brief).toEqual({ ...newest, header: null, body: null, response: null });
  });

  it('belongs to one account', async () => {
    const colleague = await signedInAs(test, 'admin', org);
    expect(await logged({ body: {} }, colleague)).toEqual([]);
    const foreign = await signedInAs(test, 'admin', await makeOrganisation(test, { code: 'elsewhere' }));
    expect(await logged({ body: { key_id: [key.id] } }, foreign)).toEqual([]);
  });

  it('omits the content of confidential calls, but not why one was refused', async () => {
    const body = { name: 'Hook', url: 'https://hooks.example.test/' };
    await call(sent(createApiTarget, body));
    await call(sent(createApiTarget, body));
    const [second, first] = await logged({ body: { path: createApiTarget.path } });
    expect(first).toMatchObject({ http_code: 200, code: successCode, body: null, response: null });
    expect(first?.body_bytes).toBeGreaterThan(0);
    expect(second).toMatchObject({ http_code: 409, code: 'CB-09-0016', body: null });
    expect(second?.response).toContain('CB-09-0016');
  });
});

describe('calls that can’t be written', () => {
  const entry = () => ({
    key: {
      id: key.id,
      name: null,
      orgId: org.id,
      tenantId: '',
      partnerCode: '',
      expiresAt: null,
      rights: null,
    },
    userId: developer.userId,
    traceId: crypto.randomUUID(),
    address: '192.0.2.1',
    method: 'GET',
    endpoint: undefined,
    target: '/cube/away',
    httpCode: 200,
    durationMs: 1,
    headers: {},
    bodyBytes: 0,
    responseBytes: 0,
    confidential: false,
    body: undefined,
    response: undefined,
  });
  const away = () => Promise.reject(new Error('no database'));

  it('wait for the database up to the memory limit; the rest is dropped and counted', async () => {
    const { clock, database } = test;
    const log = createLog({ level: 'silent', format: 'json' });
    const metrics = createMetrics();
    const query = { ...database.pool, query: away } as unknown as typeof database.pool;
    const calls = startCallLog({ pool: query, clock, log, metrics });
    const content = { body: 'x'.repeat(8192), response: 'y'.repeat(8192) };
    for (let made = 0; made < 1500; made += 1) calls.record({ ...entry(), ...content });
    await calls.flush();
    const count = async (outcome: string) => {
      const { values } = await metrics.apiLogCalls.get();
      return values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;
    };
    const dropped = await count('dropped');
    expect(dropped).toBeGreaterThan(400);
    query.query = database.pool.query.bind(database.pool) as typeof query.query;
    await calls.stop();
    expect([await count('written'), await count('dropped')]).toEqual([1500 - dropped, dropped]);
    const found = await logged({ body: { path: '/cube/away', page_size: 1000, content: false } });
    expect(found).toHaveLength(1500 - dropped);
    calls.record(entry());
    expect(await count('dropped')).toBe(dropped + 1);
  });

  it('are dropped and counted if the database accepts no such value, and the others are stored', async () => {
    const { clock, database } = test;
    const log = createLog({ level: 'silent', format: 'json' });
    const metrics = createMetrics();
    const calls = startCallLog({ pool: database.pool, clock, log, metrics });
    const target = '/cube/beside';
    for (const traceId of [crypto.randomUUID(), 'no UUID', crypto.randomUUID()])
      calls.record({ ...entry(), target, traceId });
    await calls.stop();
    expect((await metrics.apiLogCalls.get()).values).toEqual([
      { labels: { outcome: 'dropped' }, value: 1 },
      { labels: { outcome: 'written' }, value: 2 },
    ]);
    expect(await logged({ body: { path: target } })).toHaveLength(2);
  });

  it('are deleted after 30 days, one day at a time', async () => {
    const { pool } = test.database;
    const keep = test.wiring.jobs.find(({ job }) => job.name === 'developer.keep-api-log');
    const began = test.clock.now();
    const days = async () => {
      const { signal } = new AbortController();
      await keep?.handle({}, { signal, log: createLog({ level: 'silent', format: 'json' }), attempt: 1 });
      const { rows } = await pool.query(
        `select relname from pg_class where relname like 'api\\_calls\\_2026%' and relkind = 'r' order by 1`,
      );
      return rows.map(({ relname }) => relname);
    };
    expect(await days()).toEqual(['api_calls_2026_11_21', 'api_calls_2026_11_22', 'api_calls_2026_11_23']);
    test.clock.set(new Date('2026-12-21T00:00:00Z'));
    expect((await days())[0]).toBe('api_calls_2026_11_21');
    test.clock.set(new Date('2026-12-22T00:00:00Z'));
    expect((await days())[0]).toBe('api_calls_2026_11_22');
    test.clock.set(began);
  });
});
