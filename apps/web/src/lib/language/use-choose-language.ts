import type { Language } from '@simcube/contract';
import { useRouter } from '@tanstack/react-router';
import { toast } from '../toast/index.ts';
import { loadPhrases, translate } from './language.ts';

/** Phrases may load slowly: only those of the last choice are used. */
let lastChosen: Language | undefined;

/**
 * Opens the same page in another language: only the first segment of the path changes, once the phrases have loaded. If they
 * can't be loaded (no network), the page stays as it is: the router would replace it, with the person's input, by its error page.
 */
export const useChooseLanguage = (load = loadPhrases): ((language: Language) => void) => {
  const router = useRouter();
  const change = async (language: Language): Promise<void> => {
    lastChosen = language;
    try {
      await load(language);
    } catch {
      toast.error(translate('errors.client.networkError'));
      return;
    }
    if (lastChosen !== language) return;
    const { pathname, searchStr } = router.state.location;
    router.history.replace(pathname.replace(/^\/[^/]+/, `/${language}`) + searchStr);
  };
  return (language) => void change(language);
};
