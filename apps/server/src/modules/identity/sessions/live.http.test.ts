import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endpoints, roles } from '@simcube/contract';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { defineEvent, emit } from '../../../platform/outbox/index.ts';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';
import { expectDocumented } from '../../../testing/documented.ts';
import { makePool } from '../../../testing/pools.ts';
import { smsChanged } from '../../sms/index.ts';
import { taskProgressed } from '../../task/index.ts';
import { usageRecorded } from '../../usage/index.ts';
import { accountChanged } from '../people/accounts.events.ts';

const { connectLive, signOut } = endpoints.identity;
const words = defineEvent({
  topic: 'test.said',
  payload: z.object({ word: z.string() }),
  live: ({ word }) => [
    { name: 'sim.event', data: { iccid: word, kind: 'reset', at: '2026-11-21T12:00:00Z' } },
  ],
});

let test: TestApp;
let org: Awaited<ReturnType<typeof makeOrganisation>>;

beforeAll(async () => {
  test = await testApp();
  org = await makeOrganisation(test, { code: 'northwind' });
  await test.app.listen({ host: '127.0.0.1', port: 0 });
});

afterAll(() => test.close());

const say = (word: string, orgId = org.id) => emit(test.database.pool, words, { orgId, payload: { word } });

const use = (iccid: string, bytes: number) =>
  emit(test.database.pool, usageRecorded, {
    orgId: org.id,
    payload: { sims: [[iccid, bytes, bytes]], hours: [[494_000, bytes]] },
  });

interface Stream {
  response: IncomingMessage;
  text: () => string;
  ended: () => boolean;
}

const openStream = async (
  person: TestClient,
  { lastEventId, read = true }: { lastEventId?: string; read?: boolean } = {},
): Promise<Stream> => {
  const { port } = test.app.server.address() as AddressInfo;
  const path = `${connectLive.path}?userId=${person.userId}`;
  const headers = { ...person.headers, ...(lastEventId && { 'last-event-id': lastEventId }) };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest({ host: '127.0.0.1', port, path, headers }, resolve).once('error', reject).end();
  });
  const { statusCode: http = 0 } = response;
  let text = http === 200 ? '' : (await response.toArray()).join('');
  expectDocumented(test.app, {
    method: 'GET',
    url: path,
    sent: headers,
    http,
    answered: response.headers,
    text,
  });
  let ended = false;
  if (read) {
    response.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  response.on('error', () => undefined);
  response.on('close', () => {
    ended = true;
  });
  // The headers arrive before the position from which events are sent.
  if (http === 200 && read && lastEventId === undefined) {
    await vi.waitFor(() => expect(text).toContain('event: stream.open'), { timeout: 30_000 });
  }
  return { response, text: () => text, ended: () => ended };
};

const wordsOf = ({ text }: Stream): string[] =>
  [...text().matchAll(/"iccid":"([^"]+)"/g)].map(([, word]) => word ?? '');
const lastIdOf = ({ text }: Stream): string | undefined => [...text().matchAll(/^id: (.+)$/gm)].at(-1)?.[1];

it('the stream requires a session and the person’s own user id', async () => {
  const [one, two] = [await signedInAs(test, 'user', org), await signedInAs(test, 'user', org)];
  expect((await openStream({ ...one, userId: two.userId })).response.statusCode).toBe(404);
  expect((await openStream({ ...one, headers: {} })).response.statusCode).toBe(401);
});

it.each(roles)('opens for a %s and says when the session ends', async (role) => {
  const person = await signedInAs(test, role, org);
  const stream = await openStream(person);
  expect(stream.response.statusCode).toBe(200);
  expect(stream.response.headers['content-type']).toMatch(/^text\/event-stream/);
  await person.call(signOut);
  await vi.waitFor(() => expect(stream.ended()).toBe(true));
  expect(stream.text()).toContain('event: session.ended\ndata: {}\n\n');
});

it("the stream carries one organisation's events, and continues where it was interrupted", async () => {
  const other = await makeOrganisation(test, { code: 'elsewhere' });
  const person = await signedInAs(test, 'user', org);
  const first = await openStream(person);
  await say('foreign', other.id);
  await say('one');
  await vi.waitFor(() => expect(wordsOf(first)).toEqual(['one']), { timeout: 30_000 });
  const lastEventId = lastIdOf(first);
  if (!lastEventId) throw new Error('the event has no id');
  first.response.destroy();
  await say('two');
  await say('three');
  const second = await openStream(person, { lastEventId });
  await vi.waitFor(() => expect(wordsOf(second)).toEqual(['two', 'three']), { timeout: 30_000 });
  second.response.destroy();
});

