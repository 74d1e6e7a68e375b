import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../testing/app.ts';

let server: TestApp;
beforeAll(async () => {
  server = await testApp();
});
afterAll(() => server.close());

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
});
