import { useEffect } from 'react';
import { allDrafts } from '../../ui/unsaved/index.ts';

/**
 * Another tab signed out, in as another person, or changed the organisation: what is on screen here is no longer
 * what the next call would be about, so this tab starts afresh.
 * What is unsaved is dropped unasked: saved from here it would be written in the other organisation.
 */
export const useOtherTabs = (): void => {
  useEffect(() => {
    const follow = (event: StorageEvent): void => {
      if (event.key === null || event.key === 'token' || event.key === 'tenantId') {
        allDrafts.drop();
        window.location.reload();
      }
    };
    window.addEventListener('storage', follow);
    return () => window.removeEventListener('storage', follow);
  }, []);
};
