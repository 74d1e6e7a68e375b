import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { listParam, parseSearch, stringifySearch } from './index.ts';

test('identifiers in a URL remain strings, and lists are repeated names', () => {
  expect(parseSearch('?search=89860012300004518823&lifecycle=active&lifecycle=paused')).toEqual({
    search: '89860012300004518823',
    lifecycle: ['active', 'paused'],
  });
  expect(stringifySearch({ search: 'a b&c', page: 2, over: true, none: undefined, no: null, list: [] })).toBe(
    '?search=a+b%26c&page=2&over=true',
  );
});

test('search parameters are preserved when written and read', () => {
  const name = fc.stringMatching(/^[a-z_]{1,8}$/).filter((one) => one !== '__proto__');
  const value = fc.oneof(fc.string(), fc.array(fc.string(), { minLength: 2, maxLength: 4 }));
  fc.assert(
    fc.property(fc.dictionary(name, value), (search) => {
      expect(parseSearch(stringifySearch(search))).toEqual({ ...search });
    }),
  );
});

test.each([
  ['active', ['active']],
  [
    ['active', 'nonsense', 'paused'],
    ['active', 'paused'],
  ],
  ['nonsense', undefined],
  [undefined, undefined],
] as const)('a list parameter of %j reads as %j', (given, wanted) => {
  const schema = z.object({ lifecycle: listParam(z.enum(['active', 'paused'])) });
  expect(schema.parse(given === undefined ? {} : { lifecycle: given }).lifecycle).toEqual(wanted);
});
