import { createMemoryHistory } from '@tanstack/react-router';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { discardMailLink, startMailLinks } from '../lib/mail-link/index.ts';
import { session } from '../lib/session/index.ts';
import { stubGateway, success } from '../testing/gateway.ts';
import { membershipOf, signedInAs } from '../testing/people.ts';
import { forgetSearches, rememberSearch } from './remembered-search.ts';
import { createConsoleRouter } from './router.tsx';

const gateway = stubGateway();
const refresh = 'PUT /identity/permission/info/cube/permission/refresh';
const adminWithPools = (...sharedPool: string[]) =>
  success({ role: 'admin', changes: {}, effective: {}, sharedPool });

/** Opens an address, and returns how to read where the router is: a slow redirect may continue when it seems idle. */
const open = async (address: string): Promise<() => string> => {
  const router = createConsoleRouter(createMemoryHistory({ initialEntries: [address] }));
  await router.load();
  await vi.waitFor(() => expect(router.state).toMatchObject({ status: 'idle', isLoading: false }));
  return () => router.state.location.pathname + router.state.location.searchStr;
};

beforeEach(() => {
  forgetSearches();
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['es-AR', 'en']);
});

describe('language', () => {
  test.each([
    ['/', '/es-ES/login'],
    ['/login', '/es-ES/login'],
    ['/fr/login?a=1', '/es-ES/login?a=1'],
    ['/zh-TW/privacy', '/zh-TW/privacy'],
    ['/en-US/termsOfUse', '/en-US/termsOfUse'],
    ['/en-US/401', '/en-US/401'],
    ['/en-US/no/such/page', '/en-US/no/such/page'],
  ])('%s opens %s', async (address, wanted) => {
    await expect.poll(await open(address)).toBe(wanted);
  });
});

test('a path without a language opens in the person’s, not in that of the last page', async () => {
  session.set('chosenLang', 'en-US');
  signedInAs('user', { lang: 'zh-TW' });
  await expect.poll(await open('/zh-CN/cdrCard')).toBe('/zh-CN/cdrCard');
  await expect.poll(await open('/taskcenter')).toBe('/en-US/taskcenter');
  session.remove('chosenLang');
  signedInAs('user', { lang: 'zh-TW' });
  await expect.poll(await open('/fr/taskcenter')).toBe('/zh-TW/taskcenter');
});

describe('a page without a token', () => {
  test('redirects to login, and stores the target', async () => {
    await expect.poll(await open('/en-US/simCard?search=truck')).toBe('/en-US/login');
    expect(session.get('redirectUrl')).toBe('/en-US/simCard?search=truck');
  });

  test('is shown after signing in, in the current language', async () => {
    session.set('redirectUrl', '/en-US/simCard?search=truck');
    signedInAs('user');
    await expect.poll(await open('/zh-CN/login')).toBe('/zh-CN/simCard?search=truck');
    expect(session.get('redirectUrl')).toBeNull();
  });

  test.each([
    'https://elsewhere.example/steal',
    '//elsewhere.example',
    '/\\elsewhere.example',
    'javascript:alert(1)',
    '/en-US/login',
    '/en-US/401',
  ])('never redirects to %s after signing in', async (target) => {
    session.set('redirectUrl', target);
    signedInAs('user');
    await expect.poll(await open('/en-US/login')).toBe('/en-US/analysis');
  });
});

test('a link from an email opens login even for a signed-in person', async () => {
  window.history.replaceState(null, '', `/en-US/login#invitation=${'token'.repeat(8)}`);
  startMailLinks();
  signedInAs('user');
  await expect.poll(await open('/en-US/login')).toBe('/en-US/login');
  discardMailLink();
  await expect.poll(await open('/en-US/login')).toBe('/en-US/analysis');
});

test("a person's own account opens without a current organisation", async () => {
  signedInAs('user', { partnerCode: null, tenantId: null });
  await expect
    .poll(await open('/en-US/userDetail?id=user-1&tab=security'))
    .toBe('/en-US/userDetail?id=user-1&tab=security');
});

