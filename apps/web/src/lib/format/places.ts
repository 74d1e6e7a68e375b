import type { Language } from '@simcube/contract';

/** Names of countries by ISO 3166-1 alpha-2 code, from the browser's own data. */
export const places = (language: Language) => {
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'code' });
  return {
    country: (code: string): string => {
      try {
        return names.of(code) ?? code;
      } catch {
        return code;
      }
    },
  };
};
