import type { HistoryState } from '@tanstack/react-router';
import type { SessionMoves } from '../lib/api-client/index.ts';
import { currentLanguage } from '../lib/language/index.ts';
import { readMemberships } from '../lib/memberships/index.ts';
import { signInAgain } from '../lib/session/index.ts';
import { allDrafts } from '../ui/unsaved/drafts.ts';
import type { createConsoleRouter } from './router.tsx';
import { askReturnToLogin } from './session-ended.ts';

/** How the API client moves the console when a session turns out to be over. */
export const sessionMoves = (router: ReturnType<typeof createConsoleRouter>): SessionMoves => {
  // It is over: asking whether to stay with what is unsaved would lead nowhere.
  const go = (path: string, state: HistoryState = {}): void =>
    router.history.replace(`/${currentLanguage()}/${path}`, state, { ignoreBlocker: true });
  return {
    confirmReturnToLogin: askReturnToLogin,
    currentUrl: () => router.state.location.pathname + router.state.location.searchStr,
    toLogin: () => go('login', signInAgain),
    toUnauthorised: () => go('401'),
    toOrganisations: () => {
      go('orgs');
      // One left it or was taken out of it: switcher and menu must not offer it any longer. Without an answer they
      // show what was known; choosing it leads here again.
      readMemberships().catch(() => undefined);
    },
    reload: () => {
      allDrafts.drop();
      window.location.reload();
    },
  };
};
