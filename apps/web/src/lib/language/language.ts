import { chooseLanguage, type Language, languages } from '@simcube/contract';
import {
  loadConsolePhrases,
  loadDeferredPhrases,
  loadPublicPhrases,
  type PhraseKey,
  type Phrases,
  type PhraseValues,
} from '@simcube/phrases/load';
import i18next from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';
import { loadWhenReachable } from '../chunks/index.ts';
import { session } from '../session/index.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: Phrases };
  }
}

/** The person's language, else the best supported one of the browser's languages (specification, section 1). */
export const preferredLanguage = (): Language => session.get('lang') ?? chooseLanguage(navigator.languages);

const isLanguage = (text: string): text is Language => (languages as readonly string[]).includes(text);

export const currentLanguage = (): Language =>
  i18next.language && isLanguage(i18next.language) ? i18next.language : preferredLanguage();

/** Phrases come in parts, each fetched when a page first needs it. */
const parts = {
  /** Public pages. */
  public: loadPublicPhrases,
  /** The first screens after the sign-in; the sign-in page does not need them. */
  console: loadConsolePhrases,
  /** Screens that are never the first. */
  later: loadDeferredPhrases,
} satisfies Record<string, (language: Language) => Promise<object>>;

type Part = keyof typeof parts;

const loaded = new Set<`${Language} ${Part}`>();

/** Parts that the pages on screen may use. */
const partsInUse = new Set<Part>(['public']);

const addPhrases = async (language: Language, part: Part): Promise<void> => {
  partsInUse.add(part);
  if (!i18next.isInitialized) await initialise();
  if (loaded.has(`${language} ${part}`)) return;
  const bundle = withManyForms(language, await fetchPart(language, part));
  loaded.add(`${language} ${part}`);
  i18next.addResourceBundle(language, 'translation', bundle, true);
};

/** Failing to fetch a part does not prevent pages that can do without it from opening. */
const fetchPart = async (language: Language, part: Part): Promise<object> => {
  try {
    return await parts[part](language);
  } catch (error) {
    if (![...loaded].some((one) => one.endsWith(` ${part}`))) partsInUse.delete(part);
    throw error;
  }
};

/** Loads all phrases, in the given language, that the pages on screen may use. */
export const loadPhrases = async (language: Language): Promise<void> => {
  await Promise.all([...partsInUse].map((part) => addPhrases(language, part)));
};

/**
 * Switches the console to the language. Open pages do not re-render for phrases that load after the switch, so the
 * phrases of all parts in use are loaded first.
 */
export const activateLanguage = async (language: Language): Promise<void> => {
  await loadPhrases(language);
  if (i18next.language !== language) await i18next.changeLanguage(language);
  document.documentElement.lang = language;
};

export const addConsolePhrases = (language: Language): Promise<void> => addPhrases(language, 'console');

export const addDeferredPhrases = (language: Language): Promise<void> =>
  loadWhenReachable(() => addPhrases(language, 'later'));

/** For code outside components; components use `useTranslation` of react-i18next. */
export const translate = (key: PhraseKey, values: PhraseValues = {}): string =>
  String(i18next.t(key, { ...values }));

export const useLanguage = (): Language => {
  const { i18n } = useTranslation();
  return isLanguage(i18n.language) ? i18n.language : preferredLanguage();
};

const initialise = async (): Promise<void> => {
  await i18next.use(initReactI18next).init({
    fallbackLng: false,
    supportedLngs: [...languages],
    resources: {},
    interpolation: { escapeValue: false },
    react: { useSuspense: false, bindI18n: 'languageChanged' },
  });
};

/**
 * Spanish has a third plural form for whole millions (CLDR `many`); the phrases only have `one` and `other`, so `many` is copied
 * from `other`.
 */
const withManyForms = (language: Language, phrases: object): object =>
  language === 'es-ES' ? addMany(phrases) : phrases;

const addMany = (node: object): object =>
  Object.fromEntries(
    Object.entries(node).flatMap(([key, value]: [string, unknown]): [string, unknown][] => {
      if (typeof value === 'object' && value !== null) return [[key, addMany(value)]];
      return key.endsWith('_other')
        ? [
            [key, value],
            [key.replace(/_other$/, '_many'), value],
          ]
        : [[key, value]];
    }),
  );
