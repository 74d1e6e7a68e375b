import { act, renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { toast, useToasts } from './index.ts';

test('at most three toasts are shown, and the oldest is removed', () => {
  const { result } = renderHook(() => useToasts());
  act(() => {
    for (const text of ['one', 'two', 'three', 'four']) toast.error(text);
  });
  expect(result.current.map(({ text }) => text)).toEqual(['two', 'three', 'four']);
});

test('the same toast is shown once, and disappears automatically', () => {
  vi.useFakeTimers();
  const { result } = renderHook(() => useToasts());
  act(() => toast.error('same', 'trace 1'));
  act(() => toast.error('same', 'trace 2'));
  expect(result.current).toMatchObject([{ text: 'same', note: 'trace 2' }]);
  act(() => vi.advanceTimersByTime(8_000));
  expect(result.current).toEqual([]);
  vi.useRealTimers();
});
