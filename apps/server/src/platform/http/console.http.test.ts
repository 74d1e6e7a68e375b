import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testGateway } from '../../testing/gateway.ts';

const script = "document.documentElement.dataset.theme = 'dark';\n";
const page = `<!doctype html><title>SimCube</title><script>${script}</script><script type="module" src="/main.js"></script>`;

const file = `console.info(${JSON.stringify('x'.repeat(100))});`;

let directory: string;
let app: FastifyInstance;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'simcube-console-'));
  await writeFile(join(directory, 'index.html'), page);
  await writeFile(join(directory, 'index.html.br'), brotliCompressSync(page));
  await writeFile(join(directory, 'main.js'), file);
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

test('the start page is the one of the server’s start, even if its file is replaced', async () => {
  for (const name of ['index.html', 'index.html.br'])
    await writeFile(join(directory, name), '<script type="module" src="/new.js"></script>');
  for (const url of ['/', '/index.html', '/es-ES/sims']) expect((await app.inject({ url })).body).toBe(page);
  const compressed = await app.inject({ url: '/', headers: { 'accept-encoding': 'gzip, br;q=0.5' } });
  expect(brotliDecompressSync(compressed.rawPayload).toString()).toBe(page);
  expect(compressed.headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    vary: 'accept-encoding',
  });
});

test('a browser that has the start page, in the coding that it accepts, is not sent it again', async () => {
  const { headers } = await app.inject({ url: '/en-US/sims', headers: { 'accept-encoding': 'br;q=0' } });
  expect(headers['content-encoding']).toBeUndefined();
  const repeat = { 'if-none-match': `W/"other", ${headers.etag}` };
  const unchanged = await app.inject({ url: '/en-US/orders', headers: repeat });
  expect([unchanged.statusCode, unchanged.body]).toEqual([304, '']);
  const coded = await app.inject({ url: '/', headers: { ...repeat, 'accept-encoding': 'br' } });
  expect([coded.statusCode, coded.headers.etag]).toEqual([
    200,
    expect.not.stringContaining(`${headers.etag}`),
  ]);
});

test.each([
  ['bytes=0-9', 206, `bytes 0-9/${file.length}`],
  ['bytes=-5', 206, `bytes ${file.length - 5}-${file.length - 1}/${file.length}`],
  [`bytes=${file.length}-`, 416, `bytes */${file.length}`],
  ['lines=0-9', 200, undefined],
])('a request for %s of a file gets %i', async (range, status, contentRange) => {
  const { statusCode, headers } = await app.inject({ url: '/main.js', headers: { range } });
  expect([statusCode, headers['content-range']]).toEqual([status, contentRange]);
});

test('If-Match and If-Range are checked against the file’s ETag', async () => {
  const answer = await app.inject({ url: '/main.js', headers: { 'if-match': '"another"' } });
  expect([answer.statusCode, answer.json().status.code]).toEqual([412, 'CB-00-0412']);
  const partly = await app.inject({
    url: '/main.js',
    headers: { range: 'bytes=0-9', 'if-range': '"another"' },
  });
  expect([partly.statusCode, partly.body]).toEqual([200, file]);
});
