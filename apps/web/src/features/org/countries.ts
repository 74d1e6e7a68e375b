import { type Language, languages } from '@simcube/contract';
import { countries, type TContinentCode } from 'countries-list';
import { normaliseForSearch } from '../../lib/format/index.ts';

export type Continent = TContinentCode;
const continents: readonly Continent[] = ['EU', 'AS', 'NA', 'SA', 'AF', 'OC', 'AN'];

export interface CountryGroup {
  continent: Continent;
  countries: { code: string; name: string }[];
}

/** All countries by region, each with its localised name and in the language's order. */
export const countryGroups = (language: Language): CountryGroup[] => {
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'code' });
  const collator = new Intl.Collator(language);
  return continents.map((continent) => ({
    continent,
    countries: Object.entries(countries)
      .filter(([, country]) => country.continent === continent)
      .map(([code]) => ({ code, name: names.of(code) ?? code }))
      .sort((one, other) => collator.compare(one.name, other.name)),
  }));
};

/** The texts that a country can be found by: its name in any of the languages, in its own, and its code. */
export const searchTextOf = (code: string): string => {
  const country = Object.entries(countries).find(([one]) => one === code)?.[1];
  const names = languages.map((language) =>
    new Intl.DisplayNames(language, { type: 'region', fallback: 'code' }).of(code),
  );
  return normaliseForSearch([code, country?.name, country?.native, ...names].filter(Boolean).join(' '));
};
