import { render, renderHook, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { toast, useToasts } from '../../lib/toast/index.ts';
import { lazyOverlay, type OverlayProps } from './lazy-overlay.tsx';

const Dialog = ({ open, typed }: OverlayProps) =>
  open ? (
    <dialog open>
      <p>{`Here it is ${typed}`}</p>
      <button type="button">{'Focus'}</button>
    </dialog>
  ) : null;

const show = (load: () => Promise<typeof Dialog>) => {
  const fetched = vi.fn(load);
  const Later = lazyOverlay(fetched);
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

test('a lazy overlay is fetched once, when it opens', async () => {
  const fetched = show(async () => Dialog);
  expect(fetched).not.toHaveBeenCalled();
  press('Open');
  await screen.findByText('Here it is', { exact: false });
  press('Close');
  await waitFor(() => expect(screen.queryByText('Here it is', { exact: false })).not.toBeInTheDocument());
  press('Open');
  await screen.findByText('Here it is', { exact: false });
  expect(fetched).toHaveBeenCalledOnce();
});

test('a lazy overlay that can not be fetched shows an error, and is fetched again when it is reopened', async () => {
  let online = false;
  show(async () => {
    if (!online) throw new TypeError('Failed to fetch');
    return Dialog;
  });
  const errorToast = vi.spyOn(toast, 'error');
  press('Open');
  await waitFor(() => expect(errorToast).toHaveBeenCalledOnce());
  await screen.findByRole('button', { name: 'Open' });
  online = true;
  press('Open');
  await screen.findByText('Here it is', { exact: false });
});

test('a lazy overlay that the new version of the console no longer has suggests a reload', async () => {
  const fetch = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(null));
  show(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module')));
  const { result } = renderHook(() => useToasts());
  press('Open');
  await screen.findByRole('button', { name: 'Open' });
  await waitFor(() => expect(result.current[0]?.text).toContain('then reload the page'));
  expect(result.current[0]?.actions.map(({ label }) => label)).toEqual(['Reload']);
  fetch.mockRestore();
});

test('a lazy overlay receives what was typed before it had focus, but not when it is reopened', async () => {
  let arrive = (): void => undefined;
  show(() => new Promise((resolve) => (arrive = () => resolve(Dialog))));
  const below = vi.fn();
  addEventListener('keydown', below);
  press('Open');
  await screen.findByRole('button', { name: 'Close' });
  await userEvent.keyboard('455z{Backspace}');
  expect(below).not.toHaveBeenCalled();
  arrive();
  expect(await screen.findByText('Here it is 455')).toBeVisible();
  // It is in the document, but does not have the focus yet.
  await userEvent.keyboard('6');
  expect(await screen.findByText('Here it is 4556')).toBeVisible();
  expect(below).not.toHaveBeenCalled();
  screen.getByRole('button', { name: 'Focus' }).focus();
  await userEvent.keyboard('7');
  expect(below).toHaveBeenCalledOnce();
  removeEventListener('keydown', below);
  press('Close');
  await screen.findByRole('button', { name: 'Open' });
  press('Open');
  await waitFor(() => expect(screen.getByText(/^Here it is/)).toHaveTextContent(/is$/));
});

test('a lazy overlay closes with Escape while it is fetched', async () => {
  show(() => new Promise(() => undefined));
  press('Open');
  await screen.findByRole('button', { name: 'Close' });
  await userEvent.keyboard('{Escape}');
  await screen.findByRole('button', { name: 'Open' });
});
