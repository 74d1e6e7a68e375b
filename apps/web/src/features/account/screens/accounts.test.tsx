import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { session } from '../../../lib/session/index.ts';
import { accountOf, otherId } from '../../../testing/accounts.ts';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen, useAddress } from '../../../testing/render-screen.tsx';
import { AccountsPanel, NewAccountButton, SeatsLeft } from '../index.ts';
import { accountSearch } from '../search.ts';

const gateway = stubGateway();
const list = 'GET /customer/partner/ACME/accounts';
const seats = 'GET /customer/org/user/config/user_surplus/ACME';

const Panel = () => {
  const address = useAddress(accountSearch);
  return (
    <>
      <SeatsLeft />
      <NewAccountButton />
      <AccountsPanel {...address} />
    </>
  );
};

const pending = accountOf({
  id: '0f5e9a52-6d0e-4d38-9a8b-3f7c1f6f0a02',
  first_name: '',
  last_name: '',
  email: 'new@acme.example',
  role: 'user',
  status: 'pending',
  pending_invitation: { id: '0f5e9a52-6d0e-4d38-9a8b-3f7c1f6f0a02', expires_at: '2026-11-28T00:00:00.000Z' },
});

/** The current organisation: a customer of the operator, or one further down. */
const respondEnterprise = (firstLevel: boolean): void =>
  gateway.respond('GET /customer/enterprises/selectByOrgCode/ACME', () =>
    success({ code: 'ACME', parent_code: 'ABOVE', first_level: firstLevel }),
  );

const show = (accounts = [accountOf(), pending], { firstLevel = true } = {}) => {
  respondEnterprise(firstLevel);
  gateway.respond(list, () => success(accounts, { total_count: accounts.length }));
  gateway.respond(seats, () => success({ limit: 50, used: 43, remaining: 7 }));
  return renderScreen(<Panel />);
};

const menuOf = async (user: ReturnType<typeof renderScreen>['user'], name: string) => {
  await user.click(await screen.findByRole('button', { name: `Actions for ${name}` }));
  return screen.findAllByRole('menuitem');
};

test('the accounts page lists accounts and invitations, with the remaining seats', async () => {
  signedInAs('admin');
  show();
  const row = await screen.findByRole('row', { name: /Bea Ortiz/ });
  expect(within(row).getByText('Operator')).toBeInTheDocument();
  expect(within(row).getByText('Active')).toBeInTheDocument();
  expect(within(screen.getByRole('row', { name: /new@acme/ })).getByText('Invited')).toBeInTheDocument();
  expect(await screen.findByText('7 of 50 seats left')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'New account' })).toBeEnabled();
});

test('unsaved changes of an account stay when it leaves the list', async () => {
  signedInAs('admin');
  const { user } = show();
  await menuOf(user, 'Bea Ortiz');
  await user.click(screen.getByRole('menuitem', { name: 'Edit' }));
  await user.type(await screen.findByLabelText('First name'), 'triz');
  gateway.respond(list, () => success([pending], { total_count: 1 }));
  window.dispatchEvent(new Event('visibilitychange'));
  await waitFor(() => expect(screen.queryByRole('row', { name: /Bea Ortiz/ })).not.toBeInTheDocument());
  expect(screen.getByLabelText('First name')).toHaveValue('Beatriz');
});

