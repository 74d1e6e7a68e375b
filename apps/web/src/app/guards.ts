import type { Language, PermissionKey } from '@simcube/contract';
import { redirect } from '@tanstack/react-router';
import { currentMailLink } from '../lib/mail-link/index.ts';
import { refreshPermissions } from '../lib/memberships/index.ts';
import { session, signInAgain } from '../lib/session/index.ts';
import { withLanguage } from './languages.ts';
import { menuKeyOf, pathOfMenuKey } from './menu.ts';
import { hasSharedPools } from './shared-pools.ts';

/** What a guard looks at; a `ParsedLocation` fits. */
interface Place {
  pathname: string;
  searchStr: string;
}

/** No token: to login, remembering the way. A token that can't be one: to login with the same query and menu key. */
export const requireSignIn = (language: Language, place: Place): void => {
  const state = session.tokenState();
  if (state === 'present') return;
  if (state === 'none') {
    session.set('redirectUrl', place.pathname + place.searchStr);
    throw redirect({ href: `/${language}/login`, replace: true });
  }
  session.remove('token');
  rememberMenuKey(menuKeyOf(place.pathname));
  throw redirect({ href: `/${language}/login${place.searchStr}`, replace: true, state: signInAgain });
};

/** Without a current organisation there is only one place to go: the organisations page. */
export const requireOrganisation = (language: Language): void => {
  if (!session.currentMembership()) throw redirect({ href: `/${language}/orgs`, replace: true });
};

/** A route with a permission is entered with read (or what it says) or all on it; otherwise the root is shown. */
export const requirePermission = (
  language: Language,
  key: PermissionKey,
  action: 'read' | 'write' = 'read',
): void => {
  if (!session.can(key, action)) throw redirect({ href: `/${language}`, replace: true });
};

/**
 * Shared pools are a page only where the organisation has one and the person may see it (specification, section 2,
 * "Route guard"); else the SIMs are shown. What this browser knows may be from before the first one was made.
 */
export const requireSharedPool = async (language: Language): Promise<void> => {
  // Without an answer, what is known counts.
  if (!hasSharedPools()) await refreshPermissions().catch(() => undefined);
  if (!hasSharedPools()) throw redirect({ href: `/${language}/simCard`, replace: true });
};

/** Reports are a page only for who may read them (specification, section 2, "Route guard"); else the SIMs are shown. */
export const requireReports = (language: Language): void => {
  if (!session.can('sim-report-cube')) throw redirect({ href: `/${language}/simCard`, replace: true });
};

/** A person who is signed in needs no login page, unless a link from an email is handled there. */
export const leaveWhenSignedIn = (language: Language): void => {
  if (session.tokenState() === 'present' && currentMailLink() === null)
    throw redirect({ href: targetAfterSignIn(language), replace: true });
};

export const rememberMenuKey = (key: string | null): void => {
  const state = session.get('menuState') ?? { collapsed: false, lastMenuKey: null };
  if (state.lastMenuKey !== key) session.set('menuState', { ...state, lastMenuKey: key });
};

/** Where the person wanted to go, in the language of now; else the last menu entry; else the root. Read once. */
const targetAfterSignIn = (language: Language): string => {
  const wanted = session.get('redirectUrl');
  session.remove('redirectUrl');
  const inside = wanted === null ? null : insideConsole(wanted, language);
  if (inside !== null) return inside;
  const lastMenuKey = session.get('menuState')?.lastMenuKey;
  const path = lastMenuKey ? pathOfMenuKey(lastMenuKey) : null;
  return path === null ? `/${language}` : `/${language}/${path}`;
};

/** Only an address of this console may be gone to: never another site, never the sign-in pages again. */
const insideConsole = (url: string, language: Language): string | null => {
  if (!URL.canParse(url, window.location.origin)) return null;
  const { origin, pathname, search } = new URL(url, window.location.origin);
  if (origin !== window.location.origin) return null;
  const path = withLanguage(pathname, language);
  return /^\/[^/]+\/(login|401)$/.test(path) ? null : path + search;
};
