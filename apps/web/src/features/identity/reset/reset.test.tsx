import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { discardMailLink, startMailLinks } from '../../../lib/mail-link/index.ts';
import { session } from '../../../lib/session/index.ts';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { LoginScreen } from '../index.ts';

const gateway = stubGateway();
const call = 'POST /identity/sso/signin/forget/cube/password/reset';
const token = 'reset-token_'.repeat(4);

beforeEach(() => {
  window.history.replaceState(null, '', `/en-US/login#reset=${token}&email=ana%40acme.example`);
  startMailLinks();
});
afterEach(discardMailLink);

const show = async () => {
  const { user } = renderScreen(<LoginScreen />, '/en-US/login');
  await screen.findByRole('heading', { name: 'Set a new password' });
  return user;
};
const submit = () => screen.getByRole('button', { name: 'Set password' });

test('a reset sets the password, discards the token and returns to sign-in with the address', async () => {
  signedInAs('user');
  gateway.respond(call, () => success(null));
  const user = await show();
  await user.type(screen.getByLabelText('New password'), 'Fresh-26!');
  await user.type(screen.getByLabelText('Confirm password'), 'Fresh-26!');
  await user.click(submit());
  expect(await screen.findByRole('status')).toHaveTextContent('Your password was changed.');
  expect(screen.getByLabelText('Email')).toHaveValue('ana@acme.example');
  expect(gateway.sent[0]?.body).toEqual({ token, password: 'Fresh-26!' });
  expect(gateway.sent[0]?.headers.get('email')).toBe('ana@acme.example');
  expect(session.tokenState()).toBe('none');
  expect(document.body.innerHTML).not.toContain(token);
});

test('a reset does not sign out another person', async () => {
  signedInAs('user', { userEmail: 'bob@acme.example' });
  gateway.respond(call, () => success(null));
  const user = await show();
  await user.click(screen.getByRole('button', { name: 'Generate password' }));
  await user.click(submit());
  expect(await screen.findByRole('status')).toHaveTextContent('Your password was changed.');
  expect(session.tokenState()).toBe('present');
});

test('the messages of the specification are shown at the fields', async () => {
  const user = await show();
  await user.type(screen.getByLabelText('New password'), 'letters');
  await user.type(screen.getByLabelText('Confirm password'), 'others');
  await user.click(submit());
  expect(screen.getByLabelText('New password')).toBeInvalid();
  expect(screen.getByLabelText('New password')).toHaveAccessibleDescription(
    'Password must be 6-12 characters and contain letters, numbers and symbols',
  );
  expect(screen.getByLabelText('Confirm password')).toHaveAccessibleDescription('Passwords are different');
  expect(gateway.sent).toEqual([]);
});

test('a generated password fills both fields, is shown and can be copied', async () => {
  const user = await show();
  await user.click(screen.getByRole('button', { name: 'Generate password' }));
  const made = (screen.getByLabelText('New password') as HTMLInputElement).value;
  expect(made).toMatch(/^[A-Za-z0-9]{11}[^A-Za-z0-9]$/);
  expect(screen.getByLabelText('Confirm password')).toHaveValue(made);
  expect(screen.getByLabelText('New password')).toHaveAttribute('type', 'text');
  expect(screen.getByText(made)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Copy password' }));
  expect(await navigator.clipboard.readText()).toBe(made);
  await user.type(screen.getByLabelText('New password'), '{Backspace}');
  expect(screen.queryByText(made)).not.toBeInTheDocument();
});

test('a used or expired link is reported, and a new one can be requested', async () => {
  gateway.respond(call, () => errorResponse({ http: 400, code: 'CB-07-0013' }));
  const user = await show();
  await user.click(screen.getByRole('button', { name: 'Generate password' }));
  await user.click(submit());
  const heading = await screen.findByRole('heading', { name: 'This link is no longer valid' });
  await waitFor(() => expect(heading).toHaveFocus());
  await user.click(screen.getByRole('button', { name: 'Request a new link' }));
  await waitFor(() => expect(screen.getByLabelText('Email')).toHaveValue('ana@acme.example'));
});
