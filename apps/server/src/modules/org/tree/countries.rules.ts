import { countries } from 'countries-list';

/** Two letters that stand for a country or territory (ISO 3166-1 alpha-2, and XK as everybody writes it). */
export const isCountry = (code: string): boolean => Object.hasOwn(countries, code);

export const countryCodes: readonly string[] = Object.keys(countries);

/** Those of some codes that are none of ISO 3166, such as `UK`: nothing would ever be found by them. */
export const unknownCountries = (codes: readonly string[]): string[] =>
  codes.filter((code) => !isCountry(code));
