import { act, renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ApiFailure, setErrorReporter } from '../api-client/index.ts';
import { useSubmit } from './index.ts';

const failure = new ApiFailure({
  code: 'CB-05-0020',
  resultCode: null,
  http: 409,
  message: 'Already exists',
  issues: [],
  traceId: null,
});

test('what a person sends is sent once, however often it is submitted, and shows why it was refused', async () => {
  const { result } = renderHook(() => useSubmit());
  let refuse = (): void => undefined;
  const work = vi.fn(() => new Promise<void>((_, reject) => (refuse = () => reject(failure))));
  let sent = Promise.resolve();
  act(() => {
    sent = result.current.submit(work);
    void result.current.submit(work);
  });
  expect(result.current.sending).toBe(true);
  await act(async () => {
    refuse();
    await sent;
  });
  expect(work).toHaveBeenCalledOnce();
  expect(result.current).toMatchObject({ sending: false, refusal: 'Already exists' });
  await act(() => result.current.submit(async () => undefined));
  expect(result.current.refusal).toBeUndefined();
});

test('a refusal may be explained elsewhere', async () => {
  const { result } = renderHook(() => useSubmit());
  const explain = vi.fn(() => undefined);
  await act(() => result.current.submit(() => Promise.reject(failure), explain));
  expect(explain).toHaveBeenCalledExactlyOnceWith(failure);
  expect(result.current.refusal).toBeUndefined();
});

test('a bug is reported, and something else can be sent afterwards', async () => {
  const reported = vi.fn();
  setErrorReporter(reported);
  const { result } = renderHook(() => useSubmit());
  const bug = new TypeError('x is undefined');
  await act(() => result.current.submit(() => Promise.reject(bug)));
  expect(reported).toHaveBeenCalledExactlyOnceWith(bug, { where: 'action', traceId: null });
  expect(result.current).toMatchObject({ sending: false, refusal: undefined });
});
