import { endpoints, headers } from '@simcube/contract';
import { renderHook } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { stubGateway } from '../../testing/gateway.ts';
import { signedInAs } from '../../testing/people.ts';
import { useToasts } from '../toast/index.ts';
import { call, download, isTemporary } from './index.ts';

const gateway = stubGateway();
const iccid = '89860012300004518823';

/** The connection is lost after the head of the response. */
const cutOff = (more: Record<string, string> = {}): Response =>
  new Response(
    new ReadableStream({ pull: (body) => body.error(new TypeError('network error')) }, { highWaterMark: 0 }),
    { headers: { [headers.traceId]: 'trace-ok', 'content-type': 'application/json', ...more } },
  );

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (failure: unknown) => failure,
  );
const toasts = () => renderHook(() => useToasts()).result.current.map(({ text }) => text);

beforeEach(() => signedInAs('admin'));

test('a response that is cut off is a temporary network failure', async () => {
  gateway.respond('GET /cube/sim/basic', () => cutOff());
  const failure = await failureOf(call(endpoints.sim.basic, { query: { iccid } }));
  expect(isTemporary(failure)).toBe(true);
  expect(toasts()).toEqual(['Network Error']);
});

test('a file that is cut off is reported as a network failure', async () => {
  const disposition = 'attachment; filename="cells.csv"';
  gateway.respond('GET /cube/sms/sendTemplate', () => cutOff({ 'content-disposition': disposition }));
  const failure = await failureOf(download(endpoints.sms.sendTemplate, { query: { format: 'csv' } }));
  expect(isTemporary(failure)).toBe(true);
  expect(toasts()).toEqual(['Network Error']);
});
