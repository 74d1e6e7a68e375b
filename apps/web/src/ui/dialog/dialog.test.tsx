import { fireEvent, screen, waitFor } from '@testing-library/react';
import { Button } from 'antd';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { useSubmit } from '../../lib/submit/index.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { Dialog, DialogContent } from './index.ts';

const Page = () => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button onClick={() => setOpen(true)} type="button">
        {'Export'}
      </button>
      {open ? (
        <Dialog onClose={() => setOpen(false)} open title="Export SIMs">
          <button onClick={() => setOpen(false)} type="button">
            {'Order'}
          </button>
        </Dialog>
      ) : null}
    </>
  );
};

test('a dialog that is unmounted immediately restores focus to what opened it', async () => {
  const { user } = renderScreen(<Page />);
  (await screen.findByRole('button', { name: 'Export' })).focus();
  await user.keyboard('{Enter}');
  const order = await screen.findByRole('button', { name: 'Order' });
  order.focus();
  await user.keyboard('{Enter}');
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  await waitFor(() => expect(screen.getByRole('button', { name: 'Export' })).toHaveFocus());
});

test('the name of a dialog separates its title from its subject', async () => {
  renderScreen(
    <Dialog onClose={() => undefined} open subject="8934" title="Suspend SIM">
      {null}
    </Dialog>,
  );
  expect(await screen.findByRole('dialog', { name: 'Suspend SIM 8934' })).toBeInTheDocument();
});

test('Cancel waits, as the dialog does, for the response to what is being sent', async () => {
  let answer = (): void => undefined;
  const closed = vi.fn();
  const Content = () => {
    const { submit } = useSubmit();
    const send = () => submit(() => new Promise((resolve) => (answer = resolve)));
    return (
      <DialogContent actions={<Button onClick={() => void send()}>Suspend</Button>} onCancel={closed}>
        {null}
      </DialogContent>
    );
  };
  const { user } = renderScreen(
    <Dialog onClose={closed} open title="Suspend SIM">
      <Content />
    </Dialog>,
  );
  await user.click(await screen.findByRole('button', { name: 'Suspend' }));
  expect(screen.getByRole('button', { name: 'Cancel' })).toBeDisabled();
  await user.keyboard('{Escape}');
  expect(closed).not.toHaveBeenCalled();
  answer();
  await waitFor(() => expect(screen.getByRole('button', { name: 'Cancel' })).toBeEnabled());
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(closed).toHaveBeenCalledOnce();
});

test('the second click of a double click on what opens a dialog does not close it', async () => {
  renderScreen(<Page />);
  fireEvent.click(await screen.findByRole('button', { name: 'Export' }), { detail: 1 });
  const outside = (await screen.findByRole('dialog')).parentElement as HTMLElement;
  fireEvent.mouseDown(outside, { detail: 2 });
  fireEvent.click(outside, { detail: 2 });
  expect(screen.getByRole('dialog')).toBeInTheDocument();
  fireEvent.mouseDown(outside, { detail: 1 });
  fireEvent.click(outside, { detail: 1 });
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});
