import type { Invitation } from '@simcube/contract/identity';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { setSessionNavigation } from '../../../lib/api-client/index.ts';
import { currentMailLink, discardMailLink, startMailLinks } from '../../../lib/mail-link/index.ts';
import { session } from '../../../lib/session/index.ts';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { membershipOf, signedInAs, signInResponse } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { LoginScreen } from '../index.ts';

const gateway = stubGateway();
const read = 'POST /identity/info/cube/invites/read';
const accept = 'POST /identity/accept/info/cube/invites';
const invited = 'POST /identity/sso/signin/direct/cube/invited';
const direct = 'POST /identity/sso/signin/direct/cube';
const token = 'invitation-token'.repeat(3);
const password = 'Fresh-26!';

const invitation = (changes: Partial<Invitation> = {}): Invitation => ({
  email: 'ana@acme.example',
  organisation: 'Nordwind Logistik',
  inviter: 'Li Wei',
  role: 'operator',
  language: 'en-US',
  expires_at: '2026-11-28T10:00:00.000Z',
  known: false,
  first_name: '',
  last_name: '',
  ...changes,
});

beforeEach(() => {
  window.history.replaceState(null, '', `/en-US/login#invitation=${token}`);
  startMailLinks();
});
afterEach(discardMailLink);

const show = async (changes: Partial<Invitation> = {}) => {
  gateway.respond(read, () => success(invitation(changes)));
  const { user } = renderScreen(<LoginScreen />, '/en-US/login');
  await screen.findByText('Nordwind Logistik');
  return user;
};
/** Notes where the console goes when a session is over. */
const followSession = (moves: string[]): void => {
  const note = (move: string) => () => {
    moves.push(move);
  };
  setSessionNavigation({
    confirmReturnToLogin: () => Promise.resolve(moves.push('confirm')).then(() => undefined),
    currentUrl: () => '/en-US/login',
    toLogin: note('login'),
    toUnauthorised: note('unauthorised'),
    toOrganisations: note('organisations'),
    reload: note('reload'),
  });
};
const button = (name: string) => screen.getByRole('button', { name });

test('an invitation shows organisation, inviter, role and expiry, and sends the token in the body only', async () => {
  await show();
  for (const fact of ['Li Wei', 'Operator', 'ana@acme.example', 'Nov 28, 2026']) {
    expect(screen.getByText(fact)).toBeVisible();
  }
  expect(gateway.sent[0]?.body).toEqual({ token });
  expect(gateway.sent[0]?.query.size).toBe(0);
  expect(window.location.hash).toBe('');
});

describe('a new person', () => {
  test('enters names and a password, agrees, and is signed in', async () => {
    gateway.respond(accept, () => success({ email: 'ana@acme.example', code: 'NORD', organisation: 'x' }));
    gateway.respond(direct, () => success(signInResponse('operator')));
    const user = await show();
    await user.type(screen.getByLabelText('First name'), 'Ana');
    await user.type(screen.getByLabelText('Last name'), 'Martín');
    await user.type(screen.getByLabelText('New password'), password);
    await user.type(screen.getByLabelText('Confirm password'), password);
    await user.click(screen.getByRole('checkbox'));
    await user.click(button('Accept and sign in'));
    await waitFor(() => expect(session.tokenState()).toBe('present'));
    const person = { first_name: 'Ana', last_name: 'Martín', password };
    expect(gateway.sent[1]?.body).toEqual({ token, person, agreement: true });
    expect(currentMailLink()).toBeNull();
  });

  test('sees missing and invalid input at each field', async () => {
    const user = await show();
    await user.type(screen.getByLabelText('New password'), password);
    await user.type(screen.getByLabelText('Confirm password'), 'Fresh-27!');
    await user.click(button('Accept and sign in'));
    expect(screen.getByLabelText('First name')).toHaveAccessibleDescription('This field is required');
    expect(screen.getByLabelText('Confirm password')).toHaveAccessibleDescription(
      "Two passwords don't match!",
    );
    expect(screen.getByRole('checkbox')).toHaveAccessibleDescription(
      'Please accept the terms of use and the privacy notice.',
    );
    expect(screen.getByLabelText('First name')).toHaveFocus();
    expect(gateway.sent).toHaveLength(1);
  });

  test("sees the server's issues at the fields", async () => {
    const issues = [{ path: 'person.password', key: 'passwordRule', message: 'said of the password' }];
    gateway.respond(accept, () => errorResponse({ http: 400, code: 'CB-00-0400', issues }));
    const user = await show({ first_name: 'Ana', last_name: 'Li' });
    await user.click(button('Generate password'));
    await user.click(screen.getByRole('checkbox'));
    await user.click(button('Accept and sign in'));
    await waitFor(() =>
      expect(screen.getByLabelText('New password')).toHaveAccessibleDescription('said of the password'),
    );
  });

  test('is redirected to sign-in when signing in failed', async () => {
    gateway.respond(accept, () => success({ email: 'ana@acme.example', code: 'NORD', organisation: 'x' }));
    gateway.respond(direct, () => errorResponse({ http: 400, code: 'CB-07-0004' }));
    const user = await show({ first_name: 'Ana', last_name: 'Li' });
    await user.click(button('Generate password'));
    await user.click(screen.getByRole('checkbox'));
    await user.click(button('Accept and sign in'));
    expect(await screen.findByRole('status')).toHaveTextContent('Invitation accepted.');
    expect(screen.getByLabelText('Email')).toHaveValue('ana@acme.example');
  });
});

