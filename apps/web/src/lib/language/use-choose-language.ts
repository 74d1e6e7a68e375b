import type { Language } from '@simcube/contract';
import { useRouter } from '@tanstack/react-router';
import { toast } from '../toast/index.ts';
import { loadPhrases, translate } from './language.ts';

/** Words may come late: only those of the last choice are still wanted. */
let last: Language | undefined;

/**
 * The same page in another language: only the first segment of the path changes, once its words are there. Without them
 * (no network) the page stays as it is: the router would put its failure in the place of what is written there.
 */
export const useChooseLanguage = (load = loadPhrases): ((language: Language) => void) => {
  const router = useRouter();
  const change = async (language: Language): Promise<void> => {
    last = language;
    try {
      await load(language);
    } catch {
      toast.error(translate('errors.client.networkError'));
      return;
    }
    if (last !== language) return;
    const { pathname, searchStr } = router.state.location;
    router.history.replace(pathname.replace(/^\/[^/]+/, `/${language}`) + searchStr);
  };
  return (language) => void change(language);
};
