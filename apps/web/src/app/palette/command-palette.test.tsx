import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { useOfferedCommands } from '../../lib/commands/index.ts';
import { session } from '../../lib/session/index.ts';
import { stubGateway, success } from '../../testing/gateway.ts';
import { signedInAs } from '../../testing/people.ts';
import { type ShellActions, ShellActionsContext } from '../shell-actions.ts';
import { CommandPalette } from './index.ts';

const gateway = stubGateway();
const list = 'POST /cube/sim/list/es';
const trucks = ['89860012300004518823', '89860012300004518824'].map((iccid, index) => ({
  iccid,
  device_name: `Truck ${index + 1}`,
  lifecycle: 'active',
  data: { state: 'open', kbps: null, restrictions: [] },
}));

beforeEach(() => {
  session.clear();
  gateway.respond('GET /cube/sim/views', () => success([]));
});

const show = async (screenOn: ReactNode = null) => {
  const actions: ShellActions = {
    openAbout: vi.fn(),
    openShortcuts: vi.fn(),
    changePassword: vi.fn(),
    signOut: vi.fn(),
  };
  const onClose = vi.fn();
  const router = createRouter({
    routeTree: createRootRoute({
      component: () => (
        <QueryClientProvider client={new QueryClient()}>
          <ShellActionsContext value={actions}>
            <CommandPalette open onClose={onClose} />
            {screenOn}
          </ShellActionsContext>
        </QueryClientProvider>
      ),
      notFoundComponent: () => null,
    }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  });
  // The console registers its own router's types; this router has only the palette.
  render(<RouterProvider router={router as never} />);
  const field = await screen.findByRole('combobox');
  return { user: userEvent.setup(), field, actions, onClose, router };
};

const options = () => screen.getAllByRole('option').map((option) => option.textContent);
/** Checks that the list shows as selected the option that the field names as active. */
const active = (field: HTMLElement): string | null => {
  const selected = screen.getByRole('option', { selected: true });
  expect(field).toHaveAttribute('aria-activedescendant', selected.id);
  return selected.textContent;
};

test('the palette initially lists the pages that the role may open, and actions', async () => {
  signedInAs('user', { permissionsInfo: { user: { cdr: ['read'] } } });
  await show();
  const pages = screen.getByRole('group', { name: 'Pages' });
  expect(
    within(pages)
      .getAllByRole('option')
      .map((option) => option.textContent),
  ).toEqual(['Analysis', 'Heatmap', 'CDRs', 'Task Centre', 'Organisations', 'Settings']);
  expect(options()).toContain('Sign Out');
  expect(gateway.sent).toEqual([]);
});

test('the palette lists only the organisations page without a current organisation', async () => {
  signedInAs('admin', { partnerCode: null, tenantId: null });
  await show();
  const pages = within(screen.getByRole('group', { name: 'Pages' }));
  expect(pages.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Organisations']);
});

test('the palette searches SIMs once typing stops, and Enter opens the selected one', async () => {
  signedInAs('admin');
  gateway.respond(list, () => success(trucks, { total_count: 2 }));
  const { user, field, router, onClose } = await show();
  await user.type(field, 'truck');
  await screen.findByRole('group', { name: 'SIMs' });
  expect(gateway.sent.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
    { search: 'truck', page_size: 7 },
  ]);
  expect(active(field)).toContain('89860012300004518823');
  await user.keyboard('{ArrowDown}{Enter}');
  expect(onClose).toHaveBeenCalledOnce();
  expect(router.history.location.pathname).toBe('/en-US/simCard/89860012300004518824');
});

test('the palette shows the matching field, and marks the match', async () => {
  signedInAs('admin');
  const [truck] = trucks;
  const imsi = { field: 'imsi', text: '214070002354869', from: 8, to: 15 };
  gateway.respond(list, () => success([{ ...truck, matched: [imsi] }], { total_count: 1 }));
  const { user, field } = await show();
  await user.type(field, '2354869');
  const option = await screen.findByRole('option', { name: /IMSI 214070002354869/ });
  expect(option.querySelector('mark')).toHaveTextContent('2354869');
});

test('pages are found by full-width text and text with invisible characters', async () => {
  signedInAs('admin');
  gateway.respond(list, () => success([], { total_count: 0 }));
  const { user, field } = await show();
  await user.type(field, 'ＨＥＡＴＭＡＰ');
  expect(options()).toContain('Heatmap');
  await user.clear(field);
  await user.type(field, 'heat\u200bmap');
  expect(options()).toContain('Heatmap');
});

test('invisible characters are removed from a search for SIMs, and start none alone', async () => {
  signedInAs('admin');
  gateway.respond(list, () => success(trucks, { total_count: 2 }));
  const { user, field } = await show();
  await user.type(field, '\u200b\u200b');
  expect(screen.queryByText('Searching SIMs…')).not.toBeInTheDocument();
  expect(options()).toContain('Heatmap');
  await user.clear(field);
  await user.type(field, '\u200btruck');
  await screen.findByRole('group', { name: 'SIMs' });
  expect(gateway.sent.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
    { search: 'truck', page_size: 7 },
  ]);
});

