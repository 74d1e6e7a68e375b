import type { SignInResponse } from '@simcube/contract/identity';
import { act, renderHook } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { membershipOf, signedInAs, signInResponse } from '../../testing/people.ts';
import { toast, useToasts } from '../toast/index.ts';
import { session, startSession } from './index.ts';

describe('browser-stored data', () => {
  test('a sign-in is stored under the names of the specification', () => {
    session.set('lang', 'es-ES');
    session.set('TimeZone', 'LOCAL');
    session.set('menuState', { collapsed: true, lastMenuKey: 'simCard' });
    signedInAs('admin');
    expect(new Set(Object.keys(localStorage))).toEqual(
      new Set([
        'TimeZone',
        'dayOffset',
        'lang',
        'loginsCount',
        'menuState',
        'partnerCode',
        'permissionsInfo',
        'rolesInfo',
        'sharedPool',
        'tenantId',
        'token',
        'userEmail',
        'userId',
        'username',
      ]),
    );
    expect(localStorage.getItem('token')).toBe('token_0123456789abcdef');
    expect(JSON.parse(localStorage.getItem('rolesInfo') ?? '')).toEqual(signInResponse('admin').rolesInfo);
  });

  test.each([
    ['rolesInfo', 'no JSON'],
    ['rolesInfo', '[{"code":7}]'],
    ['permissionsInfo', '"admin"'],
    ['loginsCount', '-1'],
    ['TimeZone', 'CET'],
    ['lang', 'fr-FR'],
    ['menuState', '{}'],
    ['theme', 'pink'],
    ['density', 'tight'],
    ['sharedPool', '{'],
  ] as const)('%s holding %s reads as absent', (name, raw) => {
    localStorage.setItem(name, raw);
    expect(session.get(name)).toBeNull();
  });

  test('choosing another organisation removes the stored pools', () => {
    signedInAs('admin', { sharedPool: ['7'] });
    session.chooseOrganisation(membershipOf('user', 'NORD'));
    expect(session.get('sharedPool')).toBeNull();
  });

  test('clearing removes the person’s data and retains the browser’s preferences', () => {
    signedInAs('user', { loginsCount: 1 });
    session.set('lang', 'zh-TW');
    session.set('theme', 'dark');
    session.set('TimeZone', 'LOCAL');
    session.set('redirectUrl', '/x');
    session.clear();
    expect(new Set(Object.keys(localStorage))).toEqual(new Set(['TimeZone', 'lang', 'theme']));
    expect(session.get('redirectUrl')).toBeNull();
  });

  test('values of another version are removed at the start, current ones retained', () => {
    signedInAs('user');
    startSession();
    expect(session.get('token')).not.toBeNull();
    localStorage.setItem('storageVersion', '0');
    startSession();
    expect(session.get('token')).toBeNull();
  });

  test('a sign-in without an organisation removes the previous one', () => {
    signedInAs('user');
    signedInAs('user', { partnerCode: null, tenantId: null });
    expect(session.currentMembership()).toBeNull();
    expect(localStorage.getItem('tenantId')).toBeNull();
  });
});

describe('the redirect target of an ended session', () => {
  const endOn = (page: string | null): void => {
    signedInAs('admin', { sharedPool: ['7'] });
    session.chooseOrganisation(membershipOf('user', 'NORD'));
    session.rememberOrganisation('NORD');
    session.clear();
    if (page !== null) session.set('redirectUrl', page);
  };
  const current = () => [session.get('partnerCode'), session.get('tenantId'), session.get('sharedPool')];

  test('is stored in its tab only', () => {
    session.set('redirectUrl', '/en-US/simCard');
    expect(Object.keys(localStorage)).toEqual([]);
    expect(sessionStorage.getItem('redirectUrl')).toBe('/en-US/simCard');
  });

  test('restores its organisation', () => {
    endOn('/en-US/simCard');
    signedInAs('admin', { sharedPool: ['7'] });
    expect(current()).toEqual(['NORD', 'tenant-NORD', null]);
  });

  test.each<[string, string | null, Partial<SignInResponse>]>([
    ['there is none', null, {}],
    ['another person signs in', '/en-US/simCard', { userId: 'user-2' }],
    ['the person left that organisation', '/en-US/simCard', { rolesInfo: [membershipOf('admin')] }],
  ])('is opened in the default organisation when %s', (_, page, changes) => {
    endOn(page);
    signedInAs('admin', { sharedPool: ['7'], ...changes });
    expect(current()).toEqual(['ACME', 'tenant-ACME', ['7']]);
  });
});

