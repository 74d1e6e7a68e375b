import { limits } from '@simcube/contract';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { render, renderHook, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { session } from '../../lib/session/index.ts';
import { useToasts } from '../../lib/toast/index.ts';
import { errorResponse, stubGateway, success } from '../../testing/gateway.ts';
import { membershipOf, signedInAs } from '../../testing/people.ts';
import { createConsoleRouter } from '../router.tsx';

const gateway = stubGateway();

const open = (): { pathname: () => string } => {
  const router = createConsoleRouter(createMemoryHistory({ initialEntries: ['/en-US/no/such/page'] }));
  render(<RouterProvider router={router as never} />);
  return { pathname: () => router.state.location.pathname };
};

const openMenu = async (name: RegExp) => {
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name }));
  const menu = within(await screen.findByRole('menu'));
  return { user, menu };
};

test('the account menu has five entries, and About shows the version', async () => {
  signedInAs('user');
  open();
  const { user, menu } = await openMenu(/Account menu of/);
  for (const name of ['Profile', 'My Organisations', 'Change Password', 'About', 'Sign Out'])
    expect(menu.getByRole('menuitem', { name })).toBeInTheDocument();
  await user.click(menu.getByRole('menuitem', { name: 'About' }));
  expect(await screen.findByRole('dialog', { name: 'About SimCube' })).toHaveTextContent('1.6.8-alpha.1');
});

const signOutCall = 'POST /identity/sso/signin/signout/cube';

/** Chooses to sign out, and confirms if asked. */
const signOut = async (): Promise<void> => {
  const { user, menu } = await openMenu(/Account menu of/);
  await user.click(menu.getByRole('menuitem', { name: 'Sign Out' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Sign out?' }));
  expect(gateway.sent.some(({ path }) => signOutCall.endsWith(path))).toBe(false);
  await user.click(dialog.getByRole('button', { name: 'Sign Out' }));
};

test('signing out asks for confirmation, ends the session and redirects to login', async () => {
  signedInAs('user');
  gateway.respond(signOutCall, () => success(null));
  const page = open();
  await signOut();
  await waitFor(() => expect(page.pathname()).toBe('/en-US/login'));
  expect(session.get('token')).toBeNull();
});

test('a failed sign-out shows “signoutCube:” with the message, and keeps the session', async () => {
  signedInAs('user');
  gateway.respond(signOutCall, () => errorResponse({ http: 500, code: 'CB-99-0500', message: 'Not now' }));
  open();
  await signOut();
  const texts = () => renderHook(() => useToasts()).result.current.map(({ text }) => text);
  await waitFor(() => expect(texts()).toContain('signoutCube: Not now'));
  expect(session.get('token')).not.toBeNull();
});

test('the organisation switcher lists ten organisations, and offers admins a new one', async () => {
  const others = Array.from({ length: 12 }, (_, index) => membershipOf('user', `ORG${index}`));
  signedInAs('admin', { rolesInfo: [membershipOf('admin'), ...others] });
  open();
  const { menu } = await openMenu(/^Organisation: ACME Mobility/);
  const listed = menu.getAllByRole('menuitem').filter((item) => item.textContent?.includes('Mobility'));
  expect(listed).toHaveLength(limits.switcherOrganisations);
  expect(menu.getByRole('menuitem', { name: 'More organisations…' })).toBeInTheDocument();
  expect(menu.getByRole('menuitem', { name: 'New Organisation' })).toBeInTheDocument();
});

test('the organisation switcher offers operators no new organisation', async () => {
  signedInAs('operator');
  open();
  const { menu } = await openMenu(/^Organisation: ACME Mobility/);
  expect(menu.getByRole('menuitem', { name: 'More organisations…' })).toBeInTheDocument();
  expect(menu.queryByRole('menuitem', { name: 'New Organisation' })).not.toBeInTheDocument();
});

test('the menu shows the organisation’s logo, links to the documentation, and stores that it is collapsed', async () => {
  signedInAs('user', { rolesInfo: [{ ...membershipOf('user'), logo: 'data:image/png;base64,AAAA' }] });
  open();
  const user = userEvent.setup();
  expect(await screen.findByRole('img', { name: 'ACME Mobility' })).toHaveAttribute(
    'src',
    'data:image/png;base64,AAAA',
  );
  expect(screen.getByRole('link', { name: /Help & API docs/ })).toBeInTheDocument();
  expect(screen.getByText('SimCube 1.6.8-alpha.1')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Collapse menu' }));
  expect(session.get('menuState')?.collapsed).toBe(true);
  expect(screen.getByRole('button', { name: 'Expand menu' })).toBeInTheDocument();
});
