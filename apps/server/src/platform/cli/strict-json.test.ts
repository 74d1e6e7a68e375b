import { describe, expect, it } from 'vitest';
import { readStrictJson } from './strict-json.ts';

describe('a JSON file', () => {
  it.each([
    ['[]', []],
    ['\uFEFF{ "a": 1 }', { a: 1 }],
    [
      '[{ "a": "a", "b": { "a": ["a", "a"] } },\n{ "a": "\\"a\\": {" }]',
      [{ a: 'a', b: { a: ['a', 'a'] } }, { a: '"a": {' }],
    ],
  ])('is parsed: %s', (text, content) => {
    expect(readStrictJson(text)).toEqual(content);
  });

  it.each([
    ['[{\n"a": 1,\n"b": { "c": [{}] },\n"a": 2 }]', '"a" appears twice (line 4)'],
    ['{ "a": { "b": 1, "\\u0062": 1 } }', '"b" appears twice (line 1)'],
    ['{ "a": 1,', 'The file is not JSON'],
  ])('is rejected: %s', (text, reason) => {
    expect(() => readStrictJson(text)).toThrow(reason);
  });
});
