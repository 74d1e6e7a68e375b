import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { Dialog } from './index.ts';

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
