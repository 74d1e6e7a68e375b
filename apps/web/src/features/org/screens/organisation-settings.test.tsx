import type { Enterprise } from '@simcube/contract/org';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { OrganisationPanel, SecurityPanel } from '../index.ts';

const gateway = stubGateway();
const update = 'PUT /customer/enterprises';

const enterpriseOf = (changes: Partial<Enterprise> = {}): Enterprise => ({
  id: '2',
  code: 'ACME',
  name: 'Acme Mobility',
  country: 'ES',
  tenantId: 'tenant-ACME',
  role: 'admin',
  logo: null,
  parent_code: 'OPERATOR',
  parent_name: 'SimCube Operator',
  created_at: '2026-01-02T00:00:00.000Z',
  first_level: true,
  settlement: true,
  name_fixed: false,
  sms_quota: { kind: 'custom', messages: 50_000 },
  sms_quota_messages: 50_000,
  sub_organisations: 2,
  security: { two_factor_required: false, session_idle_hours: 12, session_hours: 168, allowed_networks: [] },
  ...changes,
});

const serve = (enterprise: Enterprise): void => {
  const { code } = enterprise;
  gateway.respond(`GET /customer/enterprises/selectByOrgCode/${code}`, () => success(enterprise));
  gateway.respond(`GET /customer/org/user/config/user_surplus/${code}`, () =>
    success({ limit: 50, used: 43, remaining: 7 }),
  );
  gateway.respond(`GET /customer/sub_org_qty_setting/verify/${code}`, () =>
    success({
      limit: 100,
      used: 2,
      remaining: 98,
      allowed: true,
      limited_by: null,
      sms_quota_messages: 50_000,
    }),
  );
};

const sentBody = () => gateway.sent.filter(({ method }) => method === 'PUT').at(-1)?.body;

beforeEach(() => {
  signedInAs('admin');
  gateway.respond('GET /customer/orgs', () => success([], { total_count: 0 }));
  gateway.respond('GET /identity/info/cube/sessions', () =>
    success([
      {
        id: '1',
        current: true,
        address: '203.0.113.9',
        user_agent: null,
        created_at: '2026-11-21T00:00:00.000Z',
        last_used_at: '2026-11-21T00:00:00.000Z',
      },
    ]),
  );
});

test('the current organisation shows its details, limits, and why its name is fixed', async () => {
  serve(enterpriseOf());
  const { user } = renderScreen(<OrganisationPanel code={undefined} />);
  expect(await screen.findByText('First-level customer')).toBeInTheDocument();
  expect(await screen.findAllByText('43 of 50 seats taken')).not.toHaveLength(0);
  expect(screen.getByText('98 left')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Copy Tenant ID' }));
  expect(await navigator.clipboard.readText()).toBe('tenant-ACME');
  expect(screen.queryByRole('button', { name: 'Delete' })).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  expect(await screen.findByLabelText('Organisation name')).toBeDisabled();
  expect(screen.queryByText('Custom')).not.toBeInTheDocument();
  gateway.respond(update, () => success(enterpriseOf()));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sentBody()).toEqual({ code: 'ACME' }));
});

test('the name of an organisation that receives bills is fixed for everyone, with the reason', async () => {
  const paying = { code: 'FLEET', parent_code: 'ACME', first_level: false, name_fixed: true };
  serve(enterpriseOf(paying));
  const { user } = renderScreen(<OrganisationPanel code="FLEET" />);
  expect(await screen.findByText('Sub-organisation · Settlement customer')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByLabelText('Organisation name')).toBeDisabled();
  expect(dialog.getByText('Invoices are issued to this name: it cannot be edited.')).toBeInTheDocument();
});

