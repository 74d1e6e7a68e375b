import type { Language, PermissionKey } from '@simcube/contract';
import { redirect } from '@tanstack/react-router';
import { currentMailLink } from '../lib/mail-link/index.ts';
import { refreshPermissions } from '../lib/memberships/index.ts';
import { session, signInAgain } from '../lib/session/index.ts';
import { withLanguage } from './languages.ts';
import { menuKeyOf, pathOfMenuKey } from './menu.ts';
import { hasSharedPools } from './shared-pools.ts';

/** The part of a location that a guard checks; a `ParsedLocation` fits. */
interface GuardedLocation {
  pathname: string;
  searchStr: string;
}

/**
 * No token: to login, remembering the address. A malformed token: the same with the query and the menu key; the root, which names
 * no page, is left to the last menu key.
 */
export const requireSignIn = (language: Language, location: GuardedLocation): void => {
  const state = session.tokenState();
  if (state === 'present') return;
  const isRoot = /^\/[^/]+\/?$/.test(location.pathname);
  if (state === 'none' || !isRoot) session.set('redirectUrl', location.pathname + location.searchStr);
  if (state === 'none') throw redirect({ href: `/${language}/login`, replace: true });
  session.remove('token');
  rememberMenuKey(menuKeyOf(location.pathname));
  throw redirect({ href: `/${language}/login${location.searchStr}`, replace: true, state: signInAgain });
};

/** Without a current organisation only the organisations page can be opened. */
export const requireOrganisation = (language: Language): void => {
  if (!session.currentMembership()) throw redirect({ href: `/${language}/orgs`, replace: true });
};

/** A route with a permission requires read access (or `action`) or all; otherwise the person is sent to the root. */
export const requirePermission = (
  language: Language,
  key: PermissionKey,
  action: 'read' | 'write' = 'read',
): void => {
  if (!session.can(key, action)) throw redirect({ href: `/${language}`, replace: true });
};

/**
 * Shared pools have a page only if the organisation has one and the person may see it (specification, section 2, "Route guard");
 * otherwise the SIMs are shown. Asks the server if this browser knows of none: its information may predate the first pool.
 */
export const requireSharedPool = async (language: Language): Promise<void> => {
  // Without a response, the stored information decides.
  if (!hasSharedPools()) await refreshPermissions().catch(() => undefined);
  if (!hasSharedPools()) throw redirect({ href: `/${language}/simCard`, replace: true });
};

/**
 * Only people who may read reports can open their page (specification, section 2, "Route guard"); others are sent to the SIMs.
 */
export const requireReports = (language: Language): void => {
  if (!session.can('sim-report-cube')) throw redirect({ href: `/${language}/simCard`, replace: true });
};

/** Redirects people who are signed in away from the login page, unless a link from an email is handled there. */
export const redirectIfSignedIn = (language: Language): void => {
  if (session.tokenState() === 'present' && currentMailLink() === null)
    throw redirect({ href: targetAfterSignIn(language), replace: true });
};

/** A page outside of the menu keeps the last key. */
export const rememberMenuKey = (key: string | null): void => {
  if (key === null) return;
  const state = session.get('menuState') ?? { collapsed: false, lastMenuKey: null };
  if (state.lastMenuKey !== key) session.set('menuState', { ...state, lastMenuKey: key });
};

/** The page that the person wanted, in the current language; else the last menu entry; else the root. Can be read once. */
const targetAfterSignIn = (language: Language): string => {
  const redirectUrl = session.get('redirectUrl');
  session.remove('redirectUrl');
  const consolePath = redirectUrl === null ? null : pathInsideConsole(redirectUrl, language);
  if (consolePath !== null) return consolePath;
  const lastMenuKey = session.get('menuState')?.lastMenuKey;
  const path = lastMenuKey ? pathOfMenuKey(lastMenuKey) : null;
  return path === null ? `/${language}` : `/${language}/${path}`;
};

/** Accepts only addresses of this console: never another site, never the sign-in pages again. */
const pathInsideConsole = (url: string, language: Language): string | null => {
  if (!URL.canParse(url, window.location.origin)) return null;
  const { origin, pathname, search } = new URL(url, window.location.origin);
  if (origin !== window.location.origin) return null;
  const path = withLanguage(pathname, language);
  return /^\/[^/]+\/(login|401)$/.test(path) ? null : path + search;
};
