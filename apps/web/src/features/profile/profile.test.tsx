import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { session } from '../../lib/session/index.ts';
import { errorResponse, stubGateway, success } from '../../testing/gateway.ts';
import { profileResponse, signedInAs } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { PreferencesPanel, ProfilePanel, ProfileScreen } from './index.ts';

const gateway = stubGateway();
const read = 'GET /identity/info/cube/profile';
const write = 'PUT /identity/info/cube/profile';

beforeEach(() => {
  signedInAs('user');
  gateway.respond(read, () => success(profileResponse()));
});

test('the profile shows sign-in details, and a changed name is saved and shown everywhere', async () => {
  gateway.respond(write, ({ body }) => success(profileResponse(body as object)));
  const { user, history } = renderScreen(<ProfilePanel />, '/en-US/userDetail');
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
  gateway.respond(write, ({ body }) => success(profileResponse(body as object)));
  session.set('chosenLang', 'en-US');
  const { user, history } = renderScreen(<ProfilePanel />, '/en-US/userDetail?id=user-1');
  await user.click(await screen.findByRole('combobox', { name: 'Language' }));
  await user.click(await screen.findByText('Español'));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(history.location.href).toBe('/es-ES/userDetail?id=user-1'));
  // Choosing it here means that the account's language applies in this browser.
  expect(session.get('chosenLang')).toBeNull();
  expect(session.get('lang')).toBe('es-ES');
});

test('a new name leaves the console in the language that was chosen in this browser', async () => {
  gateway.respond(read, () => success(profileResponse({ language: 'zh-CN' })));
  gateway.respond(write, ({ body }) => success(profileResponse(body as object)));
  session.set('chosenLang', 'en-US');
  const { user, history } = renderScreen(<ProfilePanel />, '/en-US/userDetail');
  await user.type(await screen.findByLabelText('Last name'), 'ez');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(session.get('username')).toBe('Ana Martínez'));
  expect(session.get('chosenLang')).toBe('en-US');
  expect(history.location.pathname).toBe('/en-US/userDetail');
});

test('a failure is shown in place', async () => {
  gateway.respond(read, () => errorResponse({ http: 404, code: 'CB-00-0404', message: 'Not here.' }));
  renderScreen(<ProfilePanel />);
  expect(await screen.findByText('Not here.')).toBeVisible();
});

test('an unknown tab opens the first one', async () => {
  renderScreen(<ProfileScreen tab="nonsense" onTab={() => undefined} />);
  expect(await screen.findByRole('tab', { name: 'Profile' })).toHaveAttribute('aria-selected', 'true');
});

test('preferences are stored in this browser and apply immediately', async () => {
  const { user, history } = renderScreen(<PreferencesPanel />, '/en-US/setCard');
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
  expect(session.get('chosenLang')).toBe('zh-TW');
  expect(session.get('lang')).toBe('zh-TW');
});
