import { headers } from '@simcube/contract';
import { renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { errorResponse, stubGateway } from '../../testing/gateway.ts';
import { useLiveState, useLiveStream, useSilentSince } from './use-live.ts';

const gateway = stubGateway();
const connect = 'GET /identity/sse/connect';

const liveState = () =>
  renderHook(() => {
    useLiveStream(true);
    return { state: useLiveState(), silentSince: useSilentSince() };
  }).result;

const stream = () =>
  new Response(new ReadableStream({ start: () => undefined }), {
    headers: { 'content-type': 'text/event-stream', [headers.traceId]: 't-1' },
  });

test.each([
  ['a proxy’s 404', () => new Response('<h1>404 page not found</h1>', { status: 404 })],
  ['a network’s sign-in page', () => new Response('<h1>Welcome to the hotel</h1>')],
])('the stream is opened again after %s', async (_, answer) => {
  gateway.respond(connect, answer);
  const live = liveState();
  await vi.waitFor(() => expect(live.current.state).toBe('lost'));
  gateway.respond(connect, stream);
  await vi.waitFor(() => expect(live.current.state).toBe('streaming'), { timeout: 5000 });
});

test('the stream is not being reopened after a refusal by the server', async () => {
  gateway.respond(connect, () => errorResponse({ http: 403, code: 'CB-00-0403' }));
  const live = liveState();
  await vi.waitFor(() => expect(live.current).toEqual({ state: 'lost', silentSince: null }));
});
