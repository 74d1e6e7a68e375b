import { endpoints, headers } from '@simcube/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { errorResponse, stubGateway, success } from '../../testing/gateway.ts';
import { signedInAs } from '../../testing/people.ts';
import { call } from './index.ts';

const gateway = stubGateway();
const path = '/job-service/rest/subscribe/group';
const create = (name: string, options: { signal?: AbortSignal; idempotencyKey?: string } = {}) =>
  call(endpoints.notify.createGroup, {
    body: { name, emails: ['noc@acme.example'] },
    announce: false,
    ...options,
  }).catch(() => undefined);
const group = success({ id: '1', name: 'NOC' });
const keys = () => gateway.sent.map((one) => one.headers.get(headers.idempotencyKey));
const failsWith = (http: number, code: string) => () => errorResponse({ http, code, message: 'No' });

beforeEach(() => signedInAs('admin'));

describe('a write that is not idempotent', () => {
  test('keeps its idempotency key until it gets a response', async () => {
    await create('NOC');
    gateway.respond(`POST ${path}`, failsWith(503, 'CB-99-0503'));
    await create('NOC');
    gateway.respond(`POST ${path}`, failsWith(409, 'CB-00-0423'));
    await create('NOC');
    gateway.respond(`POST ${path}`, () => group.clone());
    await create('NOC');
    const [first] = keys();
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(keys()).toEqual([first, first, first, first]);
    await create('NOC');
    expect(new Set(keys()).size).toBe(2);
  });

  test('has a new idempotency key after a rejection, if it differs, or after another write', async () => {
    await create('NOC');
    await create('Fleet');
    await create('NOC');
    gateway.respond(`POST ${path}`, failsWith(409, 'CB-05-0020'));
    await create('NOC');
    await create('NOC');
    const [first, other, again, rejected, next] = keys();
    expect(rejected).toBe(again);
    expect(new Set([first, other, again, next]).size).toBe(4);
  });

  test('uses the key of its caller', async () => {
    await create('NOC', { idempotencyKey: 'order-1' });
    expect(keys()).toEqual(['order-1']);
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
  });
});
