import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { LoginScreen } from '../index.ts';

const gateway = stubGateway();
const send = 'POST /identity/sso/signin/forget/cube/password/send';

const show = async (typed = '') => {
  const { user } = renderScreen(<LoginScreen />, '/en-US/login');
  if (typed) await user.type(await screen.findByLabelText('Email'), typed);
  await user.click(await screen.findByRole('button', { name: 'Forgot password?' }));
  expect(screen.getByRole('heading', { name: 'Forgot your password?' })).toHaveFocus();
  return user;
};
const submit = () => screen.getByRole('button', { name: 'Send link' });

test('a forgotten password requires the address, sends it in a header, and shows the same for known and unknown ones', async () => {
  gateway.respond(send, () => success(null));
  const user = await show(' Ana@Acme.example ');
  expect(screen.getByLabelText('Email')).toHaveValue('Ana@Acme.example');
  await user.click(submit());
  const heading = await screen.findByRole('heading', { name: 'Check your email' });
  await waitFor(() => expect(heading).toHaveFocus());
  expect(
    screen.getByText(/^If an account exists for ana@acme.example, an email with a link is on its way/),
  ).toBeVisible();
  expect(gateway.sent[0]?.headers.get('email')).toBe('ana@acme.example');
  expect(gateway.sent[0]?.query.size).toBe(0);
  await user.click(screen.getByRole('button', { name: 'Back to sign-in' }));
  expect(screen.getByRole('heading', { name: 'Sign in' })).toBeInTheDocument();
});

test.each([
  ['', 'Please enter your email.'],
  ['ana', 'This is not a valid email address'],
])('%j is rejected before anything is sent', async (typed, message) => {
  const user = await show(typed);
  await user.click(submit());
  expect(screen.getByLabelText('Email')).toHaveAccessibleDescription(message);
  expect(gateway.sent).toEqual([]);
});

test('too many requests are reported above the button', async () => {
  gateway.respond(send, () =>
    errorResponse({ http: 429, code: 'CB-00-0429', message: 'Too many requests.' }),
  );
  const user = await show('ana@acme.example');
  await user.click(submit());
  expect(await screen.findByRole('alert')).toHaveTextContent('Too many requests.');
});
