import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { session } from '../../lib/session/index.ts';
import { stubGateway, success } from '../../testing/gateway.ts';
import { membershipOf, signedInAs } from '../../testing/people.ts';
import { createConsoleRouter } from '../router.tsx';

const gateway = stubGateway();

const open = (address: string): void => {
  const router = createConsoleRouter(createMemoryHistory({ initialEntries: [address] }));
  render(<RouterProvider router={router as never} />);
};

test('an unknown page keeps the menu for a signed-in person, and names the organisation in the tab', async () => {
  signedInAs('admin');
  open('/en-US/no/such/page');
  expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeInTheDocument();
  expect(screen.getByRole('navigation', { name: 'Main menu' })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Go to the start page' })).toHaveAttribute('href', '/en-US');
  await waitFor(() => expect(document.title).toBe('Page not found · ACME Mobility · SimCube'));
});

test('the switcher reads the organisations again, and the header shows a new name', async () => {
  signedInAs('admin');
  const renamed = { ...membershipOf('admin'), name: 'Acme Transport' };
  gateway.respond('GET /customer/orgs', () => success([renamed, membershipOf('admin', 'BRANCH')]));
  open('/en-US/no/such/page');
  await userEvent.setup().click(await screen.findByRole('button', { name: /ACME Mobility/ }));
  expect(await screen.findByRole('button', { name: /Acme Transport/ })).toBeInTheDocument();
  expect(session.memberships().map(({ code }) => code)).toEqual(['ACME', 'BRANCH']);
});

test('the start reads the organisations of a person whose stored ones can’t be read', async () => {
  signedInAs('admin');
  localStorage.setItem('rolesInfo', 'no JSON');
  gateway.respond('GET /customer/orgs', () => success([membershipOf('admin')]));
  open('/en-US/no/such/page');
  await waitFor(() => expect(document.title).toBe('Page not found · ACME Mobility · SimCube'));
  expect(session.can('account', 'write')).toBe(true);
});

test('an unknown page has no menu without a session', async () => {
  open('/en-US/no/such/page');
  expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeInTheDocument();
  expect(screen.queryByRole('navigation', { name: 'Main menu' })).not.toBeInTheDocument();
  expect(document.title).toBe('Page not found · SimCube');
});

test('the name of the task centre link contains its visible text and “in progress”', async () => {
  gateway.respond('GET /job-service/rest/job/my', () => success([], { total_count: 2 }));
  signedInAs('admin');
  open('/en-US/orgs');
  const link = await screen.findByRole('link', { name: 'Tasks 2 in progress' });
  expect(link).toHaveTextContent(/^Tasks 2/);
});

test('the menu shows shared pools only while the organisation has one, and with permission', async () => {
  signedInAs('admin', { sharedPool: ['7', '8'] });
  open('/en-US/orgs');
  const menu = await screen.findByRole('navigation', { name: 'Main menu' });
  expect(within(menu).getByRole('link', { name: /Shared Pools/ })).toHaveAttribute('href', '/en-US/shared');
  act(() => session.set('sharedPool', []));
  expect(within(menu).queryByText('Shared Pools')).not.toBeInTheDocument();
  act(() => session.set('sharedPool', ['7']));
  expect(within(menu).getByText('Shared Pools')).toBeInTheDocument();
  act(() => session.setMemberships([membershipOf('operator')]));
  expect(within(menu).queryByText('Shared Pools')).not.toBeInTheDocument();
});

test('a new page starts at its top; a tab or drawer of the same page leaves it where it is', async () => {
  signedInAs('admin');
  const router = createConsoleRouter(createMemoryHistory({ initialEntries: ['/en-US/no/page'] }));
  render(<RouterProvider router={router as never} />);
  const main = await screen.findByRole('main');
  main.scrollTop = 300;
  await act(async () => await router.navigate({ href: '/en-US/no/page?tab=other' }));
  expect(main.scrollTop).toBe(300);
  await act(async () => await router.navigate({ href: '/en-US/no/other' }));
  expect(main.scrollTop).toBe(0);
});

test('the menu shows the numbers of SIMs, pools and rules', async () => {
  gateway.respond('GET /cube/dashboard/lifecycleCount', () => success({ total: 2843, lifecycle: {} }));
  gateway.respond('GET /rule-engine/auto_flow/cube/rules/count', () => success({ rules: 12, maximum: 50 }));
  signedInAs('admin', { sharedPool: ['7', '8'] });
  open('/en-US/orgs');
  const menu = within(await screen.findByRole('navigation', { name: 'Main menu' }));
  for (const [name, count] of [
    ['SIMs', '2,843'],
    ['Shared Pools', '2'],
    ['Autoflow', '12'],
  ] as const) {
    const link = menu.getByRole('link', { name: new RegExp(`^${name}`) });
    await waitFor(() => expect(link).toHaveTextContent(`${name}${count}`));
  }
});

test('the dashboard’s menu entry expands to its pages, and collapses', async () => {
  signedInAs('admin');
  const user = userEvent.setup();
  open('/en-US/orgs');
  const menu = within(await screen.findByRole('navigation', { name: 'Main menu' }));
  expect(menu.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('href', '/en-US/analysis');
  expect(menu.queryByRole('link', { name: 'Heatmap' })).not.toBeInTheDocument();
  await user.click(menu.getByRole('button', { name: 'Pages of Dashboard', expanded: false }));
  expect(menu.getByRole('link', { name: 'Analysis' })).toHaveAttribute('href', '/en-US/analysis');
  await user.click(menu.getByRole('link', { name: 'Heatmap' }));
  expect(await menu.findByRole('link', { name: 'Heatmap', current: 'page' })).toBeInTheDocument();
  await user.click(menu.getByRole('button', { name: 'Pages of Dashboard', expanded: true }));
  expect(menu.queryByRole('link', { name: 'Heatmap' })).not.toBeInTheDocument();
});

test('the menu of narrow screens closes when the current page is chosen in it', async () => {
  signedInAs('admin');
  const user = userEvent.setup();
  open('/en-US/orgs');
  await user.click(await screen.findByRole('button', { name: 'Open menu' }));
  const drawer = await screen.findByRole('dialog', { name: 'Main menu' });
  await user.click(within(drawer).getByRole('link', { current: 'page' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
});

test.each([
  ['workFlowOperation', 'Autoflow'],
  ['trigger', 'Autoflow'],
  ['chartView', 'CDRs'],
  ['scheduleSmsAdd', 'SMS'],
  ['financeDetailsPage', 'Finance'],
])('%s highlights the menu entry %s', async (page, name) => {
  signedInAs('admin');
  open(`/en-US/${page}`);
  const menu = within(await screen.findByRole('navigation', { name: 'Main menu' }));
  await waitFor(() => expect(menu.getByRole('link', { current: 'page' })).toHaveAccessibleName(name));
});

test('login shows a message when the stored token is invalid', async () => {
  localStorage.setItem('token', 'undefined');
  open('/en-US/simCard');
  expect(await screen.findByRole('status')).toHaveTextContent(
    'Your previous sign-in is no longer valid. Please sign in again to continue.',
  );
});

test('login shows no message without an earlier session', async () => {
  open('/en-US/simCard');
  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeInTheDocument();
  expect(screen.queryByRole('status')).not.toBeInTheDocument();
});
