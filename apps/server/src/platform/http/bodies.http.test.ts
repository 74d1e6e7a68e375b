import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { setImmediate as turnOfEvents } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { endpoint } from '@simcube/contract';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { portOf, testGateway } from '../../testing/gateway.ts';
import { openRaw, parseResponses } from '../../testing/raw-http.ts';
import { createLog } from '../log/index.ts';
import { route } from './index.ts';

const common = { method: 'POST', summary: 'For a test', errors: [], retry: 'safe', audit: 'none' } as const;
const open = endpoint({
  ...common,
  id: 'test.open',
  path: '/cube/open',
  access: { kind: 'public' },
  body: z.object({ word: z.string().max(10) }),
  response: z.object({ word: z.string() }),
});
const own = endpoint({
  ...open,
  id: 'test.own',
  path: '/cube/own',
  access: { kind: 'signed-in', member: false },
});
const optional = endpoint({
  ...open,
  id: 'test.optional',
  path: '/cube/optional',
  body: z.object({}).nullish(),
});

const long = endpoint({ ...optional, id: 'test.long', path: '/cube/long' });
const asked = endpoint({
  ...common,
  method: 'GET',
  id: 'test.asked',
  path: '/cube/asked',
  access: { kind: 'public' },
  response: z.object({ word: z.string() }),
});
/** What a call of it waits for. */
let whileAsked: Promise<void>;

/** Short, so that slow clients time out soon. */
const times = { headersMs: 200, anonymousBodyMs: 200, idleMs: 2000 };
let app: FastifyInstance;
let port: number;
const lines: string[] = [];

