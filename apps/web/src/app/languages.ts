import { type Language, languages } from '@simcube/contract';

export const supportedLanguage = (segment: string): Language | undefined =>
  languages.find((language) => language === segment);

/** A first segment that is meant as a language (BCP 47) but is not exactly one of ours: `fr`, `EN-us`, `zh_TW`, `es-419`. */
const languageLike = /^[a-z]{2,3}([-_][a-z]{4})?([-_]([a-z]{2}|\d{3}))?$/i;

/**
 * Puts a supported language in front of the path: `language` replaces a first segment that was meant as a language; any other
 * path is kept whole. `/fr/simCard` and `/simCard` both become `/es-ES/simCard`.
 */
export const withLanguage = (pathname: string, language: Language): string => {
  const [first = '', ...rest] = pathname.split('/').filter(Boolean);
  const hasLanguage = supportedLanguage(first) !== undefined || languageLike.test(first);
  const segments = hasLanguage ? rest : [first, ...rest].filter(Boolean);
  return `/${[language, ...segments].join('/')}`;
};
