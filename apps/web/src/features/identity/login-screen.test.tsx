import type { Language } from '@simcube/contract';
import { screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { activateLanguage } from '../../lib/language/index.ts';
import { session } from '../../lib/session/index.ts';
import { errorResponse, stubGateway, success } from '../../testing/gateway.ts';
import { signInResponse } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { LoginScreen } from './index.ts';

const gateway = stubGateway();
const call = 'POST /identity/sso/signin/direct/cube';

const show = async (heading = 'Sign in') => {
  const { user } = renderScreen(<LoginScreen />, '/en-US/login');
  await screen.findByRole('heading', { name: heading });
  return user;
};

const fill = async (user: UserEvent) => {
  await user.type(screen.getByLabelText('Email'), 'ana@acme.example');
  await user.type(screen.getByLabelText('Password'), 'Secret1!');
  await user.click(screen.getByRole('checkbox'));
};
const submit = () => screen.getByRole('button', { name: 'Sign in' });

describe('missing input', () => {
  test('is reported at each field, and the first one gets focus', async () => {
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

  test('is reported in the language of the page', async () => {
    const user = await show();
    await activateLanguage('zh-CN');
    await user.click(await screen.findByRole('button', { name: '登录' }));
    expect(screen.getByLabelText('邮箱')).toHaveAccessibleDescription('请输入邮箱。');
  });

  test('is reported for the agreement alone', async () => {
    const user = await show();
    await fill(user);
    await user.click(screen.getByRole('checkbox'));
    await user.click(submit());
    expect(screen.getByLabelText('Email')).toBeValid();
    expect(screen.getByRole('checkbox')).toBeInvalid();
  });
});

describe('a sign-in', () => {
  test('stores the session', async () => {
    gateway.respond(call, () => success(signInResponse('admin')));
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

  test.each<[string, Language | null, string]>([
    ['the account’s language', null, '/es-ES/login'],
    ['the language that was chosen in this browser', 'en-US', '/en-US/login'],
  ])('opens the console in %s', async (_, chosen, wanted) => {
    if (chosen !== null) session.set('chosenLang', chosen);
    gateway.respond(call, () => success(signInResponse('admin', { lang: 'es-ES' })));
    const { user, history } = renderScreen(<LoginScreen />, '/en-US/login');
    await screen.findByRole('heading', { name: 'Sign in' });
    await fill(user);
    await user.click(submit());
    await waitFor(() => expect(session.tokenState()).toBe('present'));
    await waitFor(() => expect(history.location.pathname).toBe(wanted));
  });

  test('asks for a code in a separate step if the server requires one', async () => {
    gateway.respond(call, ({ body }) =>
      (body as { code?: string }).code === '123456'
        ? success(signInResponse('admin'))
        : errorResponse({
            http: 400,
            code: (body as { code?: string }).code === undefined ? 'CB-07-0004' : 'CB-07-0010',
            message: 'what the server said',
          }),
    );
    const user = await show();
    await fill(user);
    await user.click(submit());
    const code = await screen.findByLabelText('Verification code');
    expect(screen.getByRole('heading', { name: 'One more step' })).toBeInTheDocument();
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Six digits from your authenticator app,',
      'or the six digits from our email,',
      'or one of your recovery codes.',
    ]);
    expect(code).toHaveFocus();
    const verify = screen.getByRole('button', { name: 'Verify' });
    await user.click(verify);
    expect(code).toHaveAccessibleDescription('Please enter the six-digit verification code.');
    await user.type(code, '654321');
    await user.click(verify);
    await waitFor(() => expect(code).toHaveAccessibleDescription('what the server said'));
    await user.clear(code);
    await user.type(code, ' 123456 ');
    await user.click(verify);
    await waitFor(() => expect(session.tokenState()).toBe('present'));
    expect(gateway.sent.map(({ body }) => (body as { code?: string }).code)).toEqual([
      undefined,
      '654321',
      '123456',
    ]);
  });

  test('keeps the input when going back from the code', async () => {
    gateway.respond(call, () => errorResponse({ http: 400, code: 'CB-07-0004' }));
    const user = await show();
    await fill(user);
    await user.click(submit());
    await user.click(await screen.findByRole('button', { name: 'Back' }));
    expect(screen.getByLabelText('Email')).toHaveValue('ana@acme.example');
    expect(screen.getByLabelText('Password')).toHaveValue('Secret1!');
    expect(screen.getByRole('checkbox')).toBeChecked();
  });

  test.each([
    ['CB-07-0001', 400],
    ['CB-07-0006', 429],
    ['CB-07-0007', 400],
    ['CB-07-0009', 400],
  ])('shows %s once, as an alert', async (code, http) => {
    gateway.respond(call, () => errorResponse({ http, code, message: 'what the server said' }));
    const user = await show();
    await fill(user);
    await user.click(submit());
    expect(await screen.findByRole('alert')).toHaveTextContent('what the server said');
    expect(session.tokenState()).toBe('none');
    expect(submit()).toHaveAttribute('aria-disabled', 'false');
  });

  test('selects a wrong password for retyping; the button keeps focus while sending', async () => {
    let answer = (_: Response): void => undefined;
    gateway.respond(call, () => new Promise((resolve) => (answer = resolve)));
    const user = await show();
    await fill(user);
    await user.tab();
    submit().focus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(gateway.sent).toHaveLength(1));
    expect(document.activeElement).toHaveAttribute('aria-disabled', 'true');
    expect(document.activeElement).toBeEnabled();
    answer(errorResponse({ http: 400, code: 'CB-07-0001' }));
    await screen.findByRole('alert');
    const password = screen.getByLabelText<HTMLInputElement>('Password');
    expect(password).toHaveFocus();
    expect([password.selectionStart, password.selectionEnd]).toEqual([0, 'Secret1!'.length]);
  });

  test('without a response shows “Network Error”', async () => {
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

test('the password accepts at most 12 characters', async () => {
  const user = await show();
  await user.type(screen.getByLabelText('Password'), 'Secret-2026!!!');
  expect(screen.getByLabelText('Password')).toHaveValue('Secret-2026!');
});
