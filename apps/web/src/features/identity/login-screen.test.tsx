import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { activateLanguage } from '../../lib/language/index.ts';
import { session } from '../../lib/session/index.ts';
import { refusal, standInGateway, success } from '../../testing/gateway.ts';
import { signInAnswer } from '../../testing/people.ts';
import { LoginScreen } from './index.ts';

const gateway = standInGateway();
const call = 'POST /identity/sso/signin/direct/cube';

const show = async () => {
  const router = createRouter({
    routeTree: createRootRoute({ component: LoginScreen }),
    history: createMemoryHistory({ initialEntries: ['/en-US/login'] }),
  });
  // The console registers its own router's types; this one has the login page alone.
  render(<RouterProvider router={router as never} />);
  await screen.findByRole('heading', { name: 'Sign in' });
  return userEvent.setup();
};

const fill = async (user: Awaited<ReturnType<typeof show>>) => {
  await user.type(screen.getByLabelText('Email'), 'ana@acme.example');
  await user.type(screen.getByLabelText('Password'), 'Secret1!');
  await user.click(screen.getByRole('checkbox'));
};
const submit = () => screen.getByRole('button', { name: 'Sign in' });

describe('what is missing', () => {
  test('is said at each field, and the first one gets the focus', async () => {
    const user = await show();
    await user.click(submit());
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('Please enter your email.');
    expect(screen.getByLabelText('Password')).toHaveAccessibleDescription('Please enter your password.');
    expect(screen.getByRole('checkbox')).toHaveAccessibleDescription(
      'Please accept the terms of use and the privacy notice.',
    );
    expect(screen.getByLabelText('Email')).toHaveFocus();
    expect(gateway.sent).toEqual([]);
  });

  test('is said in the language of the page', async () => {
    const user = await show();
    await activateLanguage('zh-CN');
    await user.click(await screen.findByRole('button', { name: '登录' }));
    expect(screen.getByLabelText('邮箱')).toHaveAccessibleDescription('请输入邮箱。');
  });

  test('of the agreement alone is said alone', async () => {
    const user = await show();
    await fill(user);
    await user.click(screen.getByRole('checkbox'));
    await user.click(submit());
    expect(screen.getByLabelText('Email')).toBeValid();
    expect(screen.getByRole('checkbox')).toBeInvalid();
  });
});

describe('the answer of the server', () => {
  test('signs in', async () => {
    gateway.answer(call, () => success(signInAnswer('admin')));
    const user = await show();
    await fill(user);
    await user.click(submit());
    await waitFor(() => expect(session.tokenState()).toBe('present'));
    expect(gateway.sent[0]?.body).toEqual({
      email: 'ana@acme.example',
      password: 'Secret1!',
      agreement: true,
    });
    expect(session.currentMembership()?.code).toBe('ACME');
  });

  test('may want a code, which is then asked for and sent', async () => {
    const message = 'Please enter the six-digit verification code.';
    gateway.answer(call, ({ body }) =>
      (body as { code?: string }).code === '123456'
        ? success(signInAnswer('admin'))
        : refusal({ http: 400, code: 'CB-07-0004', message }),
    );
    const user = await show();
    expect(screen.queryByLabelText('Verification code')).not.toBeInTheDocument();
    await fill(user);
    await user.click(submit());
    const code = await screen.findByLabelText('Verification code');
    expect(code).toHaveAccessibleDescription(message);
    await waitFor(() => expect(code).toHaveFocus());
    await user.type(code, '123456');
    await user.click(submit());
    await waitFor(() => expect(session.tokenState()).toBe('present'));
  });

  test.each([
    ['CB-07-0001', 400],
    ['CB-07-0006', 429],
    ['CB-07-0007', 400],
  ])('%s is said above the button, once', async (code, http) => {
    gateway.answer(call, () => refusal({ http, code, message: 'what the server said' }));
    const user = await show();
    await fill(user);
    await user.click(submit());
    expect(await screen.findByRole('alert')).toHaveTextContent('what the server said');
    expect(session.tokenState()).toBe('none');
    expect(submit()).toBeEnabled();
  });

  test('that never came is a Network Error', async () => {
    const user = await show();
    await fill(user);
    await user.click(submit());
    expect(await screen.findByRole('alert')).toHaveTextContent('Network Error');
  });
});

test('the password can be shown', async () => {
  const user = await show();
  const password = screen.getByLabelText('Password');
  expect(password).toHaveAttribute('type', 'password');
  await user.click(screen.getByRole('button', { name: 'Show password' }));
  expect(password).toHaveAttribute('type', 'text');
});

test('terms and privacy are linked', async () => {
  await show();
  expect(screen.getByRole('link', { name: 'terms of use' })).toHaveAttribute('href', '/en-US/termsOfUse');
  expect(screen.getByRole('link', { name: 'privacy notice' })).toHaveAttribute('href', '/en-US/privacy');
});
