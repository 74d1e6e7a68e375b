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
    const initialContext = requestContext();
    const reload = (): void => {
      allDrafts.drop();
      window.location.reload();
    };
    const onStorage = ({ key }: StorageEvent): void => {
      if (key === null || key === 'token' || key === 'tenantId') reload();
    };
    const onPageShow = ({ persisted }: PageTransitionEvent): void => {
      if (persisted && requestContext() !== initialContext) reload();
    };
    window.addEventListener('storage', onStorage);
    window.addEventListener('pageshow', onPageShow);
    return () => {
      window.removeEventListener('storage', onStorage);
      window.removeEventListener('pageshow', onPageShow);
    };
  }, []);
};

/** The token and organisation that calls are sent with. */
const requestContext = (): string => `${session.get('token')} ${session.get('tenantId')}`;
