import { useEffect } from 'react';
import { session } from '../../lib/session/index.ts';
import { allDrafts } from '../../ui/unsaved/index.ts';

/**
 * Reloads this tab when another tab signed out, signed in as another person, or switched the organisation: the next call would no
 * longer be about what is on screen. A page restored from the browser's back/forward cache missed that message, so it compares the
 * organisation itself. Unsaved changes are dropped without asking: saved from here, they would go to the other organisation.
 */
export const useOtherTabs = (): void => {
  useEffect(() => {
    const begun = whose();
    const startAfresh = (): void => {
      allDrafts.drop();
      window.location.reload();
    };
    const follow = ({ key }: StorageEvent): void => {
      if (key === null || key === 'token' || key === 'tenantId') startAfresh();
    };
    const comeBack = ({ persisted }: PageTransitionEvent): void => {
      if (persisted && whose() !== begun) startAfresh();
    };
    window.addEventListener('storage', follow);
    window.addEventListener('pageshow', comeBack);
    return () => {
      window.removeEventListener('storage', follow);
      window.removeEventListener('pageshow', comeBack);
    };
  }, []);
};

/** The token and organisation that calls are sent with. */
const whose = (): string => `${session.get('token')} ${session.get('tenantId')}`;
