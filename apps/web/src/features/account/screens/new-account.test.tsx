import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { NewAccountScreen } from '../index.ts';

const gateway = stubGateway();
const seats = 'GET /customer/org/user/config/user_surplus/ACME';
const create = 'POST /customer/accounts';

const show = (remaining = 7, { firstLevel = true } = {}) => {
  gateway.respond('GET /customer/enterprises/selectByOrgCode/ACME', () =>
    success({ code: 'ACME', parent_code: 'ABOVE', first_level: firstLevel }),
  );
  gateway.respond(seats, () => success({ limit: 50, used: 50 - remaining, remaining }));
  return renderScreen(<NewAccountScreen />);
};

const fill = async (user: ReturnType<typeof renderScreen>['user']) => {
  await user.type(await screen.findByLabelText('First name'), 'Bea');
  await user.type(screen.getByLabelText('Last name'), 'Ortiz');
  await user.type(screen.getByLabelText('Email'), 'Bea@Acme.example');
};

const submit = (name = 'Create and invite') => screen.getByRole('button', { name });

test('an account is created with a name, without a password, and its address is confirmed', async () => {
  signedInAs('admin');
  gateway.respond(create, () => success({ id: '1', invitation_id: '1' }));
  const { user } = show();
  await fill(user);
  await user.click(submit());
  expect(await screen.findByText('Invitation sent')).toBeInTheDocument();
  expect(screen.getByText(/bea@acme.example/)).toBeInTheDocument();
  expect(gateway.sent.find(({ method }) => method === 'POST')?.body).toEqual({
    first_name: 'Bea',
    last_name: 'Ortiz',
    email: 'bea@acme.example',
    role: 'user',
    locale: 'en-US',
    oversight: false,
  });
});

test('a first password must satisfy the rule, and can be generated', async () => {
  signedInAs('admin');
  gateway.respond(create, () => success({ id: '1', invitation_id: '1' }));
  const { user } = show();
  await fill(user);
  const password = screen.getByLabelText('First password (optional)');
  await user.type(password, 'short');
  await user.click(submit());
  await waitFor(() => expect(password).toBeInvalid());
  expect(gateway.sent.some(({ method }) => method === 'POST')).toBe(false);
  await user.click(screen.getByRole('button', { name: 'Generate password' }));
  await user.click(submit());
  expect(await screen.findByText(/You set a first password/)).toBeInTheDocument();
  expect(gateway.sent.find(({ method }) => method === 'POST')?.body).toMatchObject({
    password: expect.stringMatching(/^.{12}$/) as string,
  });
});

test('an account is invited by email address only', async () => {
  signedInAs('admin');
  gateway.respond('POST /identity/info/cube/invites', () => success({ id: '1' }));
  const { user } = show();
  await user.click(await screen.findByText('Invite by email'));
  await user.click(submit('Send invitation'));
  expect(await screen.findByText(/not a valid email|required/)).toBeInTheDocument();
  await user.type(screen.getByLabelText('Email'), 'bea@acme.example');
  await user.click(submit('Send invitation'));
  expect(await screen.findByText('Invitation sent')).toBeInTheDocument();
  expect(gateway.sent.find(({ method }) => method === 'POST')?.body).toEqual({
    email: 'bea@acme.example',
    role: 'user',
    language: 'en-US',
    oversight: false,
  });
});

test.each([
  ['CB-07-0015', 409, 'The maximum number of accounts has been reached.', false],
  ['CB-07-0017', 409, 'This account is already a member of the organisation.', true],
  ['CB-07-0019', 403, 'You cannot grant more permissions than you have.', true],
] as const)('%s is shown, at its field if it has one', async (code, http, message, atField) => {
  signedInAs('admin');
  gateway.respond(create, () => errorResponse({ http, code, message }));
  const { user } = show();
  await fill(user);
  await user.click(submit());
  const words = await screen.findByText(message);
  expect(words.closest('.ant-form-item') !== null).toBe(atField);
});

test.each([true, false])('oversight is offered on the first level only: %s', async (firstLevel) => {
  signedInAs('admin');
  show(7, { firstLevel });
  await screen.findByLabelText('First name');
  await expect.poll(() => gateway.sent.some(({ path }) => path.includes('selectByOrgCode'))).toBe(true);
  await new Promise((resolve) => setTimeout(resolve));
  await waitFor(() => expect(screen.queryByRole('switch', { name: 'Oversight' }) !== null).toBe(firstLevel));
});

test('only roles that can be granted are offered', async () => {
  signedInAs('admin');
  const { user } = show();
  await user.click(await screen.findByLabelText('Role'));
  expect(
    await screen.findByText('Can do everything, including managing accounts, except managing a superadmin.'),
  ).toBeInTheDocument();
  expect(screen.queryByText('Superadmin')).not.toBeInTheDocument();
});

test('the form is hidden when all seats are taken', async () => {
  signedInAs('admin');
  show(0);
  expect(await screen.findByText(/All 50 seats are taken/)).toBeInTheDocument();
  expect(screen.queryByLabelText('Email')).not.toBeInTheDocument();
});

test('a form that is open stays when another person takes the last seat', async () => {
  signedInAs('admin');
  const { user } = show(1);
  await fill(user);
  gateway.respond(seats, () => success({ limit: 50, used: 50, remaining: 0 }));
  window.dispatchEvent(new Event('visibilitychange'));
  expect(await screen.findByText(/All 50 seats are taken/)).toBeInTheDocument();
  expect(screen.getByLabelText('Email')).toHaveValue('Bea@Acme.example');
});

test('after the last seat was taken here, no further form is shown', async () => {
  signedInAs('admin');
  const { user } = show(1);
  gateway.respond(create, () => success({ id: '1', invitation_id: '1' }));
  await fill(user);
  gateway.respond(seats, () => success({ limit: 50, used: 50, remaining: 0 }));
  await user.click(submit());
  await user.click(await screen.findByRole('button', { name: 'Add another account' }));
  expect(await screen.findByText(/All 50 seats are taken/)).toBeInTheDocument();
  expect(screen.queryByLabelText('Email')).not.toBeInTheDocument();
});
