import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoint, servicePrefixes } from '@simcube/contract';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { portOf, testGateway } from '../../testing/gateway.ts';
import { fileRoute, route } from './index.ts';

const page = '<!doctype html><title>SimCube</title>';
const common = {
  method: 'GET',
  summary: 'Says its name',
  access: { kind: 'public' },
  response: z.string(),
  errors: [],
  retry: 'safe',
} as const;
const named = endpoint({
  ...common,
  id: 'test.named',
  path: '/cube/named/{name}',
  params: z.object({ name: z.string().max(20) }),
});
const asked = endpoint({
  ...common,
  id: 'test.asked',
  path: '/cube/asked',
  query: z.strictObject({ word: z.string().max(20) }),
});
const filed = endpoint({
  ...common,
  id: 'test.filed',
  path: '/cube/file',
  response: 'file',
  formats: ['csv'],
});
let made = 0;

let directory: string;
let app: FastifyInstance;
let port: number;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'simcube-console-'));
  await writeFile(join(directory, 'index.html'), page);
  app = await testGateway({
    routes: [
      route(named, async ({ params }) => params.name),
      route(asked, async ({ query }) => query.word),
      fileRoute(filed, async () => {
        made += 1;
        return { fileName: 'one.csv', contentType: 'text/csv', content: Buffer.from('text') };
      }),
    ],
    webDir: directory,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = portOf(app);
});
afterAll(async () => {
  await app.close();
  await rm(directory, { recursive: true });
});

const ask = (url: string, options: InjectOptions = {}) => app.inject({ url, ...options });
const notFound = { success: false, code: 'CB-00-0404' };

/** The server's response to these octets. */
const sendRaw = (text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (piece) => {
      answer += piece;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });

describe('an unknown address below a service prefix', () => {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'] as const;
  const cases = servicePrefixes.flatMap((prefix) => methods.map((method) => [method, prefix] as const));

  it.each(cases)('is not found by %s %s/nothing/there', async (method, prefix) => {
    const answer = await ask(`${prefix}/nothing/there`, { method: method as 'GET' });
    expect(answer.statusCode).toBe(404);
    expect(answer.headers['content-type']).toContain('application/json');
    expect(answer.headers['x-trace-id']).toMatch(/^[0-9a-f-]{36}$/);
    if (method !== 'HEAD') expect(answer.json()).toMatchObject({ data: null, status: notFound });
  });

  it.each([
    '/cube',
    '/cube/',
    '//cube/nothing',
    '/CUBE/named/ann',
    '/%63ube/nothing',
    '/cube/named/ann/more',
    `/cube/named/${'x'.repeat(300)}`,
    '/docs/nothing',
    '/metrics/more',
  ])('is not found: %s', async (url) => {
    const answer = await ask(url);
    expect([answer.statusCode, answer.json().status]).toMatchObject([404, notFound]);
  });

  it.each([
    ['text/xml', '<a/>'],
    ['application/json', '{'],
    ['multipart/form-data; boundary=x', '--x'],
    ['nonsense', 'x'],
  ])('is not found with any body: %s', async (type, payload) => {
    const answer = await ask('/cube/nothing', {
      method: 'POST',
      payload,
      headers: { 'content-type': type },
    });
    expect([answer.statusCode, answer.json().status]).toMatchObject([404, notFound]);
  });
});

describe('another method at the address of a call', () => {
  it.each([
    ['DELETE', '/cube/asked?word=x', 'GET, HEAD'],
    ['OPTIONS', '/cube/named/ann', 'GET, HEAD'],
    ['POST', '/cube/file', 'GET'],
  ] as const)('%s %s is refused with those that are supported: %s', async (method, url, allowed) => {
    const answer = await ask(url, { method });
    expect([answer.statusCode, answer.headers['allow']]).toEqual([405, allowed]);
    expect(answer.json().status).toMatchObject({
      code: 'CB-00-0410',
      message: `This method is not supported here. Supported: ${allowed}.`,
    });
  });
});