describe('a page with an invalid token', () => {
  test('redirects to login, and stores query and menu key as the target', async () => {
    localStorage.setItem('token', 'undefined');
    await expect
      .poll(await open('/en-US/simCard/89860012300004518823?tab=usage'))
      .toBe('/en-US/login?tab=usage');
    expect(session.get('menuState')?.lastMenuKey).toBe('simCard');
    expect(localStorage.getItem('token')).toBeNull();
    signedInAs('user');
    expect(session.get('menuState')?.lastMenuKey).toBe('simCard');
    await expect
      .poll(await open('/en-US/login?tab=usage'))
      .toBe('/en-US/simCard/89860012300004518823?tab=usage');
  });

  test('keeps the query of a list, and the organisation', async () => {
    signedInAs('user');
    session.chooseOrganisation(membershipOf('user', 'NORD'));
    session.rememberOrganisation('NORD');
    localStorage.setItem('token', 'undefined');
    await expect.poll(await open('/en-US/simCard?lifecycle=paused')).toBe('/en-US/login?lifecycle=paused');
    signedInAs('user');
    await expect.poll(await open('/en-US/login?lifecycle=paused')).toBe('/en-US/simCard?lifecycle=paused');
    expect(session.get('partnerCode')).toBe('NORD');
  });

  test.each(['/en-US', '/en-US/'])(
    'keeps the last menu key if it is %s, and opens its page',
    async (root) => {
      session.set('menuState', { collapsed: true, lastMenuKey: 'cdrCard' });
      localStorage.setItem('token', 'undefined');
      await expect.poll(await open(root)).toBe('/en-US/login');
      expect(session.get('menuState')).toEqual({ collapsed: true, lastMenuKey: 'cdrCard' });
      signedInAs('user');
      await expect.poll(await open('/en-US/login')).toBe('/en-US/cdrCard');
    },
  );

  test('keeps the last menu key on a page outside of the menu', async () => {
    session.set('menuState', { collapsed: false, lastMenuKey: 'cdrCard' });
    localStorage.setItem('token', 'undefined');
    await expect.poll(await open('/en-US/userDetail?id=user-1')).toBe('/en-US/login?id=user-1');
    expect(session.get('menuState')?.lastMenuKey).toBe('cdrCard');
  });
});

describe('the guard of a signed-in person', () => {
  test('redirects the root to analysis', async () => {
    signedInAs('user');
    await expect.poll(await open('/en-US')).toBe('/en-US/analysis');
  });

  test('redirects to the organisations page without a current organisation', async () => {
    signedInAs('admin', { partnerCode: null, tenantId: null });
    await expect.poll(await open('/en-US/analysis')).toBe('/en-US/orgs');
    await expect.poll(await open('/en-US/simCard')).toBe('/en-US/orgs');
    await expect.poll(await open('/en-US')).toBe('/en-US/orgs');
    await expect.poll(await open('/en-US/orgs')).toBe('/en-US/orgs');
  });

  test('redirects to the root without read permission for a route', async () => {
    signedInAs('user', { permissionsInfo: { user: { cdr: ['read'] } } });
    await expect.poll(await open('/en-US/simCard')).toBe('/en-US/analysis');
    await expect.poll(await open('/en-US/simCard/89860012300004518823')).toBe('/en-US/analysis');
  });

  test.each(['read', 'all'] as const)('opens a route with the permission %s', async (action) => {
    signedInAs('user', { permissionsInfo: { user: { sim: [action] } } });
    await expect.poll(await open('/en-US/simCard')).toBe('/en-US/simCard');
  });

  test('redirects shared to the SIMs while the organisation has no pool', async () => {
    gateway.respond(refresh, () => adminWithPools());
    signedInAs('admin');
    await expect.poll(await open('/en-US/shared')).toBe('/en-US/simCard');
  });

  test('opens reports with read permission, and otherwise redirects to the SIMs', async () => {
    signedInAs('operator');
    await expect.poll(await open('/en-US/reports?month=2026-10')).toBe('/en-US/simCard');
    signedInAs('admin');
    await expect.poll(await open('/en-US/reports?month=2026-10')).toBe('/en-US/reports?month=2026-10');
  });

  test('opens shared without a request when a pool is stored in the browser', async () => {
    signedInAs('admin', { sharedPool: ['7'] });
    await expect.poll(await open('/en-US/shared')).toBe('/en-US/shared');
    expect(gateway.sent).toEqual([]);
  });

  test('opens shared when the first pool was created after signing in', async () => {
    gateway.respond(refresh, () => adminWithPools('7'));
    signedInAs('admin');
    await expect.poll(await open('/en-US/shared')).toBe('/en-US/shared');
    expect(session.get('sharedPool')).toEqual(['7']);
  });

  test('redirects shared to the root without permission to read pools, even if one is stored', async () => {
    signedInAs('operator', { sharedPool: ['7'] });
    await expect.poll(await open('/en-US/shared')).toBe('/en-US/analysis');
  });

  test('restores the filters of a list, unless the URL has its own', async () => {
    signedInAs('user');
    rememberSearch('simCard', '?lifecycle=active&lifecycle=paused');
    await expect.poll(await open('/en-US/simCard')).toBe('/en-US/simCard?lifecycle=active&lifecycle=paused');
    await expect.poll(await open('/en-US/simCard?search=x')).toBe('/en-US/simCard?search=x');
  });
});