it('the stream reports changed accounts, and ends for a person without an account here', async () => {
  const other = await makeOrganisation(test, { code: 'second-home' });
  const [admin, person] = [await signedInAs(test, 'admin', org), await signedInAs(test, 'user', org)];
  const membership = { userId: person.userId, orgId: other.id, role: 'user', oversight: false } as const;
  await test.wiring.org.addMembership(test.database.pool, membership);
  const [watching, own] = [await openStream(admin), await openStream(person)];
  const { account } = endpoints;
  const params = { userId: person.userId };
  const news = `event: account.changed\ndata: {"userId":"${person.userId}"}\n\n`;
  await admin.call(account.setOversight, { params, body: { oversight: true } });
  await vi.waitFor(() => expect(own.text()).toContain(news), { timeout: 30_000 });
  await admin.call(account.remove, { params });
  await vi.waitFor(() => expect(own.ended()).toBe(true), { timeout: 30_000 });
  expect(own.text().split(news)).toHaveLength(3);
  await say('after');
  await vi.waitFor(() => expect(wordsOf(watching)).toEqual(['after']), { timeout: 30_000 });
  expect(watching.text().split(news)).toHaveLength(3);
  expect(wordsOf(own)).toEqual([]);
  watching.response.destroy();
});

it.each([
  ['networks', `allowed_networks = '{198.51.100.0/24}'`],
  ['two-factor authentication', 'two_factor_required = true'],
])(
  'the stream ends for who does not fulfil a demand of the organisation that is made later: %s',
  async (_, demand) => {
    const strict = await makeOrganisation(test, { code: `strict-${randomUUID().slice(0, 8)}` });
    const person = await signedInAs(test, 'user', strict);
    const stream = await openStream(person);
    await test.database.pool.query(`update organisations set ${demand} where id = $1`, [strict.id]);
    const payload = { userId: person.userId };
    await emit(test.database.pool, accountChanged, { orgId: strict.id, payload });
    await vi.waitFor(() => expect(stream.ended()).toBe(true), { timeout: 30_000 });
    expect(stream.text()).not.toContain('session.ended');
  },
);

it('the stream sends no events of SIMs without the permission to see them, from the moment of its loss', async () => {
  const [admin, person] = [await signedInAs(test, 'admin', org), await signedInAs(test, 'user', org)];
  const stream = await openStream(person);
  await say('before');
  await vi.waitFor(() => expect(wordsOf(stream)).toEqual(['before']), { timeout: 30_000 });
  const params = { userId: person.userId, key: 'sim' } as const;
  await admin.call(endpoints.account.changePermission, { params, body: { actions: [] } });
  await vi.waitFor(() => expect(stream.text()).toContain('event: account.changed'), { timeout: 30_000 });
  await use('secret', 7);
  await say('after');
  await vi.waitFor(() => expect(stream.text()).toContain('"bytes":7'), { timeout: 30_000 });
  const again = await openStream(person, { lastEventId: lastIdOf(stream) ?? '' });
  await use('secret', 8);
  await vi.waitFor(() => expect(again.text()).toContain('"bytes":8'), { timeout: 30_000 });
  expect([...wordsOf(stream), ...wordsOf(again)]).toEqual(['before']);
  stream.response.destroy();
  again.response.destroy();
});

it('the stream sends changes of pools only to those who may see pools', async () => {
  const [admin, person] = [await signedInAs(test, 'admin', org), await signedInAs(test, 'user', org)];
  const [watching, own] = [await openStream(admin), await openStream(person)];
  const { pool } = test.database;
  await makePool(pool, org.id, { now: test.clock.now() });
  await makePool(pool, org.id, { now: test.clock.now(), policy: 'no limit' });
  await vi.waitFor(() => expect(watching.text()).toContain('event: pool.changed'), { timeout: 30_000 });
  await say('after');
  await vi.waitFor(() => expect(wordsOf(own)).toEqual(['after']), { timeout: 30_000 });
  expect(own.text()).not.toContain('pool.changed');
  watching.response.destroy();
  own.response.destroy();
});

