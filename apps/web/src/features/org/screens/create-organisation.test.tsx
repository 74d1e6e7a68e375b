import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { CreateOrganisationScreen } from '../screens.ts';

const gateway = stubGateway();
const verify = 'GET /customer/sub_org_qty_setting/verify/ACME';
const create = 'POST /customer/orgs';

const allowance = (changes: object = {}) =>
  success({
    limit: 100,
    used: 97,
    remaining: 3,
    allowed: true,
    limited_by: null,
    sms_quota_messages: 5000,
    ...changes,
  });

const created = {
  id: '7',
  code: 'ACME-FLEET',
  name: 'Acme Fleet GmbH',
  country: 'ES',
  tenantId: 'tenant-7',
  default: false,
  role: 'admin',
  logo: null,
  parent_code: 'ACME',
  created_at: '2026-11-21T00:00:00.000Z',
};

const chooseCountry = async (user: ReturnType<typeof renderScreen>['user'], typed: string, name: string) => {
  await user.type(screen.getByLabelText('Country'), typed);
  await user.click(await screen.findByText(name, { selector: '.ant-select-item-option-content *' }));
};

test('validates the fields as the server does, and creates the organisation', async () => {
  signedInAs('admin');
  gateway.respond(verify, () => allowance());
  gateway.respond('GET /customer/orgs', () => success([], { total_count: 0 }));
  const { user } = renderScreen(<CreateOrganisationScreen />);
  expect(await screen.findByText('3 of 100 sub-organisations left')).toBeInTheDocument();
  const name = await screen.findByLabelText('Organisation name');
  const submit = screen.getByRole('button', { name: 'Create organisation' });
  await user.type(name, 'Acme');
  await user.click(submit);
  expect(await screen.findByText('At least 5 characters')).toBeInTheDocument();
  expect(await screen.findByText('This field is required')).toBeInTheDocument();
  await user.type(name, ' Fleet GmbH');
  await chooseCountry(user, 'espana', 'Spain');
  expect(screen.getByRole('radio', { name: 'Unlimited' })).toBeDisabled();
  await user.click(screen.getByRole('radio', { name: 'Custom' }));
  const messages = await screen.findByLabelText('SMS per month');
  await user.type(messages, '5001');
  await user.click(submit);
  expect(
    await screen.findByText('The SMS quota must not exceed the quota of the parent organisation (5,000).'),
  ).toBeInTheDocument();
  await user.clear(messages);
  await user.type(messages, '1000');
  gateway.respond(create, () =>
    errorResponse({ http: 409, code: 'CB-07-0135', resultCode: '0135', message: 'The name already exists.' }),
  );
  await user.click(submit);
  expect(await screen.findByText('The name already exists.')).toBeInTheDocument();
  gateway.respond(create, () => success(created));
  await user.click(submit);
  expect(await screen.findByText('Acme Fleet GmbH was created')).toBeInTheDocument();
  expect(gateway.sent.filter(({ method }) => method === 'POST').at(-1)?.body).toEqual({
    name: 'Acme Fleet GmbH',
    country: 'ES',
    sms_quota: { kind: 'custom', messages: 1000 },
  });
});

test.each([
  ['sub_organisations', 'The maximum number of sub-organisations has been reached'],
  ['levels', 'No organisation can be created below ACME Mobility'],
  ['memberships', 'You belong to the maximum number of organisations'],
])('shows which limit is reached: %s', async (limitedBy, title) => {
  signedInAs('admin');
  gateway.respond(verify, () => allowance({ allowed: false, limited_by: limitedBy }));
  renderScreen(<CreateOrganisationScreen />);
  expect(await screen.findByText(title)).toBeInTheDocument();
  expect(screen.queryByLabelText('Organisation name')).not.toBeInTheDocument();
});

test('a form that is open stays when another person reaches the limit', async () => {
  signedInAs('admin');
  gateway.respond(verify, () => allowance());
  const { user } = renderScreen(<CreateOrganisationScreen />);
  await user.type(await screen.findByLabelText('Organisation name'), 'Acme Fleet');
  gateway.respond(verify, () => allowance({ allowed: false, limited_by: 'sub_organisations' }));
  window.dispatchEvent(new Event('visibilitychange'));
  expect(await screen.findByText(/All 100 sub-organisations of ACME Mobility exist already/)).toBeVisible();
  expect(screen.getByLabelText('Organisation name')).toHaveValue('Acme Fleet');
});

test('only admins create organisations', async () => {
  signedInAs('operator');
  gateway.respond(verify, () => allowance());
  renderScreen(<CreateOrganisationScreen />);
  expect(await screen.findByText('Only admins can create organisations.')).toBeInTheDocument();
  expect(screen.queryByLabelText('Organisation name')).not.toBeInTheDocument();
});

test('a failure is shown in place', async () => {
  signedInAs('admin');
  gateway.respond(verify, () => errorResponse({ http: 500, code: 'CB-99-0500', message: 'It broke.' }));
  const { user } = renderScreen(<CreateOrganisationScreen />);
  expect(await screen.findByText('It broke.')).toBeInTheDocument();
  gateway.respond(verify, () => allowance());
  await user.click(screen.getByRole('button', { name: /try again/i }));
  await waitFor(() => expect(screen.getByLabelText('Organisation name')).toBeInTheDocument());
});
