import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { notificationRequests } from '@simcube/contract/notify';
import { webhookEventTypes, webhookTestType } from '@simcube/contract/webhook';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../../testing/app.ts';

let server: TestApp;
beforeAll(async () => {
  server = await testApp();
});
afterAll(() => server.close());

const get = async (headers: Record<string, string> = {}) => server.app.inject({ url: '/docs/json', headers });

describe('the OpenAPI document', () => {
  it('is complete, and generated without blocking the event loop', async () => {
    const address = await server.listen();
    const ask = async (path: string) => {
      const response = await fetch(`${address}${path}`);
      return { type: response.headers.get('content-type'), body: await response.text() };
    };
    const pauses = monitorEventLoopDelay({ resolution: 5 });
    pauses.enable();
    const [json, yaml] = await Promise.all([ask('/docs/json'), ask('/docs/yaml')]);
    pauses.disable();
    const began = performance.now();
    const computed = JSON.stringify(server.app.swagger());
    expect(pauses.max / 1e6).toBeLessThan((performance.now() - began) / 2);
    expect(isDeepStrictEqual(JSON.parse(json.body), JSON.parse(computed))).toBe(true);
    expect([json.type, yaml.type]).toEqual([
      expect.stringMatching(/^application\/json/),
      expect.stringMatching(/^application\/yaml/),
    ]);
    expect(yaml.body === json.body).toBe(true);
  });

  it('contains what calls have in common once', async () => {
    const { body } = await get();
    const document = JSON.parse(body);
    const refused = (path: string) => document.paths[path].post.responses['413'];
    expect(refused('/cube/sim/suspend')).toEqual(refused('/cube/sim/resume'));
    const [, name = ''] =
      /^#\/components\/responses\/([\w-]+)$/.exec(refused('/cube/sim/suspend').$ref) ?? [];
    expect(document.components.responses[name].description).toContain('CB-00-0413');
    expect(body.length).toBeLessThan(3_000_000);
  });

  it('describes each request that webhooks and API targets receive', async () => {
    const { webhooks, components, paths } = JSON.parse((await get()).body);
    const ids = [
      ...[...webhookEventTypes, webhookTestType].map((type) => `event.${type}`),
      ...Object.keys(notificationRequests).map((kind) => `notification.${kind}`),
    ];
    expect(Object.keys(webhooks)).toEqual(ids);
    const calls = Object.values(paths).flatMap((path) => Object.values(path as object));
    const operations = [...calls, ...ids.map((id) => webhooks[id].post)];
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const id of ids) {
      const { parameters, requestBody } = webhooks[id].post;
      expect(parameters.map(({ name }: { name: string }) => name)).toEqual([
        'webhook-id',
        'webhook-timestamp',
        'webhook-signature',
      ]);
      const { $ref } = requestBody.content['application/json'].schema;
      const schema = components.schemas[$ref.replace('#/components/schemas/', '')];
      expect(`${id.split('.')[0]}.${schema.properties.type.enum}`).toBe(id);
      const time = schema.properties.time ?? schema.properties.timestamp;
      expect(time).toMatchObject({ type: 'string', format: 'date-time' });
      expect(time.pattern ?? time.allOf).toBeUndefined();
      expect(schema.additionalProperties).toBeUndefined();
    }
  });

  it('is sent compressed, and once to those who keep it', async () => {
    const plain = await get();
    expect([plain.headers['content-encoding'], plain.headers['cache-control']]).toEqual([
      undefined,
      'no-cache',
    ]);
    const packed = await get({ 'accept-encoding': 'br, gzip;q=0.8' });
    expect([packed.headers['content-encoding'], packed.headers.vary]).toEqual(['gzip', 'accept-encoding']);
    expect(gunzipSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect((await get({ 'accept-encoding': 'gzip;q=0, br' })).headers['content-encoding']).toBeUndefined();
    const again = await get({ 'if-none-match': String(packed.headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });
});

describe('the page of the OpenAPI document', () => {
  it('works without TLS, as the console does, and asks no other server', async () => {
    const { headers } = await server.app.inject({ url: '/docs/' });
    const policy = headers['content-security-policy'];
    expect(policy).toContain("default-src 'self'");
    expect(policy).not.toContain('upgrade-insecure-requests');
    expect(policy).not.toMatch(/https:|swagger\.io/);
  });
});
