import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type KeyedToast, toast, useToasts } from './index.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const texts = () => {
  const { result } = renderHook(() => useToasts());
  return { shown: () => result.current.map(({ text }) => text), all: () => result.current };
};
const gone = vi.fn();
const kept = (changes: Partial<KeyedToast> = {}): KeyedToast => ({
  key: 'task',
  kind: 'info',
  text: 'goes on',
  note: null,
  link: null,
  progress: { done: 1, total: 2, label: '1 of 2' },
  actions: [],
  sticky: true,
  onRemoved: gone,
  ...changes,
});

test('at most three toasts are shown, and the oldest is removed', () => {
  const { shown } = texts();
  act(() => {
    for (const text of ['one', 'two', 'three', 'four']) toast.error(text);
  });
  expect(shown()).toEqual(['two', 'three', 'four']);
});

test('the same toast is shown once, and disappears automatically', () => {
  const { all } = texts();
  act(() => toast.error('same', 'trace 1'));
  act(() => toast.error('same', 'trace 2'));
  expect(all()).toMatchObject([{ text: 'same', note: 'trace 2' }]);
  act(() => vi.advanceTimersByTime(8_000));
  expect(all()).toEqual([]);
});

test('a sticky toast stays until it ends, and then longer if it has actions', () => {
  const { shown, all } = texts();
  act(() => toast.upsert(kept()));
  const [before] = all();
  act(() => vi.advanceTimersByTime(600_000));
  const action = { label: 'Undo', onPress: () => undefined };
  act(() => toast.upsert(kept({ text: 'done', kind: 'success', sticky: false, actions: [action] })));
  expect(all()).toMatchObject([{ id: before?.id, text: 'done' }]);
  act(() => vi.advanceTimersByTime(14_000));
  // Showing the same toast again does not restart its timer.
  act(() => toast.upsert(kept({ text: 'done', kind: 'success', sticky: false, actions: [action] })));
  act(() => vi.advanceTimersByTime(1_001));
  expect(shown()).toEqual([]);
  expect(gone).toHaveBeenCalledOnce();
});

test('no toast disappears while one has the pointer or focus', () => {
  const { shown, all } = texts();
  act(() => toast.success('read me'));
  act(() => toast.error('other'));
  const id = all()[0]?.id ?? 0;
  act(() => toast.hold(id, 'pointer'));
  act(() => toast.hold(id, 'focus'));
  act(() => vi.advanceTimersByTime(60_000));
  act(() => toast.release(id, 'pointer'));
  act(() => vi.advanceTimersByTime(60_000));
  expect(shown()).toEqual(['read me', 'other']);
  act(() => toast.release(id, 'focus'));
  act(() => vi.advanceTimersByTime(4_000));
  expect(shown()).toEqual(['other']);
});

test('a toast under the pointer is not removed for a newer one', () => {
  const { shown, all } = texts();
  act(() => {
    for (const text of ['one', 'two', 'three']) toast.error(text);
  });
  const id = all()[0]?.id ?? 0;
  act(() => toast.hold(id, 'pointer'));
  act(() => toast.error('four'));
  expect(shown()).toEqual(['one', 'three', 'four']);
  act(() => toast.dismiss(id));
  act(() => vi.advanceTimersByTime(8_000));
  expect(shown()).toEqual([]);
});

test('a dropped toast disappears without a callback', () => {
  const { shown } = texts();
  gone.mockClear();
  act(() => toast.upsert(kept()));
  act(() => toast.drop('task'));
  expect(shown()).toEqual([]);
  expect(gone).not.toHaveBeenCalled();
});
