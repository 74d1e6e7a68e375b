import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { session } from '../../../lib/session/index.ts';
import { stubGateway } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen, useAddress } from '../../../testing/render-screen.tsx';
import { SettingsScreen } from '../index.ts';
import { parseSettingsSearch } from '../search.ts';

stubGateway();

const tabs = async () => (await screen.findAllByRole('tab')).map((tab) => tab.textContent);
const Screen = () => <SettingsScreen {...useAddress({ parse: parseSettingsSearch })} />;
const show = (tab = 'preferences') => renderScreen(<Screen />, `/?tab=${tab}`);

test('an admin has all tabs of the settings, a user their own', async () => {
  signedInAs('admin');
  show();
  expect(await tabs()).toEqual([
    'Profile',
    'Accounts',
    'Organisation',
    'Security',
    'Notification targets',
    'SMS service',
    'Audit trail',
    'Preferences',
  ]);
});

test('a tab without permission opens the first one', async () => {
  signedInAs('user');
  show('audit');
  expect(await tabs()).toEqual(['Profile', 'Preferences']);
  expect(screen.getByRole('tab', { name: 'Profile' })).toHaveAttribute('aria-selected', 'true');
});

test('the tabs follow changed permissions', async () => {
  signedInAs('user');
  show();
  expect(await tabs()).toHaveLength(2);
  act(() =>
    session.setMemberships(session.memberships().map((one) => ({ ...one, changes: { account: ['read'] } }))),
  );
  expect(await tabs()).toHaveLength(8);
});

test('the settings of another organisation stay open from its tab to its security, not in the tabs of the own one', async () => {
  signedInAs('admin');
  const { user, history } = show('organisation&organisation=ACME-ES');
  const choose = async (name: string) => user.click(await screen.findByRole('tab', { name }));
  await choose('Security');
  expect(history.location.search).toBe('?tab=security&organisation=ACME-ES');
  await choose('Preferences');
  expect(history.location.search).toBe('?tab=preferences');
});

test('an invalid address of the settings still opens', () => {
  expect(
    parseSettingsSearch({
      tab: 'x',
      role: 'boss',
      sort: 'shoe',
      page: '-1',
      size: '7',
      action: ['a.b'],
      kind: 'fax',
      group: 'mine',
    }),
  ).toEqual({});
  expect(parseSettingsSearch({ tab: 'audit', action: 'account.removed', page: '2' })).toEqual({
    tab: 'audit',
    action: ['account.removed'],
    page: 2,
  });
});
