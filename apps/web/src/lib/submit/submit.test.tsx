import { act, render, renderHook, screen } from '@testing-library/react';
import { Activity, useState } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { ApiFailure, setErrorReporter } from '../api-client/index.ts';
import { useToasts } from '../toast/index.ts';
import { type Submission, useSubmit } from './index.ts';

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

describe('a response that arrives later', () => {
  const toasts = () => renderHook(() => useToasts()).result.current.map(({ text }) => text);
  let answer = { accept: (): void => undefined, refuse: (_: Error): void => undefined };
  const sendBy = (submit: Submission['submit']): void =>
    void submit(
      () =>
        new Promise<void>((accept, refuse) => {
          answer = { accept, refuse };
        }),
    );

  test('has no effects on a screen that is gone, but a refusal is still shown', async () => {
    const onDone = vi.fn();
    const sender = renderHook(() => useSubmit({ onDone }));
    act(() => sendBy(sender.result.current.submit));
    sender.unmount();
    await act(async () => answer.accept());
    expect(onDone).not.toHaveBeenCalled();
    const other = renderHook(() => useSubmit({ onDone }));
    act(() => sendBy(other.result.current.submit));
    other.unmount();
    await act(async () => answer.refuse(failure));
    expect(toasts()).toEqual(['Already exists']);
  });

  test('of something that was abandoned is not shown', async () => {
    const sender = renderHook(() => useSubmit({ mayAbandon: true }));
    act(() => sendBy(sender.result.current.submit));
    sender.unmount();
    await act(async () => answer.refuse(failure));
    expect(toasts()).toEqual([]);
  });

  test('takes effect when the page that sent it is shown again', async () => {
    const Sender = () => {
      const [done, setDone] = useState('sending');
      const { submit } = useSubmit({ onDone: () => setDone('done') });
      return (
        <button onClick={() => sendBy(submit)} type="button">
          {done}
        </button>
      );
    };
    const page = (mode: 'visible' | 'hidden') => (
      <Activity mode={mode}>
        <Sender />
      </Activity>
    );
    const { rerender } = render(page('visible'));
    act(() => screen.getByRole('button').click());
    rerender(page('hidden'));
    await act(async () => answer.accept());
    expect(screen.getByText('sending')).toBeInTheDocument();
    rerender(page('visible'));
    expect(await screen.findByText('done')).toBeInTheDocument();
  });
});
