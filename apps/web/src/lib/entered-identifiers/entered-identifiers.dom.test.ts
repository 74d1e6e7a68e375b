import { act, renderHook } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { stubGateway, success } from '../../testing/gateway.ts';
import { signedInAs } from '../../testing/people.ts';
import { useEnteredIdentifiers } from './index.ts';

const gateway = stubGateway();
const path = 'POST /cube/sim/list/identifiers';
const filePath = 'POST /cube/sim/list/identifiers/file';
const [first, second] = ['89340700000023588206', '89340700000023588207'];

/** Makes a call wait. @returns a function that responds to the earliest one that is waiting, and lets the hook handle it */
const respondLater = (call: string) => {
  const waiting: ((response: Response) => void)[] = [];
  gateway.respond(call, () => new Promise((resolve) => waiting.push(resolve)));
  return (data: unknown) => act(async () => waiting.shift()?.(success(data)));
};
const foundOf = (iccid: string) => ({ iccids: [iccid], not_found: [], duplicates: [] });

const onText = vi.fn();
const onFound = vi.fn();
const enterAndSearch = async (text: string) => {
  const hook = renderHook(() => useEnteredIdentifiers(onText));
  act(() => hook.result.current.enter(text));
  await act(async () => void hook.result.current.search(onFound));
  return hook;
};

beforeEach(() => {
  signedInAs('admin');
  vi.clearAllMocks();
});

test('SIMs found for the text are returned', async () => {
  const respond = respondLater(path);
  const { result } = await enterAndSearch(first);
  expect(result.current.busy).toBe('search');
  await respond(foundOf(first));
  expect(onFound).toHaveBeenCalledExactlyOnceWith(foundOf(first));
  expect(result.current.busy).toBeUndefined();
});

test('SIMs found for a text that was edited since are ignored', async () => {
  const respond = respondLater(path);
  const { result } = await enterAndSearch(first);
  act(() => result.current.enter(second));
  expect(result.current.busy).toBeUndefined();
  await act(async () => void result.current.search(onFound));
  await respond(foundOf(first));
  expect(onFound).not.toHaveBeenCalled();
  expect(result.current.busy).toBe('search');
  await respond(foundOf(second));
  expect(onFound).toHaveBeenCalledExactlyOnceWith(foundOf(second));
});

test('SIMs found after the field was removed are ignored', async () => {
  const respond = respondLater(path);
  const { unmount } = await enterAndSearch(first);
  unmount();
  await respond(foundOf(first));
  expect(onFound).not.toHaveBeenCalled();
});

test('a file that is still being read does not replace what was entered since', async () => {
  const respond = respondLater(filePath);
  const { result } = renderHook(() => useEnteredIdentifiers(onText));
  const file = new File([first], 'sims.csv');
  await act(async () => void result.current.read(file));
  expect([result.current.busy, result.current.fileName]).toEqual(['file', 'sims.csv']);
  act(() => result.current.enter(second));
  await respond({ identifiers: [first] });
  expect(result.current).toMatchObject({ text: second, fileName: undefined, busy: undefined });
  await act(async () => void result.current.read(file));
  await respond({ identifiers: [first] });
  expect(result.current).toMatchObject({ text: first, fileName: 'sims.csv', busy: undefined });
});
