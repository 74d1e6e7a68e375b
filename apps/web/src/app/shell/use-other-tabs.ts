import { useEffect } from 'react';

/**
 * Another tab signed out, in as somebody else, or changed the organisation: what is on screen here is no longer
 * what the next call would be about, so this tab starts afresh.
 */
export const useOtherTabs = (): void => {
  useEffect(() => {
    const follow = (event: StorageEvent): void => {
      if (event.key === null || event.key === 'token' || event.key === 'tenantId') window.location.reload();
    };
    window.addEventListener('storage', follow);
    return () => window.removeEventListener('storage', follow);
  }, []);
};
