import { languages } from '@simcube/contract';
import { expect, test } from 'vitest';
import { normaliseForSearch } from '../../lib/format/index.ts';
import { countryGroups, searchTextOf } from './countries.ts';

test.each(languages)('%s: every country once, in its region, by name', (language) => {
  const groups = countryGroups(language);
  const all = groups.flatMap(({ countries }) => countries);
  expect(new Set(all.map(({ code }) => code)).size).toBe(all.length);
  expect(all.length).toBeGreaterThan(240);
  expect(groups.every(({ countries }) => countries.length > 0)).toBe(true);
  const europe = groups.find(({ continent }) => continent === 'EU')?.countries.map(({ code }) => code);
  expect(europe).toContain('ES');
  expect(europe).not.toContain('CN');
});

test('a country is found by its name in any language, without accents and width, and by its code', () => {
  for (const typed of ['españa', 'ESPANA', 'ＥＳＰＡＮＡ', 'es\u200bpana', 'spain', '西班牙', 'es']) {
    expect(searchTextOf('ES')).toContain(normaliseForSearch(typed));
  }
});
