import fc from 'fast-check';
import { expect, it } from 'vitest';
import { repeatedName } from './repeated-name.ts';

const found = (text: string) => repeatedName(text, JSON.parse(text));

it.each([
  ['{"a":1,"a":2}', 'a'],
  ['{"a":1,"\\u0061" : 1}', 'a'],
  ['{"b":[{"a":{}},{"c":0,"c":{"a":"\\"a\\":"}}]}', 'c'],
  ['{"a":{"b":1},"a":{"b":2}}', 'a'],
  ['{"\\"":1,"\\"":1}', '"'],
  ['{"":1,"":1}', ''],
  ['[{"a":"a"},{"a":"a"}]', undefined],
  ['{"a":"\\"a\\":1,\\"a\\":\\\\"}', undefined],
  ['"a"', undefined],
  [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, undefined],
])('the name that %.40s has twice: %j', (text, name) => {
  expect(found(text)).toBe(name);
});

it('no name of serialised JSON is repeated, and one more is found', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (value, name) => {
      const text = JSON.stringify(value);
      expect(found(text)).toBeUndefined();
      expect(found(`{"x":[${text},{${JSON.stringify(name)}:1,${JSON.stringify(name)}:1}]}`)).toBeDefined();
    }),
  );
});