test('a sub-organisation gets a quota up to the parent’s, and a rejected name is reported at its field', async () => {
  serve(enterpriseOf());
  serve(
    enterpriseOf({
      code: 'FLEET',
      name: 'Acme Fleet',
      parent_code: 'ACME',
      parent_name: 'Acme Mobility',
      first_level: false,
      settlement: false,
      sms_quota: { kind: 'inherit' },
    }),
  );
  const { user } = renderScreen(<OrganisationPanel code="FLEET" />);
  expect(await screen.findByText(/You are viewing Acme Fleet/)).toBeInTheDocument();
  expect(screen.getByText('Inherited · effectively 50,000 SMS')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Delete' })).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  await user.click(await screen.findByRole('radio', { name: 'Custom' }));
  await user.type(await screen.findByLabelText('SMS per month'), '2000');
  gateway.respond(update, () =>
    errorResponse({ http: 409, code: 'CB-07-0135', resultCode: '0135', message: 'The name already exists.' }),
  );
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect((await screen.findByText('The name already exists.')).closest('.ant-form-item')).not.toBeNull();
  expect(sentBody()).toEqual({
    code: 'FLEET',
    sms_quota: { kind: 'custom', messages: 2000 },
  });
});

test('allowed networks are validated at the field, with a warning about locking oneself out', async () => {
  serve(enterpriseOf());
  const { user } = renderScreen(<SecurityPanel code={undefined} />);
  const networks = await screen.findByLabelText('Allowed networks');
  await user.type(networks, 'office,');
  await user.click(screen.getByRole('button', { name: 'Save rules' }));
  expect(await screen.findByText('office is not a network in CIDR notation')).toBeInTheDocument();
  // A select ignores Backspace on tags for a quarter of a second after typing, so that a held key stops at the text.
  await new Promise((resolve) => setTimeout(resolve, 300));
  await user.type(networks, '{Backspace}10.0.0.0/8,');
  expect(await screen.findByText(/you would lock yourself out/)).toBeInTheDocument();
  gateway.respond(update, () =>
    errorResponse({ http: 400, code: 'CB-07-0027', message: 'You would lock yourself out: really.' }),
  );
  await user.click(screen.getByRole('button', { name: 'Save rules' }));
  expect(await screen.findByText('You would lock yourself out: really.')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Allow 203.0.113.9/32' }));
  gateway.respond(update, () => success(enterpriseOf()));
  await user.click(screen.getByRole('button', { name: 'Save rules' }));
  await waitFor(() =>
    expect(sentBody()).toEqual({
      code: 'ACME',
      // Only what was edited here: another admin may have changed the other rules since the page was opened.
      security: { allowed_networks: ['10.0.0.0/8', '203.0.113.9/32'] },
    }),
  );
});

test('a reader sees the sign-in rules without a form', async () => {
  signedInAs('user', { permissionsInfo: { user: { account: ['read'] } } });
  serve(enterpriseOf());
  renderScreen(<SecurityPanel code={undefined} />);
  expect(await screen.findByText('From anywhere')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Save rules' })).not.toBeInTheDocument();
});

test('limits that can not be read are reported, and read again on demand', async () => {
  serve(enterpriseOf());
  const seats = 'GET /customer/org/user/config/user_surplus/ACME';
  gateway.respond(seats, () => errorResponse({ http: 404, code: 'CB-07-0029', message: 'No seats.' }));
  const { user } = renderScreen(<OrganisationPanel code={undefined} />);
  expect(await screen.findByText('No seats.')).toBeInTheDocument();
  expect(screen.getByText('98 left')).toBeInTheDocument();
  gateway.respond(seats, () => success({ limit: 50, used: 43, remaining: 7 }));
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('7 left')).toBeInTheDocument();
  expect(screen.queryByText('No seats.')).not.toBeInTheDocument();
});

test('a failure is shown in place', async () => {
  gateway.respond('GET /customer/enterprises/selectByOrgCode/ACME', () =>
    errorResponse({ http: 404, code: 'CB-07-0029', message: 'The organisation does not exist.' }),
  );
  renderScreen(<OrganisationPanel code={undefined} />);
  expect(await screen.findByText('The organisation does not exist.')).toBeInTheDocument();
});
