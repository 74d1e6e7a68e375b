import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { createConsoleRouter } from '../../app/router.tsx';
import { stubGateway } from '../../testing/gateway.ts';
import { signedInAs } from '../../testing/people.ts';

stubGateway();
beforeEach(() => {
  Element.prototype.scrollIntoView = vi.fn();
});

const open = (address: string) => {
  signedInAs('user');
  const router = createConsoleRouter(createMemoryHistory({ initialEntries: [address] }));
  render(<RouterProvider router={router as never} />);
  return router;
};

test('a page of the guide is shown with links to the others', async () => {
  open('/en-US/guide/sims');
  expect(await screen.findByRole('heading', { level: 2, name: 'SIMs' })).toBeInTheDocument();
  const pages = within(screen.getByRole('navigation', { name: 'Pages of the guide' }));
  expect(pages.getByRole('link', { name: 'SIMs' })).toHaveAttribute('aria-current', 'page');
  await userEvent.setup().click(pages.getByRole('link', { name: 'Finance' }));
  expect(await screen.findByRole('heading', { level: 2, name: 'Finance' })).toBeInTheDocument();
});

test('the section in the URL gets focus, also when the same link is followed again', async () => {
  const router = open('/en-US/guide/sims?section=one-sim');
  const heading = await screen.findByRole('heading', { level: 3, name: 'One SIM' });
  await waitFor(() => expect(heading).toHaveFocus());
  act(() => heading.blur());
  await act(() => router.navigate({ href: '/en-US/guide/sims?section=one-sim' } as never));
  await waitFor(() => expect(heading).toHaveFocus());
});

test('a page that does not exist links to the start of the guide', async () => {
  open('/en-US/guide/nothing');
  expect(await screen.findByText('The guide has no such page')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Go to the first page' })).toHaveAttribute('href', '/en-US/guide');
});
