import { limits } from '@simcube/contract';
import { describe, expect, test } from 'vitest';
import { errorResponse, stubGateway, success } from '../../testing/gateway.ts';
import { membershipOf, signedInAs } from '../../testing/people.ts';
import { setSessionNavigation } from '../api-client/index.ts';
import { session } from '../session/index.ts';
import { readMemberships, refreshPermissions } from './index.ts';

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
    session.chooseOrganisation(membershipOf('user', 'NORD'));
    return success({ role: 'admin', changes: {}, effective: {}, sharedPool: ['7', '9'] });
  });
  await refreshPermissions();
  expect(session.get('sharedPool')).toBeNull();
});

test.each([
  ['signed out', () => session.leave(), []],
  [
    'was replaced by another one',
    () => signedInAs('user', { userId: 'user-2', token: 'token_of_the_next_person' }),
    ['ACME', 'NORD'],
  ],
])('nothing is stored for a person who %s meanwhile', async (_, change, codes) => {
  const responses = [
    {
      read: readMemberships,
      endpoint: 'GET /customer/orgs',
      body: success([membershipOf('admin', 'FORMER')], { total_count: 1 }),
    },
    {
      read: refreshPermissions,
      endpoint: refresh,
      body: success({ role: 'admin', changes: { sim: [] }, effective: {}, sharedPool: ['7'] }),
    },
  ];
  for (const { read, endpoint, body } of responses) {
    signedInAs('admin');
    gateway.respond(endpoint, () => {
      change();
      return body;
    });
    await read();
    expect(session.memberships().map(({ code }) => code)).toEqual(codes);
    expect(session.memberships().filter(({ role, changes }) => role === 'admin' || changes)).toEqual([]);
    expect(session.get('permissionsInfo')?.admin).toBeUndefined();
    expect(session.get('sharedPool') ?? []).toEqual([]);
  }
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

describe('a person with many organisations', () => {
  /** Sorted by code. */
  const codes = (count: number): string[] =>
    Array.from({ length: count }, (_, index) => `ORG-${String(index).padStart(4, '0')}`);
  const belongTo = (count: number): void => {
    const all = codes(count).map((code) => membershipOf('admin', code));
    gateway.respond('GET /customer/orgs', ({ query }) =>
      success(all.slice(0, Number(query.get('page_size'))), { total_count: all.length }),
    );
    signedInAs('admin', {
      rolesInfo: all.slice(0, limits.organisationsAtSignIn),
      partnerCode: 'ORG-0000',
      tenantId: 'tenant-ORG-0000',
    });
  };
  const stored = (): string[] => session.memberships().map(({ code }) => code);

  test.each([101, 201])('stays in the last of %i when they are read again', async (count) => {
    belongTo(count);
    const last = codes(count).at(-1) ?? '';
    session.chooseOrganisation(membershipOf('admin', last));
    await readMemberships();
    expect(stored()).toEqual(codes(count));
    expect(session.currentMembership()?.code).toBe(last);
  });

  test('enters one that is not among the stored ones, and stays in it', async () => {
    belongTo(limits.organisationsAtSignIn + 50);
    for (const code of codes(limits.organisationsAtSignIn + 50).slice(-3)) {
      session.chooseOrganisation(membershipOf('admin', code));
      expect([session.currentMembership()?.code, session.can('account', 'write')]).toEqual([code, true]);
      await readMemberships();
      expect(session.currentMembership()?.code).toBe(code);
      expect(stored()).toHaveLength(limits.organisationsAtSignIn + 1);
    }
  });

  test('returns to it after the session ended', () => {
    belongTo(limits.organisationsAtSignIn + 50);
    const code = codes(limits.organisationsAtSignIn + 50).at(-1) ?? '';
    session.chooseOrganisation(membershipOf('admin', code));
    session.rememberOrganisation(code);
    session.clear();
    session.set('redirectUrl', '/en-US/simCard');
    belongTo(limits.organisationsAtSignIn + 50);
    expect(session.currentMembership()?.code).toBe(code);
  });
});

test('an organisation that the person left is no longer offered', async () => {
  signedInAs('user');
  gateway.respond('GET /customer/orgs', () => success([membershipOf('user', 'NORD')], { total_count: 1 }));
  await readMemberships();
  expect(session.memberships().map(({ code }) => code)).toEqual(['NORD']);
  expect(session.currentMembership()).toBeNull();
});
