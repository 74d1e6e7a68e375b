import { useEffect } from 'react';
import { allDrafts } from '../../ui/unsaved/index.ts';

/**
 * Reloads this tab when another tab signed out, signed in as another person, or switched the organisation: the next call would no
 * longer be about what is on screen. Unsaved changes are dropped without asking: saved from here, they would go to the other
 * organisation.
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
