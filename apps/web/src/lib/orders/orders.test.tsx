import { endpoints } from '@simcube/contract';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { errorResponse, stubGateway, success } from '../../testing/gateway.ts';
import { signedInAs } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { call } from '../api-client/index.ts';
import { isFollowed, unfollowTask } from '../followed-tasks/index.ts';
import { useOrder } from './index.ts';

const gateway = stubGateway();
const path = '/cube/sim/list/export/task';
const task = { reference_id: 'T00000012', quantity: 12 };
const closed = vi.fn();

/** Two orders. */
const Page = () => {
  const { sending, refusal: why, submit } = useOrder({ onClose: closed });
  return (
    <>
      {(['csv', 'xlsx'] as const).map((format) => (
        <button
          key={format}
          onClick={() =>
            submit(async () => {
              const body = { selection: { filter: {} }, format };
              return (await call(endpoints.sim.exportList, { body, announce: false })).data;
            })
          }
          type="button"
        >
          {format}
        </button>
      ))}
      <p>{sending ? 'On its way' : why}</p>
    </>
  );
};

const keys = (): (string | null)[] =>
  gateway.sent
    .filter((request) => request.path === path)
    .map(({ headers }) => headers.get('idempotency-key'));
const order = (format: 'csv' | 'xlsx') => screen.findByRole('button', { name: format });

beforeEach(() => {
  signedInAs('admin');
  closed.mockClear();
  unfollowTask(task.reference_id);
});

describe('an order', () => {
  test('is sent once, however often it is submitted before the response', async () => {
    let answer: (response: Response) => void = () => undefined;
    gateway.respond(`POST ${path}`, () => new Promise((resolve) => (answer = resolve)));
    renderScreen(<Page />);
    const button = await order('csv');
    // Both before the screen re-renders.
    button.click();
    button.click();
    expect(await screen.findByText('On its way')).toBeInTheDocument();
    button.click();
    answer(success(task));
    await waitFor(() => expect(closed).toHaveBeenCalledOnce());
    expect(keys()).toHaveLength(1);
  });

  test('keeps its idempotency key until it gets a response, even if its dialog is closed in between', async () => {
    const { user } = renderScreen(<Page />);
    await user.click(await order('csv'));
    expect(await screen.findByText(/network/i)).toBeInTheDocument();
    cleanup();
    gateway.respond(`POST ${path}`, () => success(task));
    renderScreen(<Page />);
    await user.click(await order('csv'));
    await waitFor(() => expect(closed).toHaveBeenCalledOnce());
    const [key] = keys();
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    expect(keys()).toEqual([key, key]);
    // The first one got its response: the same again is a new order.
    await user.click(await order('csv'));
    await waitFor(() => expect(closed).toHaveBeenCalledTimes(2));
    expect(new Set(keys()).size).toBe(2);
  });

  test('that is accepted after its dialog is gone is followed, and closes nothing', async () => {
    let answer: (response: Response) => void = () => undefined;
    gateway.respond(`POST ${path}`, () => new Promise((resolve) => (answer = resolve)));
    const { user } = renderScreen(<Page />);
    await user.click(await order('csv'));
    cleanup();
    answer(success(task));
    await waitFor(() => expect(isFollowed(task.reference_id)).toBe(true));
    await act(async () => undefined);
    expect(closed).not.toHaveBeenCalled();
  });

  test('that differs, or is repeated after a rejection, is another order', async () => {
    const { user } = renderScreen(<Page />);
    await user.click(await order('csv'));
    expect(await screen.findByText(/network/i)).toBeInTheDocument();
    gateway.respond(`POST ${path}`, () =>
      errorResponse({ http: 409, code: 'CB-01-0005', message: 'In progress elsewhere' }),
    );
    await user.click(await order('xlsx'));
    expect(await screen.findByText('In progress elsewhere')).toBeInTheDocument();
    gateway.respond(`POST ${path}`, () => success(task));
    await user.click(await order('xlsx'));
    await waitFor(() => expect(closed).toHaveBeenCalledOnce());
    expect(new Set(keys()).size).toBe(3);
  });
});