test('the menu of an account offers its actions, and disabling asks with its consequences', async () => {
  signedInAs('admin');
  const { user } = show();
  await menuOf(user, 'Bea Ortiz');
  await screen.findByRole('menuitem', { name: 'Grant oversight' });
  const words = screen.getAllByRole('menuitem').map((item) => item.textContent);
  expect(words).toEqual([
    'Open',
    'Edit',
    'Grant oversight',
    'Reset password',
    'End sessions',
    'Disable',
    'Remove',
  ]);
  gateway.respond(`PATCH /customer/change_status/accounts/${otherId}`, () =>
    success(accountOf({ status: 'disabled' })),
  );
  const partner = { default: false, oversight: false, joined_at: '2026-11-01T00:00:00.000Z' };
  const below = Array.from({ length: 7 }, (_, index) => ({
    ...partner,
    code: `N${index}`,
    name: `North ${index}`,
  }));
  gateway.respond(`GET /customer/accounts/${otherId}/partners`, () =>
    success([
      { ...partner, code: session.get('partnerCode'), name: 'ACME Mobility', role: 'operator' },
      ...below.map((organisation) => ({ ...organisation, role: 'admin' })),
    ]),
  );
  await user.click(screen.getByRole('menuitem', { name: 'Disable' }));
  const dialog = await screen.findByRole('dialog');
  expect(dialog).toHaveTextContent('Bea Ortiz loses access to ACME Mobility immediately');
  expect(dialog).toHaveTextContent(
    /Remains a member of North 0 \(Admin\), North 1 \(Admin\), .*North 4 \(Admin\), 2 more organisations\./,
  );
  await user.click(within(dialog).getByRole('button', { name: 'Disable' }));
  await waitFor(() =>
    expect(gateway.sent.find(({ method }) => method === 'PATCH')?.body).toEqual({ status: 'disabled' }),
  );
});

test('below the first level, oversight is not offered, but can be revoked', async () => {
  signedInAs('admin');
  const overseer = accountOf({ id: pending.id, first_name: 'Cem', last_name: 'Ak', oversight: true });
  const { user } = show([accountOf(), overseer], { firstLevel: false });
  await screen.findByRole('button', { name: 'Actions for Bea Ortiz' });
  await expect.poll(() => gateway.sent.some(({ path }) => path.includes('selectByOrgCode'))).toBe(true);
  const words = (await menuOf(user, 'Bea Ortiz')).map((item) => item.textContent);
  expect(words).toEqual(['Open', 'Edit', 'Reset password', 'End sessions', 'Disable', 'Remove']);
  await user.keyboard('{Escape}');
  await menuOf(user, 'Cem Ak');
  expect(await screen.findByRole('menuitem', { name: 'Revoke oversight' })).toBeInTheDocument();
});

test('an invitation offers resending and revoking, and is resent to the same address', async () => {
  signedInAs('admin');
  const { user } = show();
  const words = (await menuOf(user, 'new@acme.example')).map((item) => item.textContent);
  expect(words).toEqual(['Open', 'Resend invitation', 'Revoke invitation']);
  gateway.respond('POST /identity/info/cube/invites', () => success({ id: pending.id }));
  await user.click(screen.getByRole('menuitem', { name: 'Resend invitation' }));
  const dialog = await screen.findByRole('dialog');
  await user.click(within(dialog).getByRole('button', { name: 'Resend invitation' }));
  await waitFor(() =>
    expect(gateway.sent.find(({ method }) => method === 'POST')?.body).toEqual({
      email: 'new@acme.example',
      role: 'user',
      language: 'es-ES',
      oversight: false,
    }),
  );
});

test('an admin can’t change a superadmin, and the menu shows why', async () => {
  signedInAs('admin');
  const { user } = show([accountOf({ role: 'superadmin', oversight: true, fixed: ['account'] })]);
  const items = await menuOf(user, 'Bea Ortiz');
  expect(items.map((item) => item.textContent)).toEqual([
    'Open',
    'EditSuperadmins, including those of organisations above, can be changed only by a superadmin.',
  ]);
  expect(items[1]).toHaveAttribute('aria-disabled', 'true');
});

test('the password of a member of other organisations can’t be reset, and the menu shows why', async () => {
  signedInAs('admin');
  const { user } = show([accountOf({ fixed: ['person', 'password'] })]);
  const items = await menuOf(user, 'Bea Ortiz');
  const reset = items.find((item) => item.textContent?.startsWith('Reset password'));
  expect(reset).toHaveTextContent(
    'The password belongs to the person, whose accounts in other organisations you cannot all manage.',
  );
  expect(reset).toHaveAttribute('aria-disabled', 'true');
});

