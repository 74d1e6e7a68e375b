import type { Language } from '@simcube/contract';
import { useRouter } from '@tanstack/react-router';

/** The same page in another language: only the first segment of the path changes. */
export const useChooseLanguage = (): ((language: Language) => void) => {
  const router = useRouter();
  return (language) => {
    const { pathname, searchStr } = router.state.location;
    router.history.replace(pathname.replace(/^\/[^/]+/, `/${language}`) + searchStr);
  };
};
