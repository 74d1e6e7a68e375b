import type { Language } from '@simcube/contract';
import { useRouter } from '@tanstack/react-router';
import { session } from '../session/index.ts';
import { toast } from '../toast/index.ts';
import { loadPhrases, translate } from './language.ts';

/** Phrases may load slowly: only those of the last choice are used. */
let lastChosen: Language | undefined;

/**
 * Opens the same page in another language: only the first segment of the path changes, once the phrases have loaded. If they
 * can't be loaded (no network), the page stays as it is: the router would replace it, with the person's input, by its error page.
 * @returns whether the page was opened
 */
export const useOpenInLanguage = (load = loadPhrases): ((language: Language) => Promise<boolean>) => {
  const router = useRouter();
  return async (language) => {
    lastChosen = language;
    try {
      await load(language);
    } catch {
      toast.error(translate('errors.client.networkError'));
      return false;
    }
    if (lastChosen !== language) return false;
    const { pathname, searchStr } = router.state.location;
    router.history.replace(pathname.replace(/^\/[^/]+/, `/${language}`) + searchStr);
    return true;
  };
};

/** The same by the person's choice, which has priority over the account's language at the next sign-in in this browser. */
export const useChooseLanguage = (load = loadPhrases): ((language: Language) => void) => {
  const openIn = useOpenInLanguage(load);
  const choose = async (language: Language): Promise<void> => {
    if (!(await openIn(language))) return;
    session.set('chosenLang', language);
    session.set('lang', language);
  };
  return (language) => void choose(language);
};
