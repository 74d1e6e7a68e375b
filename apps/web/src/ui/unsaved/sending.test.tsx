import { createBrowserHistory } from '@tanstack/react-router';
import { act, fireEvent, renderHook, screen, waitFor } from '@testing-library/react';
import { Input } from 'antd';
import { useState } from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { ApiFailure } from '../../lib/api-client/index.ts';
import { toast, useToasts } from '../../lib/toast/index.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { Dialog } from '../dialog/index.ts';
import { Drawer } from '../drawer/index.ts';
import { Form, FormField } from '../form/index.ts';
import { LeaveGuard } from './index.ts';

const schema = z.object({ name: z.string().min(1) });
const refused = new ApiFailure({
  code: 'CB-00-0409',
  resultCode: '0409',
  http: 409,
  message: 'Somebody has changed it.',
  issues: [],
  traceId: 'trace-1',
});

const closed = vi.fn();
const stored = vi.fn();
let answer: { accept: () => void; refuse: (failure: Error) => void };
const send = async (): Promise<void> => {
  await new Promise<void>((accept, refuse) => {
    answer = { accept, refuse };
  });
  stored();
};
beforeEach(() => {
  toast.dismissAll();
  closed.mockClear();
  stored.mockClear();
});

/** `leave` unmounts the dialog as a navigation does. */
const Page = ({ in: Around }: { in: typeof Dialog | typeof Drawer }) => {
  const [open, setOpen] = useState(true);
  const [isHere, setIsHere] = useState(true);
  const close = (): void => {
    closed();
    setOpen(false);
  };
  return (
    <>
      <LeaveGuard />
      <button onClick={() => setIsHere(false)} type="button">
        {'Leave'}
      </button>
      {isHere ? (
        <Around onClose={close} open={open} title="City">
          <Form
            action="Save"
            initial={{ name: 'Rome' }}
            onCancel={close}
            onDone={close}
            onSubmit={send}
            schema={schema}
          >
            <FormField label="Name" name="name">
              <Input />
            </FormField>
          </Form>
        </Around>
      ) : null}
    </>
  );
};

const save = async ({ user }: ReturnType<typeof renderScreen>): Promise<void> => {
  await user.type(await screen.findByLabelText('Name'), '!');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.getByLabelText('Name')).toBeDisabled());
};
const toasts = () => renderHook(() => useToasts()).result.current.map(({ text }) => text);

describe.each([
  ['dialog', Dialog, '.ant-modal-wrap'],
  ['drawer', Drawer, '.ant-drawer-mask'],
] as const)('a %s', (_, Around, outside) => {
  test('can not be closed while something in it is being sent', async () => {
    const screenOf = renderScreen(<Page in={Around} />);
    await save(screenOf);
    const cross = screen.getByRole('button', { name: 'Close' });
    expect(cross).toBeDisabled();
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeDisabled();
    fireEvent.keyDown(screen.getByLabelText('Name'), { key: 'Escape' });
    fireEvent.keyDown(window, { key: 'Escape' });
    const mask = document.querySelector(outside) as Element;
    fireEvent.mouseDown(mask);
    fireEvent.click(mask);
    expect(closed).not.toHaveBeenCalled();
    answer.refuse(refused);
    expect(await screen.findByRole('alert')).toHaveTextContent('Somebody has changed it.');
    expect(toasts()).toEqual([]);
    expect(cross).toBeEnabled();
    await screenOf.user.click(screen.getByRole('button', { name: 'Save' }));
    answer.accept();
    await waitFor(() => expect(closed).toHaveBeenCalledOnce());
  });

  test('that was left shows a late refusal as a toast', async () => {
    await save(renderScreen(<Page in={Around} />));
    fireEvent.click(screen.getByText('Leave'));
    answer.refuse(refused);
    await waitFor(() => expect(toasts()).toEqual(['Somebody has changed it.']));
    expect(closed).not.toHaveBeenCalled();
  });

  test('that was left updates the data on a late success, and nothing else', async () => {
    await save(renderScreen(<Page in={Around} />));
    fireEvent.click(screen.getByText('Leave'));
    await act(async () => answer.accept());
    expect(stored).toHaveBeenCalledOnce();
    expect(closed).not.toHaveBeenCalled();
    expect(toasts()).toEqual([]);
  });
});

test('Back within the page waits for the response, Back to another page does not', async () => {
  const history = createBrowserHistory();
  for (const address of ['/en-US/setCard', '/en-US/customer', '/en-US/customer?group=1']) {
    history.push(address);
    history.flush();
  }
  await save(renderScreen(<Page in={Dialog} />, '', history));
  const nextMove = () => new Promise((moved) => window.addEventListener('popstate', moved, { once: true }));
  let moved = nextMove();
  window.history.back();
  await moved;
  // Is undone.
  moved = nextMove();
  await moved;
  expect(window.location.search).toBe('?group=1');
  window.history.go(-2);
  await waitFor(() => expect(window.location.pathname).toBe('/en-US/setCard'));
  history.destroy();
});