test('name and language of a member of other organisations are fixed in the form, the role is not', async () => {
  signedInAs('admin');
  const { user } = show([accountOf({ fixed: ['person', 'password'] })]);
  await menuOf(user, 'Bea Ortiz');
  await user.click(screen.getByRole('menuitem', { name: 'Edit' }));
  expect(await screen.findByLabelText('First name')).toBeDisabled();
  expect(screen.getByLabelText('Last name')).toBeDisabled();
  expect(screen.getByLabelText('Language')).toBeDisabled();
  expect(screen.getByLabelText('Role')).toBeEnabled();
  expect(screen.getByText(/Name and language belong to the person/)).toBeInTheDocument();
});

test('sessions are ended in this organisation', async () => {
  signedInAs('admin');
  const { user } = show();
  await menuOf(user, 'Bea Ortiz');
  await user.click(screen.getByRole('menuitem', { name: 'End sessions' }));
  const dialog = await screen.findByRole('dialog');
  expect(dialog).toHaveTextContent('This person’s other organisations are not affected.');
  gateway.respond(`DELETE /customer/accounts/${otherId}/sessions`, () => success(null));
  await user.click(within(dialog).getByRole('button', { name: 'End sessions' }));
  await waitFor(() =>
    expect(gateway.sent.find(({ method }) => method === 'DELETE')?.path).toBe(
      `/customer/accounts/${otherId}/sessions`,
    ),
  );
});

test('a reader has neither actions nor a button for new accounts', async () => {
  signedInAs('user', { permissionsInfo: { user: { account: ['read'] } } });
  const { user } = show();
  expect((await menuOf(user, 'Bea Ortiz')).map((item) => item.textContent)).toEqual(['Open']);
  expect(screen.queryByRole('button', { name: 'New account' })).not.toBeInTheDocument();
});

test('accounts are filtered by role and sorted by the server', async () => {
  signedInAs('admin');
  const { user } = show();
  await screen.findByRole('row', { name: /Bea Ortiz/ });
  await user.click(screen.getByRole('button', { name: '+ Filter' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Role' }));
  await user.click(await screen.findByRole('radio', { name: 'Admin' }));
  await waitFor(() => expect(gateway.sent.at(-1)?.query.get('role')).toBe('admin'));
  await user.click(screen.getByRole('button', { name: 'Email' }));
  await waitFor(() => expect(gateway.sent.at(-1)?.query.get('sort')).toBe('email'));
});

test('an account is edited, and a role that can’t be granted is rejected at the field', async () => {
  signedInAs('admin');
  const { user } = show();
  await menuOf(user, 'Bea Ortiz');
  await user.click(screen.getByRole('menuitem', { name: 'Edit' }));
  gateway.respond(`PUT /customer/accounts/${otherId}`, () =>
    errorResponse({
      http: 403,
      code: 'CB-07-0019',
      message: 'You cannot grant more permissions than you have.',
    }),
  );
  const first = await screen.findByLabelText('First name');
  await user.clear(first);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('This field is required')).toBeInTheDocument();
  await user.type(first, 'Beatriz');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('You cannot grant more permissions than you have.')).toBeInTheDocument();
  expect(gateway.sent.find(({ method }) => method === 'PUT')?.body).toEqual({
    first_name: 'Beatriz',
    last_name: 'Ortiz',
    role: 'operator',
    locale: 'es-ES',
  });
});

test('the permissions of each role open in a dialog', async () => {
  signedInAs('admin');
  const { user } = show();
  await user.click(await screen.findByRole('button', { name: 'Roles' }));
  const table = within(await screen.findByRole('dialog')).getByRole('table');
  const row = within(table).getByRole('row', { name: /^SIMs/ });
  expect(
    within(row)
      .getAllByRole('cell')
      .map((cell) => cell.textContent),
  ).toEqual(['Read', 'Read · Operate', 'Everything', 'Everything']);
});

test('no match, no accounts and a failure are shown differently', async () => {
  signedInAs('admin');
  const { user } = show([]);
  expect(await screen.findByText('No accounts yet')).toBeInTheDocument();
  await user.type(screen.getByLabelText('Search by name or email'), 'zz');
  expect(await screen.findByText('No account matches')).toBeInTheDocument();
  gateway.respond(list, () => errorResponse({ http: 500, code: 'CB-99-0500', message: 'It broke.' }));
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(await screen.findByText('It broke.')).toBeInTheDocument();
});
