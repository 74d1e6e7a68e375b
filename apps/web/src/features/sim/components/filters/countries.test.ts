import { languages } from '@simcube/contract';
import { countries } from 'countries-list';
import { expect, test } from 'vitest';
import { countriesIn } from './countries.ts';

test.each(languages)('every country of today is listed once, under its own code (%s)', (language) => {
  const listed = countriesIn(language);
  expect(new Set(listed.map(({ value }) => value))).toEqual(new Set(Object.keys(countries)));
  expect(new Set(listed.map(({ label }) => label)).size).toBe(listed.length);
});
