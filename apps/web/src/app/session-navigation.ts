import type { HistoryState } from '@tanstack/react-router';
import type { SessionNavigation } from '../lib/api-client/index.ts';
import { currentLanguage } from '../lib/language/index.ts';
import { readMemberships } from '../lib/memberships/index.ts';
import { signInAgain } from '../lib/session/index.ts';
import { allDrafts } from '../ui/unsaved/drafts.ts';
import type { createConsoleRouter } from './router.tsx';
import { confirmReturnToLogin } from './session-ended.ts';

/** Navigation that the API client triggers when a session has ended. */
export const sessionNavigation = (router: ReturnType<typeof createConsoleRouter>): SessionNavigation => {
  // The session is over: a prompt about unsaved changes would lead nowhere.
  const go = (path: string, state: HistoryState = {}): void =>
    router.history.replace(`/${currentLanguage()}/${path}`, state, { ignoreBlocker: true });
  return {
    confirmReturnToLogin,
    currentUrl: () => router.state.location.pathname + router.state.location.searchStr,
    toLogin: () => go('login', signInAgain),
    toUnauthorised: () => go('401'),
    toOrganisations: () => {
      go('orgs');
      // The person left the organisation or was removed from it: switcher and menu must no longer offer it. If this fails, they
      // show the previous state, and choosing it leads here again.
      readMemberships().catch(() => undefined);
    },
    reload: () => {
      allDrafts.drop();
      window.location.reload();
    },
  };
};
