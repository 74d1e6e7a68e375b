import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { session } from '../../lib/session/index.ts';
import { refusal, standInGateway, success } from '../../testing/gateway.ts';
import { profileAnswer, signedInAs } from '../../testing/people.ts';
import { showScreen } from '../../testing/show-screen.tsx';
import { PreferencesPanel, ProfilePanel, ProfileScreen } from './index.ts';

const gateway = standInGateway();
const read = 'GET /identity/info/cube/profile';
const write = 'PUT /identity/info/cube/profile';

beforeEach(() => {
  signedInAs('user');
  gateway.answer(read, () => success(profileAnswer()));
});

test('the profile shows sign-in details, and a changed name is saved and shown everywhere', async () => {
  gateway.answer(write, ({ body }) => success(profileAnswer(body as object)));
  const { user, history } = showScreen(<ProfilePanel />, '/en-US/userDetail');
  expect(await screen.findByLabelText('First name')).toHaveValue('Ana');
  expect(screen.getByText('ana@acme.example')).toBeVisible();
  expect(screen.getByText('Nov 21, 2026, 08:00')).toBeVisible();
  await user.clear(screen.getByLabelText('Last name'));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('This field is required')).toBeVisible();
  expect(gateway.sent.some(({ method }) => method === 'PUT')).toBe(false);
  await user.type(screen.getByLabelText('Last name'), 'Li');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(session.get('username')).toBe('Ana Li'));
  expect(gateway.sent.find(({ method }) => method === 'PUT')?.body).toEqual({
    first_name: 'Ana',
    last_name: 'Li',
    language: 'en-US',
  });
  expect(history.location.pathname).toBe('/en-US/userDetail');
});

test('a new language changes the console', async () => {
  gateway.answer(write, ({ body }) => success(profileAnswer(body as object)));
  const { user, history } = showScreen(<ProfilePanel />, '/en-US/userDetail?id=user-1');
  await user.click(await screen.findByRole('combobox', { name: 'Language' }));
  await user.click(await screen.findByText('Español'));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(history.location.href).toBe('/es-ES/userDetail?id=user-1'));
});

test('a failure is shown in place', async () => {
  gateway.answer(read, () => refusal({ http: 404, code: 'CB-00-0404', message: 'Not here.' }));
  showScreen(<ProfilePanel />);
  expect(await screen.findByText('Not here.')).toBeVisible();
});

test('an unknown tab opens the first one', async () => {
  showScreen(<ProfileScreen tab="nonsense" onTab={() => undefined} />);
  expect(await screen.findByRole('tab', { name: 'Profile' })).toHaveAttribute('aria-selected', 'true');
});

test('preferences are stored in this browser and apply immediately', async () => {
  const { user, history } = showScreen(<PreferencesPanel />, '/en-US/setCard');
  const choose = async (group: string, choice: string) =>
    user.click(within(await screen.findByRole('radiogroup', { name: group })).getByText(choice));
  await choose('Time', 'Local');
  await choose('Row height', 'Compact');
  await choose('Theme', 'Dark');
  expect(session.get('TimeZone')).toBe('LOCAL');
  expect(session.get('density')).toBe('compact');
  expect(session.get('theme')).toBe('dark');
  expect(document.documentElement.dataset['theme']).toBe('dark');
  await user.click(screen.getByRole('combobox', { name: 'Language' }));
  await user.click(await screen.findByText('繁體中文'));
  await waitFor(() => expect(history.location.pathname).toBe('/zh-TW/setCard'));
});