it('the stream sends tasks to their owners only, and messages to nobody without permission for SIMs or messages', async () => {
  const [admin, person] = [await signedInAs(test, 'admin', org), await signedInAs(test, 'user', org)];
  await test.database.pool.query(
    `update memberships set permission_changes = '{"sim": [], "cube-schedule-sms": []}' where user_id = $1`,
    [person.userId],
  );
  const [watching, own] = [await openStream(admin), await openStream(person)];
  const task = { type: 'sim-suspend', status: 'processing', quantity: 2, done: 1 } as const;
  for (const { userId } of [admin, person]) {
    const payload = { ...task, reference: `of ${userId}`, userId };
    await emit(test.database.pool, taskProgressed, { orgId: org.id, payload });
  }
  const sims = [{ simId: 1, iccid: 'spoken to' }];
  await emit(test.database.pool, smsChanged, { orgId: org.id, payload: { sims, messages: [] } });
  await use('any', 9);
  for (const stream of [watching, own])
    await vi.waitFor(() => expect(stream.text()).toContain('"bytes":9'), { timeout: 30_000 });
  const tasksOf = ({ text }: Stream) => [...text().matchAll(/"id":"of ([^"]+)"/g)].map(([, id]) => id);
  expect([tasksOf(watching), tasksOf(own)]).toEqual([[admin.userId], [person.userId]]);
  const hears = ({ text }: Stream) => text().includes('spoken to');
  expect([hears(watching), hears(own)]).toEqual([true, false]);
  watching.response.destroy();
  own.response.destroy();
});

it('the stream requests a reload from a reader with an unknown position', async () => {
  const person = await signedInAs(test, 'user', org);
  for (const lastEventId of ['1-1', 'nonsense', '9'.repeat(300)]) {
    const stream = await openStream(person, { lastEventId });
    await vi.waitFor(() => expect(stream.text()).toContain('event: stream.reset'));
    stream.response.destroy();
  }
});

it('the stream disconnects a reader that does not read, and no other', async () => {
  const [slow, quick] = [await signedInAs(test, 'user', org), await signedInAs(test, 'user', org)];
  const stuck = await openStream(slow, { read: false });
  const reading = await openStream(quick);
  stuck.response.pause();
  const long = 'x'.repeat(200_000);
  let said = 0;
  // The kernel buffers some megabytes before the server notices that the reader has stopped.
  await vi.waitFor(
    async () => {
      for (let i = 0; i < 10; i += 1) await say(`${long}${i}`);
      said += 10;
      await vi.waitFor(() => expect(wordsOf(reading)).toHaveLength(said), { timeout: 10_000 });
      expect(await test.metrics.registry.metrics()).toMatch(/^simcube_live_dropped_total 1$/m);
    },
    { timeout: 30_000 },
  );
  expect(reading.ended()).toBe(false);
  reading.response.destroy();
  stuck.response.destroy();
});

it('the stream of a reader that does not read is written nothing after its end', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const person = await signedInAs(test, 'user', org);
    const request = once(test.app.server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
    const stream = await openStream(person, { read: false });
    stream.response.pause();
    const [, served] = await request;
    const failures: unknown[] = [];
    served.on('error', (error) => failures.push(error));
    // As much as the kernel buffers, and not so much that the reader is cut off.
    for (let said = 0; served.writableLength === 0; said += 1) {
      const { bytesWritten = 0 } = served.socket ?? {};
      await say(`${'x'.repeat(200_000)}${said}`);
      await vi.waitFor(() => expect(served.socket?.bytesWritten).toBeGreaterThan(bytesWritten + 200_000), {
        timeout: 10_000,
      });
    }
    await person.call(signOut);
    await vi.waitFor(() => expect(served.writableEnded).toBe(true), { timeout: 10_000 });
    await vi.advanceTimersByTimeAsync(15_000);
    expect([served.closed, failures]).toEqual([false, []]);
    stream.response.destroy();
  } finally {
    vi.useRealTimers();
  }
});

it('the number of streams of a session is limited', async () => {
  const person = await signedInAs(test, 'user', org);
  const streams: Stream[] = [];
  for (let i = 0; i < 20; i += 1) streams.push(await openStream(person));
  expect((await openStream(person)).response.statusCode).toBe(429);
  streams[0]?.response.destroy();
  await vi.waitFor(async () => expect((await openStream(person)).response.statusCode).toBe(200));
  for (const stream of streams) stream.response.destroy();
});
