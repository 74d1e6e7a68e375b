import { countries } from 'countries-list';

/** Whether two letters are the code of a country or territory (ISO 3166-1 alpha-2, and XK, which is in common use). */
export const isCountry = (code: string): boolean => Object.hasOwn(countries, code);

export const countryCodes: readonly string[] = Object.keys(countries);

/** Those of some codes that are not in ISO 3166, such as `UK`: they would never match anything. */
export const unknownCountries = (codes: readonly string[]): string[] =>
  codes.filter((code) => !isCountry(code));