test('a known person signs in with the password and the requested code', async () => {
  gateway.respond(invited, ({ body }) =>
    (body as { code?: string }).code === '123456'
      ? success(signInResponse('operator'))
      : errorResponse({ http: 400, code: 'CB-07-0004' }),
  );
  const user = await show({ known: true });
  expect(screen.queryByLabelText('Email')).not.toBeInTheDocument();
  await user.type(screen.getByLabelText('Password'), password);
  await user.click(screen.getByRole('checkbox'));
  await user.click(button('Accept and sign in'));
  await user.type(await screen.findByLabelText('Verification code'), '123456');
  await user.click(button('Verify'));
  await waitFor(() => expect(session.tokenState()).toBe('present'));
  expect(gateway.sent.at(-1)?.body).toEqual({ token, password, agreement: true, code: '123456' });
});

describe('a person who is signed in', () => {
  test('as the invited person accepts with one button, and the organisations are refetched', async () => {
    signedInAs('user');
    const joined = { ...membershipOf('operator', 'NORD2'), id: '9', country: 'DE', parent_code: null };
    gateway.respond(accept, () => success({ email: 'ana@acme.example', code: 'NORD2', organisation: 'x' }));
    gateway.respond('GET /customer/orgs', () => success([membershipOf('user'), joined]));
    const user = await show({ known: true, email: 'Ana@acme.example' });
    await user.click(button('Accept'));
    const heading = await screen.findByRole('heading', { name: 'Welcome to Nordwind Logistik' });
    await waitFor(() => expect(heading).toHaveFocus());
    expect(session.memberships().map(({ code }) => code)).toEqual(['ACME', 'NORD2']);
    await user.click(button('Open Nordwind Logistik'));
    expect(session.currentMembership()?.code).toBe('NORD2');
    expect(session.can('sim', 'operate')).toBe(true);
    expect(currentMailLink()).toBeNull();
  });

  test('opens the organisation that was joined even if the list could not be read before', async () => {
    signedInAs('user');
    const joined = { ...membershipOf('operator', 'NORD2'), id: '9', country: 'DE', parent_code: null };
    gateway.respond(accept, () => success({ email: 'ana@acme.example', code: 'NORD2', organisation: 'x' }));
    const user = await show({ known: true });
    await user.click(button('Accept'));
    await user.click(await screen.findByRole('button', { name: 'Open Nordwind Logistik' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Network Error');
    expect(session.currentMembership()?.code).toBe('ACME');
    gateway.respond('GET /customer/orgs', ({ query }) =>
      success(query.get('search') === 'NORD2' ? [{ ...joined, code: 'NORD22' }, joined] : []),
    );
    await user.click(button('Open Nordwind Logistik'));
    await waitFor(() => expect(session.currentMembership()?.code).toBe('NORD2'));
    expect(currentMailLink()).toBeNull();
  });

  test.each([
    [401, 'CB-00-0401', '0000'],
    [400, 'CB-99-9401', '0000'],
    [200, 'CB-00-0502', '0502'],
  ])(
    'but whose session is over (HTTP %i, %s) signs in after the acceptance',
    async (http, code, resultCode) => {
      const moves: string[] = [];
      followSession(moves);
      signedInAs('user');
      gateway.respond(accept, () => success({ email: 'ana@acme.example', code: 'NORD2', organisation: 'x' }));
      gateway.respond('GET /customer/orgs', () => errorResponse({ http, code, resultCode }));
      const user = await show({ known: true });
      await user.click(button('Accept'));
      expect(await screen.findByRole('status')).toHaveTextContent('Invitation accepted. Please sign in.');
      expect(screen.getByLabelText('Email')).toHaveValue('ana@acme.example');
      expect(session.tokenState()).toBe('none');
      expect(currentMailLink()).toBeNull();
      expect(moves).toEqual([]);
    },
  );

  test('as another person, in a session that is over, continues with the invitation', async () => {
    const moves: string[] = [];
    followSession(moves);
    signedInAs('user', { userEmail: 'bob@acme.example' });
    gateway.respond('POST /identity/sso/signin/signout/cube', () =>
      errorResponse({ http: 401, code: 'CB-00-0401' }),
    );
    const user = await show({ known: true });
    await user.click(button('Sign out and continue'));
    expect(await screen.findByLabelText('Password')).toBeVisible();
    expect(currentMailLink()).not.toBeNull();
    expect(moves).toEqual([]);
  });

  test('as another person is informed, and nothing is accepted', async () => {
    signedInAs('user', { userEmail: 'bob@acme.example' });
    gateway.respond('POST /identity/sso/signin/signout/cube', () => success(null));
    const user = await show({ known: true });
    expect(
      screen.getByText('You are signed in as bob@acme.example, but the invitation is for ana@acme.example.'),
    ).toBeVisible();
    expect(button('Continue as bob@acme.example')).toBeVisible();
    await user.click(button('Sign out and continue'));
    expect(await screen.findByLabelText('Password')).toBeVisible();
    expect(session.tokenState()).toBe('none');
    expect(currentMailLink()).not.toBeNull();
  });
});

test.each(['CB-07-0011', 'CB-00-0400'])('%s: the invitation is no longer valid', async (code) => {
  gateway.respond(read, () => errorResponse({ http: 400, code }));
  const { user } = renderScreen(<LoginScreen />, '/en-US/login');
  const heading = await screen.findByRole('heading', { name: 'This invitation is no longer valid' });
  await waitFor(() => expect(heading).toHaveFocus());
  await user.click(button('Back to sign-in'));
  expect(screen.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  expect(currentMailLink()).toBeNull();
});

test('an invitation that failed to load can be retried', async () => {
  const { user } = renderScreen(<LoginScreen />, '/en-US/login');
  expect(await screen.findByRole('alert')).toHaveTextContent('Network Error');
  gateway.respond(read, () => success(invitation()));
  await user.click(button('Try again'));
  expect(await screen.findByText('Nordwind Logistik')).toBeVisible();
});
