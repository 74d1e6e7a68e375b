import { act, render, screen } from '@testing-library/react';
import { createElement, Suspense } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { lazyPart, loadWhenReachable, MissingChunkError } from './index.ts';

const real = globalThis.fetch;
let status: number | undefined;

beforeEach(() => {
  vi.useFakeTimers();
  globalThis.fetch = async () => {
    if (status === undefined) throw new TypeError('Failed to fetch');
    return new Response(null, { status });
  };
});
afterEach(() => {
  vi.useRealTimers();
  globalThis.fetch = real;
});

/** Fails the given number of times. */
const part = (times: number) => {
  let left = times;
  return vi.fn(async () => {
    left -= 1;
    if (left >= 0) throw new TypeError('Failed to fetch dynamically imported module');
    return 'part';
  });
};

describe('a chunk', () => {
  test.each([undefined, 502])(
    'is retried with growing pauses while the server’s status is %s',
    async (answer) => {
      status = answer;
      const load = part(2);
      const loaded = loadWhenReachable(load);
      await vi.advanceTimersByTimeAsync(999);
      expect(load).toHaveBeenCalledTimes(1);
      await vi.advanceTimersByTimeAsync(1);
      expect(load).toHaveBeenCalledTimes(2);
      await vi.advanceTimersByTimeAsync(1999);
      expect(load).toHaveBeenCalledTimes(2);
      await vi.advanceTimersByTimeAsync(1);
      expect(await loaded).toBe('part');
    },
  );

  test('is retried as soon as the browser is online again', async () => {
    status = undefined;
    const load = part(1);
    const loaded = loadWhenReachable(load);
    await vi.advanceTimersByTimeAsync(0);
    dispatchEvent(new Event('online'));
    expect(await loaded).toBe('part');
    expect(load).toHaveBeenCalledTimes(2);
  });

  test('is loaded without a reload if the connection returned before the check', async () => {
    status = 200;
    const load = part(1);
    expect(await loadWhenReachable(load)).toBe('part');
  });

  test('that is missing on a reachable server fails after a second attempt', async () => {
    status = 200;
    const load = part(2);
    await expect(loadWhenReachable(load)).rejects.toThrow(MissingChunkError);
    expect(load).toHaveBeenCalledTimes(2);
  });
});

test('a part of a screen that is opened without a connection appears when it returns', async () => {
  status = undefined;
  let left = 1;
  const Part = lazyPart(async () => {
    left -= 1;
    if (left >= 0) throw new TypeError('Unable to preload CSS');
    return () => createElement('p', null, 'Diagnosis');
  });
  render(createElement(Suspense, { fallback: null }, createElement(Part)));
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(screen.queryByText('Diagnosis')).not.toBeInTheDocument();
  await act(async () => {
    window.dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(1000);
  });
  expect(screen.getByText('Diagnosis')).toBeInTheDocument();
});