describe('a person’s data in a tab', () => {
  const workHere = (): void => {
    signedInAs('admin');
    session.rememberOrganisation('ACME');
    session.set('pendingWrites', [{ write: '0123456789abcdef', key: 'key-1' }]);
    sessionStorage.setItem('simcube.cdrs.list.abcd1234', '{"identifiers":["89860012300004518823"]}');
  };
  const left = (): Set<string> => new Set(Object.keys(sessionStorage));

  test('is removed when they sign out', () => {
    workHere();
    session.leave();
    expect(left()).toEqual(new Set());
  });

  test.each([
    ['they sign out', () => session.leave()],
    ['another person signs in', () => signedInAs('admin', { userId: 'user-2' })],
  ])('includes messages, which are removed when %s', (_, end) => {
    workHere();
    const { result } = renderHook(() => useToasts());
    act(() => toast.error('about this person'));
    expect(result.current).toHaveLength(1);
    act(() => session.clear());
    expect(result.current).toHaveLength(1);
    act(end);
    expect(result.current).toEqual([]);
  });

  test('is retained when the session ends, except for the keys of writes without a response', () => {
    workHere();
    session.clear();
    session.set('redirectUrl', '/en-US/cdrCard?list=abcd1234');
    expect(left()).toEqual(new Set(['redirectUrl', 'workedIn', 'simcube.cdrs.list.abcd1234']));
    signedInAs('admin');
    expect(session.get('redirectUrl')).toBe('/en-US/cdrCard?list=abcd1234');
    expect(left()).toContain('simcube.cdrs.list.abcd1234');
  });

  test('is removed with the redirect target when another person signs in', () => {
    workHere();
    session.clear();
    session.set('redirectUrl', '/en-US/simCard?search=truck');
    signedInAs('admin', { userId: 'user-2' });
    expect(left()).toEqual(new Set());
  });

  test.each([
    ['the console starts', startSession],
    ['their organisation is shown', () => session.rememberOrganisation('ACME')],
  ])('is removed when another person signed in in another tab and %s', (_, arrive) => {
    workHere();
    localStorage.setItem('userId', 'user-2');
    arrive();
    expect(left()).not.toContain('pendingWrites');
    expect(left()).not.toContain('simcube.cdrs.list.abcd1234');
  });

  test('includes places and menu if the session ended without removing them', () => {
    workHere();
    session.set('recentPlaces', { 'user-1/ACME': [{ path: 'simCard/1', title: 'Truck' }] });
    session.set('menuState', { collapsed: true, lastMenuKey: 'finance' });
    session.set('welcomed', true);
    session.remove('token');
    signedInAs('admin', { userId: 'user-2' });
    expect([session.get('recentPlaces'), session.get('menuState'), session.get('welcomed')]).toEqual([
      null,
      null,
      null,
    ]);
  });
});

describe('tokens', () => {
  test.each([
    [null, 'none'],
    ['', 'none'],
    ['abc.DEF-123_~+/==', 'present'],
    ['undefined', 'invalid'],
    ['null', 'invalid'],
    ['with blank', 'invalid'],
    ['{"token":1}', 'invalid'],
  ] as const)('%s is %s', (raw, state) => {
    if (raw !== null) localStorage.setItem('token', raw);
    expect(session.tokenState()).toBe(state);
  });
});

describe('permissions', () => {
  test('come from the role in the current organisation', () => {
    signedInAs('operator');
    expect(session.can('sim', 'read')).toBe(true);
    expect(session.can('sim', 'operate')).toBe(true);
    expect(session.can('sim', 'write')).toBe(false);
    expect(session.can('autoflow-cube')).toBe(false);
  });

  test('never include what only administrators may do, even if it was stored', () => {
    const changes = { account: ['all'], sim: ['all'], 'autoflow-cube': ['all'] } as const;
    const rolesInfo = [{ ...membershipOf('user'), changes: structuredClone(changes) }];
    signedInAs('user', { rolesInfo: rolesInfo as never });
    expect([session.can('account'), session.can('account', 'write')]).toEqual([true, false]);
    expect([session.can('sim', 'operate'), session.can('sim', 'write')]).toEqual([true, false]);
    expect(session.can('autoflow-cube', 'write')).toBe(true);
  });

  test('`*` allows everything to an admin', () => {
    signedInAs('admin');
    expect(session.can('cube-developer-key', 'write')).toBe(true);
  });

  test('are empty in an organisation without membership', () => {
    signedInAs('admin', { partnerCode: 'OTHER', tenantId: 'tenant-OTHER' });
    expect(session.currentMembership()).toBeNull();
    expect(session.can('sim')).toBe(false);
  });

  test('choosing an organisation stores its code and tenant id', () => {
    signedInAs('admin');
    session.chooseOrganisation(membershipOf('user', 'NORD'));
    expect(localStorage.getItem('partnerCode')).toBe('NORD');
    expect(localStorage.getItem('tenantId')).toBe('tenant-NORD');
  });
});
