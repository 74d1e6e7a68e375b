import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { session } from '../../lib/session/index.ts';
import { standInGateway, success } from '../../testing/gateway.ts';
import { signedInAs } from '../../testing/people.ts';
import { type ShellActions, ShellActionsContext } from '../shell-actions.ts';
import { CommandPalette } from './index.ts';

const gateway = standInGateway();
const list = 'POST /cube/sim/list/es';
const trucks = ['89860012300004518823', '89860012300004518824'].map((iccid, index) => ({
  iccid,
  device_name: `Truck ${index + 1}`,
  lifecycle: 'active',
}));

const show = async () => {
  const actions: ShellActions = { openAbout: vi.fn(), changePassword: vi.fn(), signOut: vi.fn() };
  const onClose = vi.fn();
  const router = createRouter({
    routeTree: createRootRoute({
      component: () => (
        <QueryClientProvider client={new QueryClient()}>
          <ShellActionsContext value={actions}>
            <CommandPalette open onClose={onClose} />
          </ShellActionsContext>
        </QueryClientProvider>
      ),
      notFoundComponent: () => null,
    }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  });
  // The console registers its own router's types; this one has the palette alone.
  render(<RouterProvider router={router as never} />);
  const field = await screen.findByRole('combobox');
  return { user: userEvent.setup(), field, actions, onClose, router };
};

const options = () => screen.getAllByRole('option').map((option) => option.textContent);
/** What the field names as active is what the list shows as selected. */
const active = (field: HTMLElement): string | null => {
  const selected = screen.getByRole('option', { selected: true });
  expect(field).toHaveAttribute('aria-activedescendant', selected.id);
  return selected.textContent;
};

test('starts with the pages this role may open, and actions', async () => {
  signedInAs('user', { permissionsInfo: { user: { cdr: ['read'] } } });
  await show();
  const pages = screen.getByRole('group', { name: 'Pages' });
  expect(
    within(pages)
      .getAllByRole('option')
      .map((option) => option.textContent),
  ).toEqual(['Dashboard', 'Task Centre', 'Organisations', 'Settings']);
  expect(options()).toContain('Sign Out');
  expect(gateway.sent).toEqual([]);
});

test('finds SIMs by what is typed, waiting until typing stops', async () => {
  signedInAs('admin');
  gateway.answer(list, () => success(trucks, { total_count: 2 }));
  const { user, field, router, onClose } = await show();
  await user.type(field, 'truck');
  await screen.findByRole('group', { name: 'SIMs' });
  expect(gateway.sent.map(({ body }) => body)).toEqual([{ search: 'truck', page_size: 7 }]);
  expect(active(field)).toContain('89860012300004518823');
  await user.keyboard('{ArrowDown}{Enter}');
  expect(onClose).toHaveBeenCalledOnce();
  expect(router.history.location.pathname).toBe('/en-US/simCard/89860012300004518824');
});

test('says which field matched, and where', async () => {
  signedInAs('admin');
  const [truck] = trucks;
  const imsi = { field: 'imsi', text: '214070002354869', from: 8, to: 15 };
  gateway.answer(list, () => success([{ ...truck, matched: [imsi] }], { total_count: 1 }));
  const { user, field } = await show();
  await user.type(field, '2354869');
  const option = await screen.findByRole('option', { name: /IMSI 214070002354869/ });
  expect(option.querySelector('mark')).toHaveTextContent('2354869');
});

test('leads to all that match', async () => {
  signedInAs('admin');
  gateway.answer(list, () => success(trucks, { total_count: 2 }));
  const { user, field, router } = await show();
  await user.type(field, 'truck 1');
  await user.click(await screen.findByRole('option', { name: 'Show all SIMs matching “truck 1”' }));
  expect(router.history.location.href).toBe('/en-US/simCard?search=truck%201');
});

test('the arrows go round', async () => {
  signedInAs('admin');
  const { user, field } = await show();
  expect(active(field)).toBe('Dashboard');
  await user.type(field, '{ArrowUp}');
  expect(active(field)).toBe('Sign Out');
  await user.type(field, '{ArrowDown}');
  expect(active(field)).toBe('Dashboard');
  await user.type(field, '{PageDown}{PageDown}{PageDown}{PageDown}{PageDown}');
  expect(active(field)).toBe('Sign Out');
});

test('runs actions, found without regard to case and accents', async () => {
  signedInAs('admin');
  gateway.answer(list, () => success([]));
  const { user, field, actions } = await show();
  await user.type(field, 'ESPANOL');
  await waitFor(() => expect(options()).toEqual(['Language: Español']));
  await user.clear(field);
  await user.type(field, 'sign out{Enter}');
  expect(actions.signOut).toHaveBeenCalledOnce();
  await user.clear(field);
  await user.type(field, 'dark{Enter}');
  expect(session.get('theme')).toBe('dark');
});

test('says that nothing was found, and that searching failed', async () => {
  signedInAs('admin');
  gateway.answer(list, () => success([]));
  const { user, field } = await show();
  await user.type(field, 'zzzz');
  expect(await screen.findByText('Nothing found for “zzzz”.')).toBeInTheDocument();
  gateway.answer(list, () => new Response('', { status: 500 }));
  await user.type(field, 'y');
  expect(await screen.findByText('SIMs could not be searched.')).toBeInTheDocument();
});
