import { render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { toast } from '../../lib/toast/index.ts';
import { openedLater } from './opened-later.tsx';

interface DialogProps {
  open: boolean;
  onClose: () => void;
}

const Dialog = ({ open }: DialogProps) => (open ? <p>{'Here it is'}</p> : null);

const show = (load: () => Promise<typeof Dialog>) => {
  const fetched = vi.fn(load);
  const Later = openedLater(fetched);
  const Page = () => {
    const [open, setOpen] = useState(false);
    return (
      <>
        <button onClick={() => setOpen(!open)} type="button">
          {open ? 'Close' : 'Open'}
        </button>
        <Later onClose={() => setOpen(false)} open={open} />
      </>
    );
  };
  render(<Page />);
  return fetched;
};

const press = (name: string): void => screen.getByRole('button', { name }).click();

test('is fetched when it opens, once', async () => {
  const fetched = show(async () => Dialog);
  expect(fetched).not.toHaveBeenCalled();
  press('Open');
  await screen.findByText('Here it is');
  press('Close');
  await waitFor(() => expect(screen.queryByText('Here it is')).not.toBeInTheDocument());
  press('Open');
  await screen.findByText('Here it is');
  expect(fetched).toHaveBeenCalledOnce();
});

test('that can not be fetched says so and is tried again', async () => {
  let online = false;
  show(async () => {
    if (!online) throw new TypeError('Failed to fetch');
    return Dialog;
  });
  const said = vi.spyOn(toast, 'error');
  press('Open');
  await waitFor(() => expect(said).toHaveBeenCalledOnce());
  await screen.findByRole('button', { name: 'Open' });
  online = true;
  press('Open');
  await screen.findByText('Here it is');
});
