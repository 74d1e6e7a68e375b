import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accountOf, otherId, permissionsOf } from '../../../testing/accounts.ts';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { LeaveGuard } from '../../../ui/unsaved/index.ts';
import { AccountDetailScreen } from '../index.ts';

const gateway = stubGateway();
const get = `GET /customer/partner/ACME/accounts/${otherId}`;
const partners = `GET /customer/accounts/${otherId}/partners`;
const permissions = `GET /identity/info/cube/users/${otherId}/permissions`;
const changeOf = (key: string) => `PUT /identity/permission/info/cube/${otherId}/current/${key}`;

const show = (account = accountOf(), rights = permissionsOf(account.role)) => {
  gateway.respond(get, () => success(account));
  gateway.respond(permissions, () => success(rights));
  gateway.respond(partners, () =>
    success([
      {
        code: 'ACME',
        name: 'Acme Mobility',
        role: 'operator',
        default: true,
        oversight: false,
        joined_at: '2026-01-02T00:00:00.000Z',
      },
    ]),
  );
  return renderScreen(
    <>
      <LeaveGuard />
      <AccountDetailScreen userId={otherId} />
    </>,
  );
};

const box = (name: string) => screen.findByRole('checkbox', { name });

test('an account shows its name, organisations and the permissions of its role', async () => {
  signedInAs('admin');
  show();
  expect(await screen.findByRole('heading', { name: 'Bea Ortiz' })).toBeInTheDocument();
  expect(await screen.findByText('Acme Mobility')).toBeInTheDocument();
  expect(await box('Operate on SIMs')).toBeChecked();
  expect(await box('Manage on SIMs')).not.toBeChecked();
  expect(await box('Manage on Accounts and settings')).toBeDisabled();
  expect(await box('Read on Accounts and settings')).toBeEnabled();
});

test('changes of several areas are saved with one request each', async () => {
  signedInAs('admin');
  const { user } = show();
  await user.click(await box('Read on Bills'));
  await user.click(await box('Read on CDRs'));
  expect(screen.getByText('2 areas changed, not saved yet')).toBeInTheDocument();
  gateway.respond(changeOf('customer-bill-cube'), () =>
    success(permissionsOf('operator', { 'customer-bill-cube': ['read'] })),
  );
  gateway.respond(changeOf('cdr'), () =>
    success(permissionsOf('operator', { 'customer-bill-cube': ['read'], cdr: [] })),
  );
  // What was saved stays on screen until then.
  gateway.respond(permissions, () => new Promise(() => undefined));
  await user.click(screen.getByRole('button', { name: 'Save permissions' }));
  expect(await screen.findByRole('button', { name: 'Undo the change to CDRs' })).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Undo the change to Bills' })).toBeInTheDocument();
  const sent = gateway.sent.filter(({ method }) => method === 'PUT').map(({ body }) => body);
  expect(sent).toEqual([{ actions: ['read'] }, { actions: [] }]);
});

test('leaving the page with unsaved changes asks for confirmation', async () => {
  signedInAs('admin');
  const { user, history } = show();
  await user.click(await box('Read on CDRs'));
  history.push('/en-US/analysis');
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }));
  expect(await box('Read on CDRs')).not.toBeChecked();
  expect(history.location.pathname).toBe('/');
});

test('selected changes are undone together after confirmation', async () => {
  signedInAs('admin');
  const rights = permissionsOf('operator', { cdr: [], 'customer-bill-cube': ['read'] }, 'night shift');
  const { user } = show(accountOf({ permissions_changed: true }), rights);
  expect(await screen.findByRole('heading', { name: 'Permissions · night shift' })).toBeInTheDocument();
  await user.click(await box('Select the change to CDRs'));
  await user.click(await box('Select the change to Bills'));
  gateway.respond('DELETE /identity/permission/info/cube/permissions/batch', () =>
    success(permissionsOf('operator')),
  );
  await user.click(screen.getByRole('button', { name: 'Undo 2 changes' }));
  const dialog = await screen.findByRole('dialog');
  expect(dialog).toHaveTextContent('CDRs, Bills');
  await user.click(within(dialog).getByRole('button', { name: 'Undo change' }));
  await waitFor(() =>
    expect(gateway.sent.find(({ method }) => method === 'DELETE')?.body).toEqual({
      userId: otherId,
      keys: ['cdr', 'customer-bill-cube'],
    }),
  );
});

test('the changed permissions can be named', async () => {
  signedInAs('admin');
  const { user } = show(accountOf(), permissionsOf('operator', { cdr: [] }));
  gateway.respond('PUT /identity/permission/info/cube/permissions/name', () =>
    success(permissionsOf('operator', { cdr: [] }, 'night shift')),
  );
  await user.click(await screen.findByRole('button', { name: 'Name these changes' }));
  await user.type(await screen.findByLabelText('Name'), 'night shift');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(gateway.sent.find(({ method }) => method === 'PUT')?.body).toEqual({
      userId: otherId,
      name: 'night shift',
    }),
  );
});

test('a role with all permissions can’t be changed by area', async () => {
  signedInAs('superadmin');
  show(accountOf({ role: 'admin' }), permissionsOf('admin'));
  expect(await screen.findByText(/The role Admin has all permissions/)).toBeInTheDocument();
  expect(await screen.findByRole('img', { name: 'Manage on Accounts and settings: Allowed' })).toBeVisible();
  expect(screen.queryByRole('checkbox')).not.toBeInTheDocument();
});

test('a pending invitation shows the permissions of its role, and requests no others', async () => {
  signedInAs('admin');
  const invitation = { id: otherId, expires_at: '2026-11-28T00:00:00.000Z' };
  show(accountOf({ status: 'pending', pending_invitation: invitation }));
  expect(
    await screen.findByText(/Permissions can be changed once the invitation is accepted/),
  ).toBeInTheDocument();
  expect(gateway.sent.some(({ path }) => path.endsWith('/permissions'))).toBe(false);
  expect(screen.queryByRole('button', { name: 'Edit' })).not.toBeInTheDocument();
});

test('the account of a superadmin of another organisation shows why it can’t be changed', async () => {
  signedInAs('admin');
  show(accountOf({ fixed: ['account', 'person', 'password'] }));
  expect(await screen.findByText(/can be changed only by a superadmin/)).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Edit' })).not.toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'More actions' })).not.toBeInTheDocument();
  expect(await screen.findByRole('img', { name: 'Operate on SIMs: Allowed' })).toBeVisible();
});

test('a reader of accounts can’t change anything', async () => {
  signedInAs('user', { permissionsInfo: { user: { account: ['read'] } } });
  show();
  expect(await screen.findByRole('img', { name: 'Read on Bills: Not allowed' })).toBeVisible();
  expect(screen.queryByRole('checkbox')).not.toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Edit' })).not.toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'More actions' })).not.toBeInTheDocument();
});

test('an account that does not exist is reported as not found', async () => {
  signedInAs('admin');
  gateway.respond(get, () => errorResponse({ http: 404, code: 'CB-07-0028' }));
  renderScreen(<AccountDetailScreen userId={otherId} />);
  expect(await screen.findByRole('heading', { name: 'Account not found' })).toBeInTheDocument();
});
