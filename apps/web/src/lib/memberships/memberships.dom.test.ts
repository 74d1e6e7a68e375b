import { expect, test } from 'vitest';
import { errorResponse, stubGateway, success } from '../../testing/gateway.ts';
import { signedInAs } from '../../testing/people.ts';
import { setSessionNavigation } from '../api-client/index.ts';
import { session } from '../session/index.ts';
import { refreshPermissions } from './index.ts';

const gateway = stubGateway();
const refresh = 'PUT /identity/permission/info/cube/permission/refresh';

test('changed permissions and a new role apply immediately, in the current organisation only', async () => {
  signedInAs('user');
  expect([session.can('sim'), session.can('account')]).toEqual([true, false]);
  gateway.respond(refresh, () =>
    success({ role: 'user', changes: { sim: [], account: ['read'] }, effective: {}, sharedPool: [] }),
  );
  await refreshPermissions();
  expect([session.can('sim'), session.can('account'), session.can('cdr')]).toEqual([false, true, true]);
  gateway.respond(refresh, () => success({ role: 'admin', changes: {}, effective: {}, sharedPool: [] }));
  await refreshPermissions();
  expect(session.can('account', 'write')).toBe(true);
  expect(session.memberships().find(({ code }) => code === 'NORD')).toMatchObject({ role: 'user' });
});

test('shared pools are refreshed, except after another organisation was chosen meanwhile', async () => {
  signedInAs('admin', { sharedPool: ['7'] });
  gateway.respond(refresh, () =>
    success({ role: 'admin', changes: {}, effective: {}, sharedPool: ['7', '9'] }),
  );
  await refreshPermissions();
  expect(session.get('sharedPool')).toEqual(['7', '9']);
  gateway.respond(refresh, () => {
    session.chooseOrganisation({ code: 'NORD', tenantId: 't-2' });
    return success({ role: 'admin', changes: {}, effective: {}, sharedPool: ['7', '9'] });
  });
  await refreshPermissions();
  expect(session.get('sharedPool')).toBeNull();
});

test('losing the membership redirects to the organisations', async () => {
  signedInAs('user');
  const places: string[] = [];
  setSessionNavigation({
    confirmReturnToLogin: () => Promise.resolve(),
    currentUrl: () => '/',
    toLogin: () => places.push('login'),
    toUnauthorised: () => places.push('401'),
    toOrganisations: () => places.push('orgs'),
    reload: () => places.push('reload'),
  });
  gateway.respond(refresh, () => errorResponse({ http: 403, code: 'CB-07-0008' }));
  await expect(refreshPermissions()).rejects.toThrow();
  expect(places).toEqual(['orgs']);
  expect(session.currentMembership()).toBeNull();
});
