import { consoleErrorsPath, limits } from '@simcube/contract';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testGateway } from '../../testing/gateway.ts';
import { createLog } from '../log/index.ts';
import { createMetrics } from '../metrics/index.ts';

let app: FastifyInstance;
const metrics = createMetrics();
const lines: string[] = [];
const log = createLog({
  level: 'info',
  format: 'json',
  destination: { write: (line) => void lines.push(line) },
});
const logged = (): unknown[] => lines.map((line) => JSON.parse(line) as unknown);

beforeAll(async () => {
  app = await testGateway({ routes: [], metrics, log });
});
afterAll(() => app.close());

const report = {
  where: 'screen',
  message: 'x is not a function',
  stack: 'TypeError: x is not a function\n    at Sims (/assets/sims.js:1:2)',
  path: '/en-US/simCard',
  version: '1.6.8-alpha.1',
  trace_id: null,
};
const send = (payload: object, address = '192.0.2.1') =>
  app.inject({ method: 'POST', url: consoleErrorsPath, payload, remoteAddress: address });

test('a console error is logged and counted without sign-in', async () => {
  expect((await send(report)).statusCode).toBe(204);
  expect(logged()).toContainEqual(
    expect.objectContaining({ consoleError: report, msg: 'the console reported an error', level: 50 }),
  );
  expect(await metrics.registry.getSingleMetricAsString('simcube_console_errors_total')).toContain(
    'where="screen"} 1',
  );
});

test('an invalid report is rejected and not logged', async () => {
  const before = logged().length;
  for (const wrong of [
    {},
    { ...report, token: 'a' },
    { ...report, where: 'elsewhere' },
    { ...report, message: 'x'.repeat(limits.consoleErrors.message + 1) },
    { ...report, message: 'a\u0000b' },
  ])
    expect([(await send(wrong)).statusCode, wrong]).toEqual([400, wrong]);
  const tooLarge = await send({ ...report, more: 'x'.repeat(limits.consoleErrors.bodyBytes) });
  expect(tooLarge.statusCode).toBe(413);
  expect((await app.inject({ url: consoleErrorsPath })).statusCode).toBe(404);
  expect(logged().slice(before)).not.toContainEqual(
    expect.objectContaining({ msg: 'the console reported an error' }),
  );
});

test('reports are rate-limited per address', async () => {
  const codes: number[] = [];
  for (let sent = 0; sent <= limits.consoleErrors.perMinute; sent += 1)
    codes.push((await send(report, '192.0.2.2')).statusCode);
  expect(codes.slice(0, -1).every((code) => code === 204)).toBe(true);
  expect(codes.at(-1)).toBe(429);
});
