import { expect, it } from 'vitest';
import { isCountry } from './countries.rules.ts';
import { problemsOf } from './org.rules.ts';

const good = { code: 'northwind-2', name: 'Northwind Ltd.', country: 'GB' };

it('an organisation has a code, a name of 5 to 40 characters and a country', () => {
  expect(problemsOf(good)).toEqual([]);
  expect(problemsOf({ ...good, code: 'ACME' })).toEqual([]);
  expect(problemsOf({ ...good, name: 'x'.repeat(5) })).toEqual([]);
  expect(problemsOf({ ...good, name: 'x'.repeat(40) })).toEqual([]);
  for (const wrong of [
    { code: 'no spaces' },
    { code: '-a' },
    { code: 'a-' },
    { code: '' },
    { code: 'x'.repeat(41) },
    { name: 'x'.repeat(4) },
    { name: 'x'.repeat(41) },
    { country: 'ZZ' },
    { country: 'XQ' },
    { country: 'gb' },
    { country: 'GBR' },
  ]) {
    expect(problemsOf({ ...good, ...wrong }), JSON.stringify(wrong)).toHaveLength(1);
  }
});

it('countries are those of ISO 3166', () => {
  for (const code of ['DE', 'CN', 'TW', 'ES', 'US', 'XK']) expect(isCountry(code), code).toBe(true);
});