beforeAll(async () => {
  app = await testGateway({
    routes: [
      route(open, async ({ body }) => body),
      route(own, async ({ body }) => body),
      route(optional, async () => ({ word: 'none' })),
      route(long, async () => ({ word: 'x'.repeat(50_000_000) })),
      route(asked, async () => {
        await whileAsked;
        return { word: 'asked' };
      }),
    ],
    times,
    log: createLog({
      level: 'info',
      format: 'json',
      destination: { write: (line) => void lines.push(line) },
    }),
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = portOf(app);
});
afterAll(() => app.close());

const send = (url: string, payload: string | Buffer, type: string, more: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url, payload, headers: { 'content-type': type, ...more } });
const head = (path: string, lines: readonly string[]): string =>
  [`POST ${path} HTTP/1.1`, 'host: test', 'content-type: application/json', ...lines, '', ''].join('\r\n');
const signedIn = 'authorization: Bearer good';
const codeOf = (body: string): string => JSON.parse(body).status.code;

describe('an unsupported content type of a JSON call', () => {
  it.each([
    ['text/plain', '{"word":"x"}'],
    ['text/xml', '<a/>'],
    ['application/x-www-form-urlencoded', 'word=x'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\ncontent-disposition: form-data; name="word"\r\n\r\nx\r\n--x--',
    ],
    ['nonsense', 'x'],
    ['application/json; charset=utf-16', '{"word":"x"}'],
    ['application/json; charset="iso-8859-1"', '{"word":"x"}'],
  ])('(%s) is rejected with its own code', async (type, payload) => {
    for (const url of ['/cube/open', '/cube/optional']) {
      const answer = await send(url, payload, type);
      expect([answer.statusCode, answer.json().status.code]).toEqual([415, 'CB-00-0415']);
    }
  });

  it('does not include JSON that says it is UTF-8', async () => {
    for (const charset of ['utf-8', 'UTF-8', '"utf-8"', 'utf8'])
      expect(
        (await send('/cube/open', '{"word":"x"}', `application/json; charset=${charset}`)).statusCode,
      ).toBe(200);
  });

  it.each(['gzip', 'br', 'Deflate', 'gzip, gzip'])('or a compressed one (%s) is rejected', async (coding) => {
    const answer = await send('/cube/open', gzipSync('{"word":"x"}'), 'application/json', {
      'content-encoding': coding,
    });
    expect([answer.statusCode, answer.json().status.code]).toEqual([415, 'CB-00-0415']);
    const plain = await send('/cube/open', '{"word":"x"}', 'application/json', {
      'content-encoding': 'identity',
    });
    expect(plain.statusCode).toBe(200);
  });

  it('is not checked before authentication', async () => {
    const answer = await send('/cube/own', 'x', 'text/plain');
    expect([answer.statusCode, answer.json().status.code]).toEqual([401, 'CB-00-0401']);
  });
});

describe('malformed JSON', () => {
  it.each([
    ['cut off', '{"word":'],
    ['two values', '{"word":"x"}{'],
    ['another notation', "{'word':'x'}"],
    ['a prototype', '{"word":"x","__proto__":{"a":1}}'],
    ['broken UTF-8', Buffer.from([0x7b, 0x22, 0x77, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])],
    ['UTF-16', Buffer.from('{"word":"x"}', 'utf16le')],
  ])('(%s) is rejected with a message and its own code', async (_, payload) => {
    const answer = await send('/cube/open', payload, 'application/json', { 'accept-language': 'es-ES' });
    expect([answer.statusCode, answer.json().status]).toEqual([
      400,
      { success: false, code: 'CB-00-0405', message: 'El cuerpo de la petición no es JSON válido.' },
    ]);
  });

  it('and a field that is there twice, of which only one value would count, is named', async () => {
    const answer = await send('/cube/open', '{"word":"x","w\\u006frd":"y"}', 'application/json');
    expect([answer.statusCode, answer.json().status]).toMatchObject([
      400,
      { code: 'CB-00-0400', detail: { issues: [{ path: 'word', key: 'repeatedField' }] } },
    ]);
  });

  it('does not include an empty body, which is one without fields', async () => {
    for (const headers of [{}, { 'content-type': 'application/json' }]) {
      const answer = await app.inject({ method: 'POST', url: '/cube/open', headers });
      expect(answer.json().status.detail.issues).toMatchObject([{ path: 'word', key: 'required' }]);
    }
    expect((await send('/cube/optional', '', 'application/json')).statusCode).toBe(200);
  });
});

describe('a body that is too large', () => {
  const word = Buffer.alloc(5_000_000, 'x');
  const small = `${head('/cube/open', ['content-length: 12'])}{"word":"y"}`;

  it.each([
    ['with its length said', [`content-length: ${word.length}`], word],
    [
      'in chunks',
      ['transfer-encoding: chunked'],
      Buffer.concat([Buffer.from(`${word.length.toString(16)}\r\n`), word, Buffer.from('\r\n0\r\n\r\n')]),
    ],
  ])(
    'is rejected (%s), and a client that sends it completely can read the response',
    async (_, lines, body) => {
      const connection = openRaw(port);
      connection.write(head('/cube/open', lines));
      connection.write(body);
      connection.write(small);
      const [refused, next] = await connection.responses(2);
      expect([refused?.http, codeOf(refused?.body ?? '{}')]).toEqual([413, 'CB-00-0413']);
      // The connection is still usable.
      expect(next?.http).toBe(200);
      connection.socket.destroy();
    },
  );

  it('gets a response that a browser’s fetch can read', async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/cube/open`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: word,
    });
    expect([answer.status, ((await answer.json()) as { status: { code: string } }).status.code]).toEqual([
      413,
      'CB-00-0413',
    ]);
  });
});

describe('a caller who is not signed in', () => {
  it('has a short time limit for the body of a public call', async () => {
    const connection = openRaw(port);
    connection.write(`${head('/cube/open', ['content-length: 12'])}{"word"`);
    const [answer] = parseResponses(await connection.closed);
    expect([answer?.http, codeOf(answer?.body ?? '{}')]).toEqual([408, 'CB-00-0408']);
  });

  it('has no more time after a rejection', async () => {
    const connection = openRaw(port);
    connection.write(`${head('/cube/own', ['content-length: 12'])}{"word"`);
    const [answer] = parseResponses(await connection.closed);
    expect([answer?.http, codeOf(answer?.body ?? '{}')]).toEqual([401, 'CB-00-0401']);
  });

  it('has a short time limit for headers', async () => {
    const connection = openRaw(port);
    connection.write('POST /cube/open HTTP/1.1\r\nhost: test\r\nx-slow: ');
    const [answer] = parseResponses(await connection.closed);
    expect([answer?.http, codeOf(answer?.body ?? '{}')]).toEqual([408, 'CB-00-0408']);
  });
});

it('a signed-in caller has the full time limit for the body', async () => {
  const signed = openRaw(port);
  const stranger = openRaw(port);
  signed.write(`${head('/cube/own', ['content-length: 12', signedIn])}{"word"`);
  stranger.write(`${head('/cube/open', ['content-length: 12'])}{"word"`);
  await stranger.closed;
  signed.write(':"y"}');
  const [answer] = await signed.responses(1);
  expect([answer?.http, JSON.parse(answer?.body ?? '{}').data]).toEqual([200, { word: 'y' }]);
  signed.socket.destroy();
});

it('a client that does not read its response is disconnected', async () => {
  const connection = openRaw(port);
  const ended = new Promise<void>((resolve) => {
    app.server.once('request', ({ socket }) => socket.once('close', () => resolve()));
  });
  connection.socket.pause();
  connection.write(head('/cube/long', ['content-length: 0']));
  await ended;
  connection.socket.resume();
  expect((await connection.closed).length).toBeLessThan(50_000_000);
});

it('a client that disconnects during a body causes no logged error', async () => {
  const connection = openRaw(port);
  const gone = new Promise<void>((resolve) => {
    app.server.once('request', (request) => request.once('close', resolve));
  });
  connection.write(`${head('/cube/open', ['content-length: 12'])}{"word"`);
  await new Promise<void>((resolve) => {
    app.server.once('request', () => resolve());
  }).then(() => connection.socket.destroy());
  await gone;
  expect((await send('/cube/open', '{"word":"y"}', 'application/json')).statusCode).toBe(200);
  expect(lines).toEqual([]);
});

it('a client that disconnects before its call is handled causes no logged error', async () => {
  const connection = openRaw(port);
  const gone = new Promise<void>((resolve) => {
    app.server.prependOnceListener('request', (request) => {
      request.socket.once('close', () => resolve());
      connection.socket.resetAndDestroy();
    });
  });
  connection.write(head('/cube/open', ['content-length: 0']));
  await gone;
  await turnOfEvents();
  expect(lines).toEqual([]);
});

describe('an unread body', () => {
  const uncaught: unknown[] = [];
  const note = (error: unknown): void => void uncaught.push(error);
  beforeAll(() => void process.on('uncaughtExceptionMonitor', note));
  afterAll(() => void process.off('uncaughtExceptionMonitor', note));
  const partly = `${head('/cube/asked', ['content-length: 12']).replace('POST', 'GET')}{"word"`;

  it('may be aborted during the call', async () => {
    const connection = openRaw(port);
    const request = once(app.server, 'request') as Promise<[IncomingMessage]>;
    whileAsked = request.then(([{ socket }]) => once(socket, 'close')).then(() => undefined);
    connection.write(partly);
    await request;
    connection.socket.destroy();
    await whileAsked;
    await turnOfEvents();
    expect(uncaught).toEqual([]);
  });

  it('may be slower than the call', async () => {
    const [connection, later] = [openRaw(port), openRaw(port)];
    const request = once(app.server, 'request');
    whileAsked = later.closed.then(() => undefined);
    connection.write(partly);
    await request;
    later.write(`${head('/cube/open', ['content-length: 12'])}{"word"`);
    const [answer] = await connection.responses(1);
    expect([answer?.http, uncaught]).toEqual([200, []]);
    connection.socket.destroy();
  });
});

it('JSON responses must not be cached', async () => {
  for (const [url, payload] of [
    ['/cube/open', '{"word":"y"}'],
    ['/cube/open', '{'],
    ['/cube/own', '{}'],
    ['/cube/nothing', '{}'],
    ['/cube/%', '{}'],
  ] as const) {
    const answer = await send(url, payload, 'application/json');
    expect(answer.headers['cache-control'], url).toBe('no-store');
  }
});
