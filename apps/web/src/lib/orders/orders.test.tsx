import { endpoints } from '@simcube/contract';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { errorResponse, stubGateway, success } from '../../testing/gateway.ts';
import { signedInAs } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { call } from '../api-client/index.ts';
import { unfollowTask } from '../followed-tasks/index.ts';
import { useOrder } from './index.ts';

const gateway = stubGateway();
const path = '/cube/sim/list/export/task';
const task = { reference_id: 'T00000012', quantity: 12 };
const closed = vi.fn();

/** Two orders, with an additional fact that changes each time. */
const Page = () => {
  const { sending, refusal: why, submit } = useOrder({ onClose: closed });
  return (
    <>
      {(['csv', 'xlsx'] as const).map((format) => (
        <button
          key={format}
          onClick={() =>
            submit({ format }, async (idempotencyKey) => {
              const body = { selection: { filter: {} }, format };
              const request = { body, idempotencyKey, announce: false };
              return (await call(endpoints.sim.exportList, request)).data;
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

const show = () => renderScreen(<Page />).user;
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
    show();
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

  test('reuses its idempotency key until it gets a response', async () => {
    const user = show();
    await user.click(await order('csv'));
    expect(await screen.findByText(/network/i)).toBeInTheDocument();
    gateway.respond(`POST ${path}`, () =>
      errorResponse({ http: 409, code: 'CB-00-0423', message: 'Still in progress' }),
    );
    await user.click(await order('csv'));
    expect(await screen.findByText('Still in progress')).toBeInTheDocument();
    gateway.respond(`POST ${path}`, () => success(task));
    await user.click(await order('csv'));
    await waitFor(() => expect(closed).toHaveBeenCalledOnce());
    const [first] = keys();
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(keys()).toEqual([first, first, first]);
    // The first one got its response: the same again is a new order.
    await user.click(await order('csv'));
    await waitFor(() => expect(closed).toHaveBeenCalledTimes(2));
    expect(new Set(keys()).size).toBe(2);
  });

  test('has a new idempotency key after a rejection, or when it differs', async () => {
    const user = show();
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
