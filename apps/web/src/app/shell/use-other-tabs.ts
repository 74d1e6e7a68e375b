import { useEffect } from 'react';
import { session } from '../../lib/session/index.ts';
import { allDrafts } from '../../ui/unsaved/index.ts';

/**
 * Another tab signed out, in as another person, or changed the organisation: what is on screen here is no longer
 * what the next call would be about, so this tab starts afresh. So does a page that the browser kept as it was left, and that is
 * gone back to after the organisation was changed: it heard of nothing meanwhile.
 * What is unsaved is dropped unasked: saved from here it would be written in the other organisation.
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

/** What calls are signed with, and the organisation that they are about. */
const whose = (): string => `${session.get('token')} ${session.get('tenantId')}`;
