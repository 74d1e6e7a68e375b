import type { PhraseKey } from '@simcube/phrases/load';
import { createRootRoute, createRoute, redirect } from '@tanstack/react-router';
import { activateLanguage, addConsolePhrases, preferredLanguage } from '../lib/language/index.ts';
import { loadAntdLocale } from './antd-locale.ts';
import { languageOf } from './before-load.ts';
import { redirectIfSignedIn, requireSignIn } from './guards.ts';
import { supportedLanguage, withLanguage } from './languages.ts';
import { lazyScreen } from './lazy-screen.ts';
import { Root } from './root.tsx';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Title of the browser tab. */
    title?: PhraseKey;
    /** Belongs to the person, not to an organisation: shown even when the current organisation is closed to them. */
    personal?: true;
    /** Also shown to people who are not signed in, without the shell. */
    public?: true;
  }
}

/** Screens that need no sign-in, and the components around all others. */

const publicScreens = () => import('../features/public/screens.ts');
const identityScreens = () => import('../features/identity/index.ts');

export const rootRoute = createRootRoute({ component: Root });

export const bareRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ href: `/${preferredLanguage()}`, replace: true });
  },
});

/** Every path begins with a language; a path without a supported one is redirected to the person's own language. */
export const languageRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$lang',
  beforeLoad: async ({ params, location }) => {
    const language = supportedLanguage(params.lang);
    if (!language) {
      const path = withLanguage(location.pathname, preferredLanguage());
      throw redirect({ href: path + location.searchStr, replace: true });
    }
    await activateLanguage(language);
  },
});

export const loginRoute = createRoute({
  getParentRoute: () => languageRoute,
  path: 'login',
  staticData: { title: 'identity.login.title' },
  beforeLoad: ({ params }) => redirectIfSignedIn(languageOf(params)),
  component: lazyScreen(identityScreens, 'LoginScreen'),
});

export const termsRoute = createRoute({
  getParentRoute: () => languageRoute,
  path: 'termsOfUse',
  staticData: { title: 'legal.terms.title' },
  component: lazyScreen(publicScreens, 'TermsScreen'),
});

export const privacyRoute = createRoute({
  getParentRoute: () => languageRoute,
  path: 'privacy',
  staticData: { title: 'legal.privacy.title' },
  component: lazyScreen(publicScreens, 'PrivacyScreen'),
});

export const unauthorisedRoute = createRoute({
  getParentRoute: () => languageRoute,
  path: '401',
  staticData: { title: 'identity.unauthorised.title' },
  component: lazyScreen(publicScreens, 'UnauthorisedScreen'),
});

/** A shared report, for readers without an account. */
export const diagnoseRoute = createRoute({
  getParentRoute: () => languageRoute,
  path: 'diagnose/$linkId',
  staticData: { title: 'simDetail.diagnosePage.title' },
  beforeLoad: ({ params }) => addConsolePhrases(languageOf(params)),
  component: lazyScreen(() => import('../features/diagnose/index.ts'), 'PublicDiagnoseScreen'),
});

/** Everything behind the sign-in. */
export const shellRoute = createRoute({
  getParentRoute: () => languageRoute,
  id: 'shell',
  beforeLoad: async ({ params, location, matches }) => {
    if (!matches.at(-1)?.staticData.public) requireSignIn(languageOf(params), location);
    await Promise.all([addConsolePhrases(languageOf(params)), loadAntdLocale(languageOf(params))]);
  },
  component: lazyScreen(() => import('./shell/index.ts'), 'Shell'),
});
