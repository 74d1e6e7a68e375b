import { endpoints, headers } from '@simcube/contract';
import { renderHook } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { errorResponse, stubGateway, success } from '../../testing/gateway.ts';
import { membershipOf, signedInAs } from '../../testing/people.ts';
import { session } from '../session/index.ts';
import { useToasts } from '../toast/index.ts';
import { call } from './index.ts';

const gateway = stubGateway();
const path = '/job-service/rest/subscribe/group';
const create = (name: string, { by = call, ...options }: { by?: typeof call; signal?: AbortSignal } = {}) =>
  by(endpoints.notify.createGroup, {
    body: { name, emails: ['noc@acme.example'] },
    announce: false,
    ...options,
  }).catch(() => undefined);
const group = () => success({ id: '1', name: 'NOC' });
const keys = () => gateway.sent.map((one) => one.headers.get(headers.idempotencyKey));
const respond = (response: () => Response | Promise<Response>) => gateway.respond(`POST ${path}`, response);
const failsWith = (http: number, code: string) => () => errorResponse({ http, code, message: 'No' });

beforeEach(() => signedInAs('admin'));

describe('a write that is not idempotent', () => {
  test('keeps its idempotency key until it gets a response', async () => {
    await create('NOC');
    respond(failsWith(503, 'CB-99-0503'));
    await create('NOC');
    respond(failsWith(409, 'CB-00-0423'));
    await create('NOC');
    // A proxy's page, or a response that broke off.
    respond(() => new Response('<html>', { status: 200 }));
    await create('NOC');
    respond(group);
    await create('NOC');
    const [first] = keys();
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(keys()).toEqual([first, first, first, first, first]);
    await create('NOC');
    expect(new Set(keys()).size).toBe(2);
  });

  test('has a new idempotency key after a rejection', async () => {
    await create('NOC');
    respond(failsWith(409, 'CB-05-0020'));
    await create('NOC');
    await create('NOC');
    const [lostKey, rejected, next] = keys();
    expect(rejected).toBe(lostKey);
    expect(next).not.toBe(lostKey);
  });

  test('keeps its idempotency key while other writes are sent', async () => {
    await create('NOC');
    respond(group);
    await create('Fleet');
    await create('NOC');
    const [noc, fleet, again] = keys();
    expect(again).toBe(noc);
    expect(fleet).not.toBe(noc);
  });

  test('keeps its idempotency key when another was answered while it was in flight', async () => {
    let lose: () => void = () => undefined;
    respond(() => new Promise((_, reject) => (lose = () => reject(new TypeError('Failed to fetch')))));
    const inFlight = create('NOC');
    respond(group);
    await create('Fleet');
    lose();
    await inFlight;
    await create('NOC');
    await create('Fleet');
    const [noc, fleet, again, nextFleet] = keys();
    expect(again).toBe(noc);
    expect(new Set([noc, fleet, nextFleet]).size).toBe(3);
  });

  test('keeps its idempotency key across a reload', async () => {
    await create('NOC');
    // Neither the request nor its sender is stored.
    expect(Object.values(sessionStorage).join()).not.toMatch(/noc@acme|NOC|user-1|ACME/);
    vi.resetModules();
    const reloaded = await import('./index.ts');
    await create('NOC', { by: reloaded.call });
    const [first, again] = keys();
    expect(again).toBe(first);
  });

  test('has another idempotency key in another organisation, for another person, and after signing out', async () => {
    await create('NOC');
    session.chooseOrganisation(membershipOf('admin', 'NORD'));
    await create('NOC');
    signedInAs('admin', { userId: 'user-2', rolesInfo: [membershipOf('admin')] });
    await create('NOC');
    session.clear();
    expect(session.get('pendingWrites')).toBeNull();
    signedInAs('admin');
    await create('NOC');
    expect(new Set(keys()).size).toBe(4);
  });

  test('is forgotten after fifty others without a response', async () => {
    for (let n = 0; n <= 50; n += 1) await create(`group ${n}`);
    await create('group 1');
    await create('group 0');
    const [zero, one] = keys();
    const [oneAgain, zeroAgain] = keys().slice(-2);
    expect(oneAgain).toBe(one);
    expect(zeroAgain).not.toBe(zero);
  });

  test('says that it was done earlier when the response is that of the first attempt', async () => {
    await create('NOC');
    respond(() => {
      const response = group();
      response.headers.set(headers.idempotencyReplayed, 'true');
      return response;
    });
    await create('NOC');
    expect(renderHook(() => useToasts()).result.current.map(({ text }) => text)).toEqual([
      'This was already done earlier, when the response was lost. It was not done again.',
    ]);
  });

  test('is repeated with what was agreed to at first', async () => {
    const renew = (digest: string, iccid = '89860012300004518823') =>
      call(endpoints.bundle.renew, {
        body: { selection: { iccids: [iccid] } },
        agreed: { preview_digest: digest },
        announce: false,
      }).catch(() => undefined);
    const sent = () => gateway.sent.map(({ body }) => (body as { preview_digest: string }).preview_digest);
    await renew('a'.repeat(64));
    gateway.respond('POST /cube/sim/renew', failsWith(409, 'CB-02-0009'));
    await renew('b'.repeat(64));
    await renew('b'.repeat(64));
    const [first, repeated, next] = keys();
    expect(repeated).toBe(first);
    expect(next).not.toBe(first);
    expect(sent()).toEqual(['a'.repeat(64), 'a'.repeat(64), 'b'.repeat(64)]);
  });
});

describe('a call without an idempotency key', () => {
  test('is one that may be repeated, has a confidential response, or may be aborted', async () => {
    await call(endpoints.sim.basic, { query: { iccid: '89860012300004518823' } }).catch(() => undefined);
    await call(endpoints.notify.createApiTarget, {
      body: { name: 'NOC', url: 'https://noc.example' },
    }).catch(() => undefined);
    await create('NOC', { signal: new AbortController().signal });
    expect(keys()).toEqual([null, null, null]);
    expect(session.get('pendingWrites')).toBeNull();
  });
});
