import { endpoints } from '@simcube/contract';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { endpointQuery } from '../../lib/api-client/index.ts';
import { errorResponse, stubGateway, success } from '../../testing/gateway.ts';
import { signedInAs } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { useApiQuery } from '../../ui/query/index.ts';
import { ConnectionNotice } from './connection-notice.tsx';
import { connectionProblemOf } from './connection-problem.ts';
import { LiveIndicator } from './live-indicator.tsx';
import { useConnectionProblem } from './use-connection-problem.ts';

const stream = vi.hoisted(() => {
  const listeners = new Set<() => void>();
  let state = { live: 'streaming', silentSince: null as number | null };
  return {
    probe: vi.fn(),
    get: () => state,
    set: (next: typeof state) => {
      state = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
});

vi.mock(import('../../lib/live/index.ts'), async (original) => {
  const { useSyncExternalStore } = await import('react');
  return {
    ...(await original()),
    probeLive: stream.probe,
    useLiveState: () => useSyncExternalStore(stream.subscribe, () => stream.get().live as 'streaming'),
    useSilentSince: () => useSyncExternalStore(stream.subscribe, () => stream.get().silentSince),
  };
});

const gateway = stubGateway();
const read = `GET ${endpoints.dashboard.lifecycleCount.path}`;
const counts = (total: number) => success({ total, lifecycle: {} });

const Screen = () => {
  const { problem, retry } = useConnectionProblem();
  const { data, error, refetch } = useApiQuery(endpointQuery(endpoints.dashboard.lifecycleCount));
  return (
    <>
      <LiveIndicator problem={problem} />
      <ConnectionNotice onRetry={retry} problem={problem} />
      <button onClick={() => void refetch()} type="button">
        {'Read again'}
      </button>
      <output>{data ? `${data.data.total} SIMs` : 'nothing yet'}</output>
      {error ? <p>{'failed'}</p> : null}
    </>
  );
};

/** Every network failure must be reported within two seconds. */
const soon = { timeout: 2000 };
const shown = async () => await screen.findByText('5 SIMs');

beforeEach(() => {
  stream.set({ live: 'streaming', silentSince: null });
  stream.probe.mockClear();
  signedInAs('admin');
  gateway.respond(read, () => counts(5));
});

describe('the connection notice', () => {
  test('reports a lost connection with the age of the data, until an automatic retry succeeds', async () => {
    const { user } = renderScreen(<Screen />);
    await shown();
    expect(screen.getByText('Live')).toBeVisible();
    gateway.respond(read, () => {
      throw new TypeError('Failed to fetch');
    });
    await user.click(screen.getByText('Read again'));
    const notice = await screen.findByText('No connection to the server.', {}, soon);
    expect(notice.parentElement).toHaveTextContent(/as of \d\d:\d\d/);
    expect(screen.queryByText('Live')).not.toBeInTheDocument();
    expect(screen.getByText('5 SIMs')).toBeVisible();
    expect(stream.probe).toHaveBeenCalled();
    gateway.respond(read, () => counts(6));
    await screen.findByText('6 SIMs');
    await waitFor(() => expect(screen.queryByText('No connection to the server.')).not.toBeInTheDocument());
    expect(screen.getByText('Live')).toBeVisible();
  });

  test('reports a slow response, until it arrives', async () => {
    let respond: (response: Response) => void = () => undefined;
    gateway.respond(read, () => new Promise((resolve) => (respond = resolve)));
    renderScreen(<Screen />);
    await screen.findByText('The server is taking a long time to respond.', {}, soon);
    expect(screen.queryByText('Live')).not.toBeInTheDocument();
    await act(async () => respond(counts(5)));
    await shown();
    await waitFor(() => expect(screen.queryByText(/taking a long time/)).not.toBeInTheDocument());
  });

  test('shows the server’s message of a 503 response, beside the data so far', async () => {
    const words = 'The database is not available.';
    const { user } = renderScreen(<Screen />);
    await shown();
    gateway.respond(read, () => errorResponse({ http: 503, code: 'CB-99-0503', message: words }));
    await user.click(screen.getByText('Read again'));
    await screen.findByText(words, {}, soon);
    expect(screen.getByText('5 SIMs')).toBeVisible();
    expect(screen.getByText('failed')).toBeVisible();
  });

  test('reports a lost live stream and since when, until it is restored', async () => {
    renderScreen(<Screen />);
    await shown();
    act(() => stream.set({ live: 'lost', silentSince: Date.parse('2026-11-21T14:32:00Z') }));
    const notice = await screen.findByText('Live updates are interrupted.', {}, soon);
    expect(notice.parentElement).toHaveTextContent('as of Nov 21, 14:32 UTC');
    act(() => stream.set({ live: 'streaming', silentSince: null }));
    await waitFor(() => expect(notice).not.toBeInTheDocument());
  });

  test('retries a failed request on demand, and when the live stream is restored', async () => {
    let attempts = 0;
    gateway.respond(read, () => {
      attempts += 1;
      throw new TypeError('Failed to fetch');
    });
    // The pause between attempts is longer than this test.
    const pause = vi.spyOn(Math, 'random').mockReturnValue(1000);
    const { user } = renderScreen(<Screen />);
    await screen.findByText('No connection to the server.');
    expect(attempts).toBe(1);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(attempts).toBe(2));
    gateway.respond(read, () => counts(5));
    act(() => stream.set({ live: 'lost', silentSince: Date.now() }));
    await screen.findByText(/as of/);
    act(() => stream.set({ live: 'streaming', silentSince: null }));
    await shown();
    pause.mockRestore();
  });
});

test('a 403 response is not a connection problem', async () => {
  gateway.respond(read, () => errorResponse({ http: 403, code: 'CB-00-0403' }));
  const queries = new QueryClient();
  const observed = new QueryObserver(queries, endpointQuery(endpoints.dashboard.lifecycleCount));
  const end = observed.subscribe(() => undefined);
  await waitFor(() => expect(observed.getCurrentResult().error?.http).toBe(403));
  const question = { now: Date.now() + 60_000, sentAt: new Map<string, number>(), silentSince: null };
  expect(connectionProblemOf(queries.getQueryCache(), question)).toBeNull();
  end();
});
