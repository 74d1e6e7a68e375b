import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { paced } from './paced.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a paced function runs immediately, and once more at the end of a busy pause', () => {
  const run = vi.fn();
  const { ask } = paced(run, 1000);
  for (let asked = 0; asked < 50; asked += 1) ask();
  expect(run).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(999);
  expect(run).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(run).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(5000);
  expect(run).toHaveBeenCalledTimes(2);
});

test('a paced function runs immediately again after a quiet pause, and never after it was stopped', () => {
  const run = vi.fn();
  const { ask, stop } = paced(run, 1000);
  ask();
  vi.advanceTimersByTime(1500);
  ask();
  expect(run).toHaveBeenCalledTimes(2);
  ask();
  stop();
  vi.advanceTimersByTime(5000);
  expect(run).toHaveBeenCalledTimes(2);
});
