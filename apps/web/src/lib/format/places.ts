import type { Language } from '@simcube/contract';

/** Names of countries by ISO 3166-1 alpha-2 code, from the browser's own data, which it loads at the first use. */
export const places = (language: Language) => {
  let names: Intl.DisplayNames | undefined;
  return {
    country: (code: string): string => {
      names ??= new Intl.DisplayNames(language, { type: 'region', fallback: 'code' });
      try {
        return names.of(code) ?? code;
      } catch {
        return code;
      }
    },
  };
};
