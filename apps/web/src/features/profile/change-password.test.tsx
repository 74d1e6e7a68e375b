import { renderHook, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { session } from '../../lib/session/index.ts';
import { useToasts } from '../../lib/toast/index.ts';
import { errorResponse, stubGateway, success } from '../../testing/gateway.ts';
import { signedInAs } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { ChangePasswordDialog } from './index.ts';

const gateway = stubGateway();
const change = 'POST /identity/crud/admin/cube/users/user/cube/password/reset';

beforeEach(() => signedInAs('user'));

const show = async () => {
  const shown = renderScreen(<ChangePasswordDialog open onClose={() => undefined} />, '/en-US/analysis');
  await screen.findByLabelText('Old password');
  const fill = async (old: string, next: string, confirm = next): Promise<void> => {
    if (old) await shown.user.type(screen.getByLabelText('Old password'), old);
    await shown.user.type(screen.getByLabelText('New password'), next);
    await shown.user.type(screen.getByLabelText('Confirm password'), confirm);
  };
  const submit = () => shown.user.click(screen.getByRole('button', { name: 'Change password' }));
  return { ...shown, fill, submit };
};
const toasts = () => renderHook(() => useToasts()).result.current.map(({ text }) => text);

test('missing or invalid passwords show the messages of the specification, and nothing is sent', async () => {
  const { fill, submit } = await show();
  await fill('', 'letters', 'others');
  await submit();
  expect(await screen.findByText('Old password must not be empty')).toBeVisible();
  // Once as the rule below the field, once as the field's error.
  expect(
    screen.getAllByText('Password must be 6-12 characters and contain letters, numbers and symbols'),
  ).toHaveLength(2);
  expect(screen.getByText('Passwords are different')).toBeVisible();
  expect(gateway.sent).toEqual([]);
});

test('password fields accept at most 12 characters', async () => {
  const { fill } = await show();
  await fill('Secret-2026!!!', 'Fresh-2026!!!!');
  expect(screen.getByLabelText('Old password')).toHaveValue('Secret-2026!');
  expect(screen.getByLabelText('New password')).toHaveValue('Fresh-2026!!');
});

test('a changed password signs out to login', async () => {
  gateway.respond(change, () => success(null));
  const { fill, submit, history } = await show();
  await fill('Secret1!', 'Fresh-26!');
  await submit();
  await waitFor(() => expect(history.location.pathname).toBe('/en-US/login'));
  expect(gateway.sent[0]?.body).toEqual({ oldPassword: 'Secret1!', password: 'Fresh-26!' });
  expect(session.tokenState()).toBe('none');
  expect(toasts()).toEqual(['Your password was changed. Please sign in with the new one.']);
});

test('a rejection is shown as “passwordChange:” with the message, at its field', async () => {
  gateway.respond(change, () =>
    errorResponse({ http: 400, code: 'CB-07-0014', message: 'Not the right one.' }),
  );
  const { fill, submit } = await show();
  await fill('Secret1!', 'Fresh-26!');
  await submit();
  expect(await screen.findByText('Not the right one.')).toBeVisible();
  expect(toasts()).toEqual(['passwordChange: Not the right one.']);
  expect(session.tokenState()).toBe('present');
});

test('an unexpected response is an “Interface exception”', async () => {
  const { fill, submit } = await show();
  await fill('Secret1!', 'Fresh-26!');
  await submit();
  await waitFor(() => expect(toasts()).toEqual(['Interface exception']));
});

test('a generated password fills both fields', async () => {
  const { user } = await show();
  await user.click(screen.getByRole('button', { name: 'Generate password' }));
  const generated = (screen.getByLabelText('New password') as HTMLInputElement).value;
  expect(generated).toMatch(/^[A-Za-z0-9]{11}[^A-Za-z0-9]$/);
  expect(screen.getByLabelText('Confirm password')).toHaveValue(generated);
  await waitFor(() => expect(screen.getByText(generated)).toBeVisible());
});
