import type { Language } from '@simcube/contract';

/** Codes that are not countries but groups or parts of them, or unassigned (ISO 3166-1, reserved and user-assigned). */
const nonCountryCodes = new Set([
  ...['EU', 'EZ', 'QO', 'UN'],
  ...['CP', 'CQ', 'DG', 'EA', 'IC'],
  ...['XA', 'XB', 'ZZ'],
]);
/** The browser names a former code as the country of today (DD is Germany), whose own code replaces it in a locale. */
const isFormer = (code: string): boolean => new Intl.Locale(`und-${code}`).region !== code;
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const cache = new Map<Language, { value: string; label: string }[]>();

/** All countries in the language's own order: the browser has their names, so there is no list of ours to maintain. */
export const countriesIn = (language: Language): { value: string; label: string }[] => {
  const cached = cache.get(language);
  if (cached) return cached;
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
  const countries = letters
    .flatMap((first) => letters.map((second) => first + second))
    .flatMap((value) => {
      const label = nonCountryCodes.has(value) || isFormer(value) ? undefined : names.of(value);
      return label === undefined ? [] : [{ value, label }];
    })
    .sort((one, other) => one.label.localeCompare(other.label, language));
  cache.set(language, countries);
  return countries;
};
