import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testGateway } from '../../testing/gateway.ts';

const script = "document.documentElement.dataset.theme = 'dark';\n";
const page = `<!doctype html><title>SimCube</title><script>${script}</script><script type="module" src="/main.js"></script>`;

let directory: string;
let app: FastifyInstance;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'simcube-console-'));
  await writeFile(join(directory, 'index.html'), page);
  app = await testGateway({ routes: [], webDir: directory });
});
afterAll(async () => {
  await app.close();
  await rm(directory, { recursive: true });
});

test('the CSP allows only the start page’s inline scripts', async () => {
  const { headers, body } = await app.inject({ url: '/en-US/analysis' });
  expect(body).toBe(page);
  const scripts = /script-src ([^;]*)/.exec(String(headers['content-security-policy']))?.[1]?.split(' ');
  expect(scripts).toEqual(["'self'", `'sha256-${createHash('sha256').update(script).digest('base64')}'`]);
});

test.each([
  ['bytes=0-9', 206, `bytes 0-9/${page.length}`],
  ['bytes=-5', 206, `bytes ${page.length - 5}-${page.length - 1}/${page.length}`],
  [`bytes=${page.length}-`, 416, `bytes */${page.length}`],
  ['lines=0-9', 200, undefined],
])('a request for %s of a file gets %i', async (range, status, contentRange) => {
  const { statusCode, headers } = await app.inject({ url: '/index.html', headers: { range } });
  expect([statusCode, headers['content-range']]).toEqual([status, contentRange]);
});

test('If-Match and If-Range are checked against the file’s ETag', async () => {
  const answer = await app.inject({ url: '/index.html', headers: { 'if-match': '"another"' } });
  expect([answer.statusCode, answer.json().status.code]).toEqual([412, 'CB-00-0412']);
  const partly = await app.inject({
    url: '/index.html',
    headers: { range: 'bytes=0-9', 'if-range': '"another"' },
  });
  expect([partly.statusCode, partly.body]).toEqual([200, page]);
});
