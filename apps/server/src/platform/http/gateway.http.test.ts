import { defaultLanguage, endpoint, languages } from '@simcube/contract';
import { phrase } from '@simcube/phrases';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { testGateway } from '../../testing/gateway.ts';
import { fail, page, type Route, route, withAsOf } from './index.ts';

const echo = endpoint({
  id: 'test.echo',
  method: 'POST',
  path: '/test/echo/{name}',
  summary: 'Says again what it heard',
  access: { kind: 'public' },
  params: z.object({ name: z.string().max(20) }),
  query: z.object({ times: z.coerce.number().int().min(1).max(3).default(1) }),
  body: z.object({ word: z.string().min(2).max(10), tags: z.array(z.string()).max(2).default([]) }),
  response: z.object({ said: z.string() }),
  errors: [],
  retry: 'safe',
});
const list = endpoint({
  id: 'test.list',
  method: 'GET',
  path: '/test/list',
  summary: 'A list',
  access: { kind: 'public' },
  response: z.array(z.number()),
  list: true,
  errors: [],
  retry: 'safe',
});
const fresh = endpoint({ ...list, id: 'test.fresh', path: '/test/fresh' });
const broken = endpoint({ ...list, id: 'test.broken', path: '/test/broken' });
const wrong = endpoint({ ...list, id: 'test.wrong', path: '/test/wrong' });
const away = endpoint({ ...list, id: 'test.away', path: '/test/away' });
const coded = endpoint({ ...list, id: 'test.coded', path: '/test/coded', errors: ['CB-01-0001'] });
const guarded = endpoint({
  ...list,
  id: 'test.guarded',
  path: '/test/guarded',
  access: { kind: 'permission', key: 'account', action: 'write' },
});

const routes: Route[] = [
  route(echo, async ({ params, query, body }) => ({
    said: `${params.name}: ${body.word.repeat(query.times)}`,
  })),
  route(list, async () => page({ data: [1, 2], total: 40, relation: 'gte', nextCursor: 'next' })),
  route(fresh, async () => withAsOf([1], new Date('2026-11-21T11:00:00Z'))),
  route(broken, async () => {
    throw new Error('secret detail');
  }),
  route(wrong, async () => ['not a number'] as never),
  route(away, async () => {
    throw Object.assign(new Error('terminating connection'), { code: '57P01' });
  }),
  route(coded, async () => fail('CB-01-0001')),
  route(guarded, async () => [1]),
];

let app: FastifyInstance;

beforeAll(async () => {
  app = await testGateway({ routes });
});
afterAll(() => app.close());

describe('the envelope', () => {
  test('of a success has data, code, result and the trace id of the header', async () => {
    const answer = await app.inject({
      method: 'POST',
      url: '/test/echo/ann?times=2',
      payload: { word: 'hey' },
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      data: { said: 'ann: heyhey' },
      status: { success: true, code: 'CB-00-0000', message: 'Success' },
      resultCode: '0000',
      trace_id: answer.headers['x-trace-id'],
    });
  });

  test('of a page has total, relation and cursor, and as_of of older data', async () => {
    const paged = await app.inject({ url: '/test/list' });
    expect(paged.json()).toMatchObject({
      data: [1, 2],
      total_count: 40,
      total_relation: 'gte',
      next_cursor: 'next',
    });
    const aged = await app.inject({ url: '/test/fresh' });
    expect(aged.json()).toMatchObject({ data: [1], as_of: '2026-11-21T11:00:00.000Z' });
  });

  test.each(languages)('of a failure has a message in %s', async (language) => {
    const answer = await app.inject({ url: '/test/coded', headers: { 'accept-language': language } });
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({
      data: null,
      status: { success: false, code: 'CB-01-0001', message: phrase(language, 'errors.simNotFound') },
      resultCode: '0001',
    });
  });

  test.each([
    ['fr, es;q=0.8, en;q=0.9', 'en-US'],
    ['zh-Hant-HK', 'zh-TW'],
    ['zh', 'zh-CN'],
    ['es;q=abc, ;;q=, *', defaultLanguage],
    ['', defaultLanguage],
  ])('chooses the language for %j', async (header, language) => {
    const answer = await app.inject({ url: '/test/coded', headers: { 'accept-language': header } });
    expect(answer.json().status.message).toBe(phrase(language as 'en-US', 'errors.simNotFound'));
  });
});