describe('an address that can’t be decoded', () => {
  it.each(['/%', '/cube/%zz', '/cube/named/%E0%A4', '/en-US/%', '/%c0%af'])(
    'is not found: %s',
    async (url) => {
      const answer = await ask(url, { headers: { 'accept-language': 'es-ES' } });
      expect([answer.statusCode, answer.json()]).toMatchObject([
        404,
        { data: null, status: { ...notFound, message: expect.stringContaining('No se ha encontrado') } },
      ]);
      expect(answer.headers['x-trace-id']).toBe(answer.json().trace_id);
      expect(answer.body).not.toMatch(/fst_|fastify|url component/i);
    },
  );
});

describe('a query', () => {
  it.each(['%00', 'a%00b', '%ff', 'caf%E9', '%c0%80', '%ed%a0%80', '%EF%BF%BD'])(
    'is rejected by field for broken text: %s',
    async (word) => {
      const answer = await ask(`/cube/asked?word=${word}`);
      expect([answer.statusCode, answer.json().status.detail.issues]).toMatchObject([
        400,
        [{ path: 'word', key: 'brokenText' }],
      ]);
    },
  );

  it.each([
    ['caf%C3%A9', 'café'],
    ['100%', '100%'],
    ['a+b%20c', 'a b c'],
  ])('is decoded: %s', async (word, read) => {
    expect((await ask(`/cube/asked?word=${word}`)).json().data).toBe(read);
  });
});

describe("the console's page", () => {
  it.each(['/', '/en-US', '/en-US/simCard', '/fr/simCard', '/simCard', '/zh-CN/simCard/89860012?tab=usage'])(
    'is served at %s',
    async (url) => {
      const answer = await ask(url);
      expect([answer.statusCode, answer.body]).toEqual([200, page]);
    },
  );

  it.each(['POST', 'PUT', 'DELETE', 'PATCH'] as const)('is not served for %s', async (method) => {
    const answer = await ask('/en-US/simCard', { method });
    expect([answer.statusCode, answer.json().status]).toMatchObject([404, notFound]);
  });

  it.each(['/assets/gone.js', '/favicon.ico', '/wp-login.php'])(
    'is not served for the file %s',
    async (url) => {
      expect((await ask(url)).json().status).toMatchObject(notFound);
    },
  );
});

describe('an unreadable request', () => {
  it.each([
    ['a line that is none', 'GARBAGE\r\n\r\n', 400, 'CB-00-0407'],
    [
      'headers beyond all bounds',
      `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'CB-00-0431',
    ],
    ['no host', 'GET / HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'CB-00-0407'],
    [
      'two hosts',
      'GET /cube/named/ann HTTP/1.1\r\nhost: a\r\nHost: b\r\nconnection: close\r\n\r\n',
      400,
      'CB-00-0407',
    ],
    [
      'two authorisations',
      'GET /cube/named/ann HTTP/1.1\r\nhost: a\r\nauthorization: Bearer good\r\nauthorization: Bearer bad\r\nconnection: close\r\n\r\n',
      400,
      'CB-00-0407',
    ],
    ['a host that is none', 'GET / HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n', 400, 'CB-00-0407'],
  ])('(%s) gets an error in the envelope', async (_, text, http, code) => {
    const [head = '', body = ''] = (await sendRaw(text)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${http} `));
    expect(head.toLowerCase()).toContain('content-type: application/json');
    expect(JSON.parse(body)).toMatchObject({ data: null, status: { success: false, code } });
  });
});

it.each(['a', 'a:8080', '', '[::1]:80', 'xn--caf-dma.example', '127.0.0.1'])(
  'a request with the host “%s” is accepted',
  async (host) => {
    const answer = await sendRaw(
      `GET /cube/named/ann HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
  },
);

it('an HTTP/1.0 request needs no host', async () => {
  expect(await sendRaw('GET /cube/named/ann HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
});

describe('HEAD', () => {
  it('returns the headers of a call, and 405 for a file', async () => {
    const call = await ask('/cube/named/ann', { method: 'HEAD' });
    expect([call.statusCode, call.headers['content-length'], call.body]).toMatchObject([
      200,
      expect.stringMatching(/^\d+$/),
      '',
    ]);
    const file = await ask('/cube/file', { method: 'HEAD' });
    expect([file.statusCode, made]).toEqual([405, 0]);
    expect([(await ask('/cube/file')).body, made]).toEqual(['text', 1]);
  });
});
