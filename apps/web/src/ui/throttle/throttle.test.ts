import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { throttle } from './throttle.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a throttled function runs immediately, and once more at the end of a busy pause', () => {
  const run = vi.fn();
  const { call } = throttle(run, 1000);
  for (let asked = 0; asked < 50; asked += 1) call();
  expect(run).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(999);
  expect(run).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(run).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(5000);
  expect(run).toHaveBeenCalledTimes(2);
});

test('a throttled function runs immediately again after a quiet pause, and never after it was cancelled', () => {
  const run = vi.fn();
  const { call, cancel } = throttle(run, 1000);
  call();
  vi.advanceTimersByTime(1500);
  call();
  expect(run).toHaveBeenCalledTimes(2);
  call();
  cancel();
  vi.advanceTimersByTime(5000);
  expect(run).toHaveBeenCalledTimes(2);
});