test('the palette links to the list of all matching SIMs', async () => {
  signedInAs('admin');
  gateway.respond(list, () => success(trucks, { total_count: 9 }));
  const { user, field, router } = await show();
  await user.type(field, 'truck 1');
  expect(await screen.findByText('9 results')).toBeInTheDocument();
  await user.click(await screen.findByRole('option', { name: 'Show all 9 SIMs matching “truck 1”' }));
  expect(router.history.location.href).toBe('/en-US/simCard?search=truck%201');
});

test('arrow keys wrap around the options, and Page Down stops at the last one', async () => {
  signedInAs('admin');
  const { user, field } = await show();
  expect(active(field)).toBe('Analysis');
  await user.type(field, '{ArrowUp}');
  expect(active(field)).toBe('Sign Out');
  await user.type(field, '{ArrowDown}');
  expect(active(field)).toBe('Analysis');
  await user.type(field, '{PageDown}'.repeat(10));
  expect(active(field)).toBe('Sign Out');
});

test('actions are found regardless of case and accents, and run with Enter', async () => {
  signedInAs('admin');
  gateway.respond(list, () => success([]));
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

test('the palette reports no results, and a failed search', async () => {
  signedInAs('admin');
  gateway.respond(list, () => success([]));
  const { user, field } = await show();
  await user.type(field, 'zzzz');
  expect(await screen.findByText('Nothing found for “zzzz”.')).toBeInTheDocument();
  gateway.respond(list, () => new Response('', { status: 500 }));
  await user.type(field, 'y');
  expect(await screen.findByText('SIMs could not be searched.')).toBeInTheDocument();
});

describe('commands', () => {
  const chosen = vi.fn();
  const Screen = () => {
    useOfferedCommands({
      heading: '3 selected',
      commands: [{ key: 'suspend', label: 'Suspend SIMs', run: () => chosen('suspend') }],
    });
    return null;
  };

  test('of the current screen come first, while it is shown', async () => {
    signedInAs('operator');
    const leave = vi.fn<() => void>();
    const Leavable = () => {
      const [isShown, setShown] = useState(true);
      leave.mockImplementation(() => setShown(false));
      return isShown ? <Screen /> : null;
    };
    const { user, field, onClose } = await show(<Leavable />);
    const group = screen.getByRole('group', { name: '3 selected' });
    expect(within(group).getByRole('option')).toHaveTextContent('Suspend SIMs');
    expect(active(field)).toBe('Suspend SIMs');
    await user.keyboard('{Enter}');
    expect(chosen).toHaveBeenCalledExactlyOnceWith('suspend');
    expect(onClose).toHaveBeenCalledOnce();
    act(leave);
    expect(screen.queryByRole('group', { name: '3 selected' })).not.toBeInTheDocument();
  });

  test.each([
    ['user', []],
    ['operator', ['Resume SIMs: choose a SIM…', 'Resume A2P MT SMS: choose a SIM…']],
    ['admin', ['Resume SIMs: choose a SIM…', 'Resume A2P MT SMS: choose a SIM…']],
  ] as const)('are limited by the permissions of a %s', async (role, expected) => {
    signedInAs(role);
    gateway.respond(list, () => success([]));
    const { user, field } = await show();
    await user.type(field, 'resume');
    await waitFor(() =>
      expect(screen.queryAllByRole('option').map(({ textContent }) => textContent)).toEqual(expected),
    );
    await user.clear(field);
    for (const name of ['Invite a person', 'Audit trail'])
      expect(options().includes(name), name).toBe(role === 'admin');
    expect(options().includes('Export SIMs')).toBe(true);
  });

  test('for one SIM ask for a SIM to which the chosen operation applies', async () => {
    signedInAs('operator');
    gateway.respond(list, ({ body }) => success((body as { lifecycle?: string[] }).lifecycle ? trucks : []));
    const { user, field, onClose, router } = await show();
    await user.type(field, 'suspend{Enter}');
    expect(onClose).not.toHaveBeenCalled();
    const which = screen.getByRole('combobox', { name: /^Suspend SIMs: which SIM\?/ });
    expect(which).toHaveValue('');
    expect(screen.queryAllByRole('option')).toEqual([]);
    await user.type(which, 'truck');
    await screen.findByRole('group', { name: 'SIMs' });
    expect(gateway.sent.at(-1)?.body).toEqual({ search: 'truck', page_size: 7, lifecycle: ['active'] });
    await user.keyboard('{Enter}');
    expect(router.history.location.href).toBe('/en-US/simCard/89860012300004518823?operation=suspend');
  });

  test('find among active SIMs those that a rule has stopped, to resume them', async () => {
    signedInAs('operator');
    const [first, second] = trucks.map((truck, index) => {
      const by = index === 0 ? 'pool' : 'rule';
      return { ...truck, data: { restrictions: [{ by, kbps: null, until: null }] } };
    });
    gateway.respond(list, () => success([first, second]));
    const { user, router } = await show();
    await user.type(screen.getByRole('combobox'), 'resume{Enter}');
    await user.type(screen.getByRole('combobox', { name: /^Resume SIMs/ }), 'truck');
    const sims = await screen.findByRole('group', { name: 'SIMs' });
    expect(within(sims).getAllByRole('option')).toHaveLength(1);
    await user.keyboard('{Enter}');
    expect(router.history.location.href).toBe('/en-US/simCard/89860012300004518824?operation=resume');
  });

  test('are left by Backspace in the empty field', async () => {
    signedInAs('operator');
    gateway.respond(list, () => success([]));
    const { user, field } = await show();
    await user.type(field, 'suspend{Enter}');
    await user.keyboard('{Backspace}');
    expect(screen.getByRole('combobox', { name: /^Search SIMs/ })).toBeInTheDocument();
    expect(options()).toContain('Analysis');
  });

  test('for a single matching SIM are listed below it', async () => {
    signedInAs('operator');
    gateway.respond(list, () => success(trucks.slice(0, 1)));
    const { user, field, router } = await show();
    await user.type(field, 'truck 1');
    const group = await screen.findByRole('group', { name: 'Truck 1 · 89860012300004518823' });
    const names = within(group)
      .getAllByRole('option')
      .map(({ textContent }) => textContent);
    expect(names).toEqual(['Suspend', 'Reset', 'Export', 'Send SMS', 'Suspend SMS', 'Resume SMS']);
    await user.click(within(group).getByRole('option', { name: 'Reset' }));
    expect(router.history.location.href).toBe('/en-US/simCard/89860012300004518823?operation=reset');
  });

  test('open pages, dialogs of the SIM list, and the shortcuts', async () => {
    signedInAs('admin');
    gateway.respond(list, () => success([]));
    const { user, field, router, actions } = await show();
    for (const [typed, href] of [
      ['invite', '/en-US/newUser'],
      ['audit', '/en-US/setCard?tab=audit'],
      ['export sims', '/en-US/simCard?start=export'],
      ['upload sim info', '/en-US/simCard?start=uploadInfo'],
    ] as const) {
      await user.clear(field);
      await user.type(field, `${typed}{Enter}`);
      expect(router.history.location.href).toBe(href);
    }
    await user.clear(field);
    await user.type(field, 'shortcuts{Enter}');
    expect(actions.openShortcuts).toHaveBeenCalledOnce();
    await user.clear(field);
    await user.type(field, 'switch');
    expect(options()).toEqual(['Switch to NORD Mobility']);
  });
});

test.each(['t00000042', 'T42'])('a task is found by its reference, %s', async (typed) => {
  signedInAs('user');
  gateway.respond(list, () => success([]));
  gateway.respond('GET /job-service/rest/job/my/T00000042', () =>
    success({ reference_id: 'T00000042', type: 'sim-suspend', quantity: 1, status: 'done' }),
  );
  const { user, field, router } = await show();
  await user.type(field, typed);
  await user.click(await screen.findByRole('option', { name: 'T00000042 · Suspend SIM · Done' }));
  expect(router.history.location.href).toBe('/en-US/taskcenter?task=T00000042');
});

test('saved views are found by name, and the first five are listed before anything is typed', async () => {
  signedInAs('user');
  gateway.respond(list, () => success([]));
  const view = (id: number) => ({
    id: `${id}`,
    name: `View ${id}`,
    filter: { lifecycle: ['active'], usage_percent_min: 80 },
    sort: '-expires_at',
  });
  gateway.respond('GET /cube/sim/views', () => success([1, 2, 3, 4, 5, 6, 7].map(view)));
  const { user, field, router } = await show();
  const group = await screen.findByRole('group', { name: 'Saved views' });
  expect(within(group).getAllByRole('option')).toHaveLength(5);
  await user.type(field, 'view 7');
  await user.click(await screen.findByRole('option', { name: 'View 7' }));
  expect(router.history.location.href).toBe(
    '/en-US/simCard?lifecycle=active&usage=80&sort=-expires_at&view=7',
  );
});

test('the palette lists the person’s recent places in the current organisation', async () => {
  signedInAs('user');
  const place = (path: string, title: string) => ({ path, title });
  session.set('recentPlaces', {
    'user-1/ACME': [place('simCard/8986', 'Truck 9 · 8986'), place('taskcenter?task=T7', 'Task T7')],
    'user-1/NORD': [place('simCard/1', 'Of Nord')],
    'user-2/ACME': [place('simCard/2', 'Of another person')],
  });
  const { user, router } = await show();
  const group = screen.getByRole('group', { name: 'Recent' });
  const names = within(group)
    .getAllByRole('option')
    .map(({ textContent }) => textContent);
  expect(names).toEqual(['Truck 9 · 8986', 'Task T7']);
  await user.click(within(group).getByRole('option', { name: 'Task T7' }));
  expect(router.history.location.href).toBe('/en-US/taskcenter?task=T7');
});