describe('invalid input', () => {
  test('is reported by field, with messages', async () => {
    const answer = await app.inject({
      method: 'POST',
      url: '/test/echo/ann?times=9',
      payload: { word: 'x' },
    });
    expect(answer.statusCode).toBe(400);
    const { status } = answer.json();
    expect(status.code).toBe('CB-00-0400');
    expect(status.detail.issues.length).toBeGreaterThan(0);
    for (const issue of status.detail.issues) expect(issue.message).not.toContain('errors.');
  });

  test('in the body is reported with the field’s name', async () => {
    const answer = await app.inject({ method: 'POST', url: '/test/echo/ann', payload: { word: 'x' } });
    expect(answer.json().status.detail.issues).toEqual([
      { path: 'word', key: 'tooShort', values: { min: 2 }, message: 'At least 2 characters' },
    ]);
  });

  test.each([
    [
      'broken JSON',
      { payload: '{"word":', headers: { 'content-type': 'application/json' } },
      400,
      'CB-00-0405',
    ],
    ['a foreign type', { payload: '<a/>', headers: { 'content-type': 'text/xml' } }, 415, 'CB-00-0415'],
    [
      'too much',
      {
        payload: JSON.stringify({ word: 'x'.repeat(1_100_000) }),
        headers: { 'content-type': 'application/json' },
      },
      413,
      'CB-00-0413',
    ],
  ])('of %s has its own code', async (_, request, http, code) => {
    const answer = await app.inject({ method: 'POST', url: '/test/echo/ann', ...request });
    expect([answer.statusCode, answer.json().status.code]).toEqual([http, code]);
  });

  test('of any kind is rejected or processed, never an internal error', async () => {
    const anyRequest = fc.record({
      name: fc.string({ maxLength: 40 }),
      query: fc.string({ maxLength: 60 }),
      payload: fc.oneof(fc.json({ maxDepth: 4 }), fc.string({ maxLength: 200 })),
      type: fc.constantFrom('application/json', 'text/plain', 'application/x-www-form-urlencoded', ''),
    });
    await fc.assert(
      fc.asyncProperty(anyRequest, async ({ name, query, payload, type }) => {
        const answer = await app.inject({
          method: 'POST',
          url: `/test/echo/${encodeURIComponent(name)}?${encodeURI(query)}`,
          payload,
          headers: type ? { 'content-type': type } : {},
        });
        expect([200, 400, 404, 413, 415]).toContain(answer.statusCode);
        expect(answer.json().trace_id).toBe(answer.headers['x-trace-id']);
      }),
      { numRuns: 5000 },
    );
  }, 120_000);
});

describe('internal errors', () => {
  test('disclose no details', async () => {
    const answer = await app.inject({ url: '/test/broken' });
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain('secret detail');
    expect(answer.json().status.code).toBe('CB-99-0500');
  });

  test('include a response that violates its schema', async () => {
    expect((await app.inject({ url: '/test/wrong' })).statusCode).toBe(500);
  });

  test('include an unavailable database, as 503 with its own code', async () => {
    const answer = await app.inject({ url: '/test/away' });
    expect([answer.statusCode, answer.json().status.code]).toEqual([503, 'CB-99-0504']);
  });
});

describe('access', () => {
  test.each([
    ['no token', {}, 401, 'CB-00-0401', '0401'],
    ['an expired session', { authorization: 'Bearer expired' }, 401, 'CB-00-0401', '0401'],
    ['a token that was never ours', { authorization: 'Bearer other' }, 400, 'CB-99-9401', '9401'],
    ['a malformed token', { authorization: 'Basic x' }, 400, 'CB-99-9401', '9401'],
    ['a session ended elsewhere', { authorization: 'Bearer ended' }, 200, 'CB-00-0502', '0502'],
    [
      'an organisation that is not theirs',
      { authorization: 'Bearer good', 'tenant-id': 'other' },
      403,
      'CB-07-0008',
      '0008',
    ],
    [
      'a right that the role lacks',
      { authorization: 'Bearer good', 'tenant-id': 'mine' },
      403,
      'CB-00-0403',
      '0403',
    ],
  ])('%s', async (_, headers, http, code, resultCode) => {
    const answer = await app.inject({ url: '/test/guarded', headers });
    expect(answer.statusCode).toBe(http);
    expect(answer.json()).toMatchObject({ status: { success: false, code }, resultCode });
  });
});

test('too many requests of one address are rejected with Retry-After', async () => {
  const bounded = await testGateway({ routes, requestsPerMinute: 5 });
  const ask = () => bounded.inject({ url: '/test/list' });
  for (let n = 0; n < 5; n += 1) expect((await ask()).statusCode).toBe(200);
  const refused = await ask();
  await bounded.close();
  expect([refused.statusCode, refused.json().status.code]).toEqual([429, 'CB-00-0429']);
  const seconds = Number(refused.headers['retry-after']);
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
});

test('every response has the IETF and X-RateLimit headers of the remaining requests', async () => {
  const bounded = await testGateway({ routes, requestsPerMinute: 3 });
  const answers = [];
  for (const headers of [
    {},
    { authorization: 'Bearer bad' },
    { authorization: 'Bearer good', 'tenant-id': 'mine' },
    {},
  ])
    answers.push(await bounded.inject({ url: '/test/guarded', headers }));
  answers.push(await bounded.inject({ url: '/test/list?page_size=x' }));
  await bounded.close();
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 400, 403, 429, 400]);
  const said = answers.map(({ headers }) => {
    const [limit, left, seconds] = ['limit', 'remaining', 'reset'].map(
      (name) => headers[`x-ratelimit-${name}`],
    );
    expect(headers['ratelimit-policy']).toBe(`"address";q=${limit};w=60`);
    expect(headers['ratelimit']).toBe(`"address";r=${left};t=${seconds}`);
    return [Number(limit), Number(left)];
  });
  expect(said).toEqual([
    [3, 2],
    [3, 1],
    [3, 0],
    [3, 0],
    [3, 2],
  ]);
});

test('documents and health are served, metrics only on the management port', async () => {
  expect((await app.inject({ url: '/docs/json' })).json().openapi).toMatch(/^3\.1/);
  expect((await app.inject({ url: '/docs/' })).body).toContain('swagger-ui');
  expect((await app.inject({ url: '/healthz' })).json()).toEqual({ status: 'alive' });
  expect((await app.inject({ url: '/readyz' })).json()).toEqual({ status: 'ready' });
  const metrics = await app.inject({ url: '/metrics' });
  expect([metrics.statusCode, metrics.body]).toEqual([404, expect.not.stringContaining('simcube_')]);
});
