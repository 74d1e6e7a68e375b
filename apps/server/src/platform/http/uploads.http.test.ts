import { once } from 'node:events';
import { promisify } from 'node:util';
import { endpoint } from '@simcube/contract';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { portOf, testGateway } from '../../testing/gateway.ts';
import { openRaw } from '../../testing/raw-http.ts';
import { createLog } from '../log/index.ts';
import { ThreadPoolBusy } from '../threads/index.ts';
import { route } from './index.ts';

const megabyte = 1024 * 1024;
const file = endpoint({
  id: 'test.file',
  method: 'POST',
  path: '/cube/file',
  summary: 'Takes a file',
  access: { kind: 'signed-in', member: false },
  upload: { maxBytes: megabyte },
  response: z.object({ name: z.string(), octets: z.number() }),
  errors: [],
  retry: 'safe',
  audit: 'none',
});

let app: FastifyInstance;
let port: number;
/** Sizes of the accepted files. */
let taken: number[];
/** Whether the clients of files that are being handled have gone. */
const waiting: AbortSignal[] = [];
const lines: string[] = [];

beforeAll(async () => {
  app = await testGateway({
    log: createLog({
      level: 'warn',
      format: 'json',
      destination: { write: (line: string) => void lines.push(line) },
    }),
    routes: [
      route(file, async ({ file: { name, content, uploader } }) => {
        const { signal } = uploader ?? {};
        if (name === 'waits.csv' && signal) {
          waiting.push(signal);
          await once(signal, 'abort');
        }
        if (name === 'later.csv') throw new ThreadPoolBusy();
        taken.push(content.length);
        return { name, octets: content.length };
      }),
    ],
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = portOf(app);
});
afterAll(() => app.close());
const connections = promisify<number>((done) => app.server.getConnections(done));
beforeEach(() => {
  taken = [];
  lines.length = 0;
});

const boundary = 'simcube-test';
const part = (disposition: string, content: string | Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
const fileOf = (octets: number, name = 'list.csv'): Buffer =>
  part(`name="file"; filename="${name}"`, Buffer.alloc(octets, '8986001200000000001\n'));
const form = (...parts: Buffer[]): Buffer => Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
const formType = `multipart/form-data; boundary=${boundary}`;
const authorization = 'Bearer good';

const inject = (payload: Buffer | string, type: string = formType) =>
  app.inject({
    method: 'POST',
    url: '/cube/file',
    payload,
    headers: { authorization, 'content-type': type },
  });
const verdictOf = async (payload: Buffer | string, type?: string) => {
  const answer = await inject(payload, type);
  return [answer.statusCode, answer.json().status.code];
};

/** Sends it over a connection in pieces of this size, with or without a Content-Length. */
const stream = async (payload: Buffer, pieceOctets: number, isChunked: boolean) => {
  const connection = openRaw(port);
  const length = isChunked ? 'transfer-encoding: chunked' : `content-length: ${payload.length}`;
  connection.write(
    `POST /cube/file HTTP/1.1\r\nhost: test\r\nauthorization: ${authorization}\r\ncontent-type: ${formType}\r\n${length}\r\n\r\n`,
  );
  for (let at = 0; at < payload.length; at += pieceOctets) {
    const piece = payload.subarray(at, at + pieceOctets);
    if (isChunked) connection.write(`${piece.length.toString(16)}\r\n`);
    connection.write(piece);
    if (isChunked) connection.write('\r\n');
  }
  if (isChunked) connection.write('0\r\n\r\n');
  const [answer] = await connection.responses(1);
  connection.socket.destroy();
  return [answer?.http, JSON.parse(answer?.body ?? '{}').status.code];
};

describe('a file', () => {
  it.each([1, megabyte - 1, megabyte])('of %d octets is accepted', async (octets) => {
    expect(await verdictOf(form(fileOf(octets)))).toEqual([200, 'CB-00-0000']);
    expect(await stream(form(fileOf(octets)), 16_000, octets % 2 === 0)).toEqual([200, 'CB-00-0000']);
    expect(taken).toEqual([octets, octets]);
  });

  it.each([megabyte + 1, 2_000_006, 20_000_000])(
    'of %d octets, beyond the limit, is rejected with any chunking',
    async (octets) => {
      const payload = form(fileOf(octets));
      const verdicts: unknown[] = [await verdictOf(payload)];
      for (const pieceOctets of [1_000_000, 65_536, 16_000]) {
        for (const isChunked of [true, false]) verdicts.push(await stream(payload, pieceOctets, isChunked));
      }
      expect(new Set(verdicts.map((verdict) => JSON.stringify(verdict)))).toEqual(
        new Set([JSON.stringify([413, 'CB-09-0002'])]),
      );
      expect(taken).toEqual([]);
    },
  );

  it('beyond the limit is rejected with the limit in the message', async () => {
    const { status } = (await inject(form(fileOf(megabyte + 1)))).json();
    expect(status.message).toContain('1 MB');
  });

  it('is rejected beside a field that the call does not have, which would be ignored', async () => {
    const answer = await inject(form(part('name="replaces"', 'x'), fileOf(10)));
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ status: { code: 'CB-00-0400' } });
    expect(JSON.stringify(answer.json())).toContain('replaces');
    expect(taken).toEqual([]);
  });

  it('is rejected in a field of another name', async () => {
    const misnamed = part('name="upload"; filename="list.csv"', 'x');
    for (const payload of [form(misnamed), form(fileOf(10), misnamed)]) {
      const answer = await inject(payload);
      expect([answer.statusCode, answer.json().status.code]).toEqual([400, 'CB-00-0400']);
      expect(JSON.stringify(answer.json())).toContain('Unknown field: upload');
    }
    expect(taken).toEqual([]);
  });

  it('is no longer wanted once its client has gone', async () => {
    const payload = form(fileOf(10, 'waits.csv'));
    const { socket, write } = openRaw(port);
    write(
      `POST /cube/file HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\ncontent-type: ${formType}\r\ncontent-length: ${payload.length}\r\n\r\n`,
    );
    socket.write(payload);
    await expect.poll(() => waiting.length).toBe(1);
    expect(waiting[0]?.aborted).toBe(false);
    socket.destroy();
    await expect.poll(() => waiting[0]?.aborted).toBe(true);
  });

  it('has control characters in its name replaced', async () => {
    const answer = await inject(form(fileOf(10, 'a\0b\u001b[31m.csv')));
    expect(answer.json().data.name).toBe('a\ufffdb\ufffd[31m.csv');
  });

  it('gets 503 with Retry-After while the thread pool is busy, without a logged error', async () => {
    const answer = await inject(form(fileOf(10, 'later.csv')));
    const { statusCode, headers } = answer;
    expect([statusCode, headers['retry-after'], answer.json().status.code]).toEqual([
      503,
      '30',
      'CB-99-0503',
    ]);
    expect(lines).toEqual([]);
  });
});

describe('a form', () => {
  it.each([
    ['nothing', form(), 'CB-09-0019'],
    ['an empty choice of a file', form(part('name="file"; filename=""', '')), 'CB-09-0019'],
    ['two files', form(fileOf(10), fileOf(10, 'other.csv')), 'CB-09-0020'],
    ['a file of another kind', form(fileOf(10, 'list.pdf')), 'CB-09-0001'],
    ['a file with a long name', form(fileOf(10, `${'x'.repeat(40)}.csv`)), 'CB-09-0003'],
    ['no end', form(fileOf(1000)).subarray(0, 500), 'CB-00-0407'],
    ['no part at all', 'nothing of the kind', 'CB-00-0407'],
  ])('with %s is rejected with a message', async (_, payload, code) => {
    expect(await verdictOf(payload)).toEqual([400, code]);
    expect(taken).toEqual([]);
  });

  it('without a boundary is rejected', async () => {
    expect(await verdictOf(form(fileOf(10)), 'multipart/form-data')).toEqual([400, 'CB-00-0407']);
  });

  it.each(['application/json', 'text/csv', 'text/plain'])('is required: %s is rejected', async (type) => {
    for (const payload of ['{"file":"x"}', '{']) {
      expect(await verdictOf(payload, type)).toEqual([415, 'CB-00-0415']);
    }
  });

  it('of an unauthenticated caller is not read', async () => {
    const answer = await app.inject({
      method: 'POST',
      url: '/cube/file',
      payload: form(fileOf(10)),
      headers: { 'content-type': formType },
    });
    expect([answer.statusCode, taken]).toEqual([401, []]);
  });

  it('that is aborted is neither handled nor logged', async () => {
    const whole = form(fileOf(100_000));
    const half = whole.subarray(0, 50_000);
    for (const [length, body] of [
      [`content-length: ${whole.length}`, half],
      ['transfer-encoding: chunked', Buffer.concat([Buffer.from('c350\r\n'), half])],
    ] as const) {
      const { socket, write, closed } = openRaw(port);
      const types = `authorization: ${authorization}\r\ncontent-type: ${formType}`;
      write(`POST /cube/file HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\n${types}\r\n${length}\r\n\r\n`);
      await once(socket, 'data');
      socket.write(body, () => socket.destroy());
      await closed;
    }
    await expect.poll(() => connections()).toBe(0);
    // A request that arrives after them is answered when they are finished.
    expect(await verdictOf(form(fileOf(10)))).toEqual([200, 'CB-00-0000']);
    expect(taken).toEqual([10]);
    expect(lines).toEqual([]);
  });
});
