import { describe, expect, test } from 'vitest';
import { indentJson } from './indent-json.ts';

describe('a body', () => {
  test('of JSON has a line for each value, which stays as it was written', () => {
    expect(indentJson('{"a":[1, 12345678901234567890],"b":{ },"c":"x, {y}: \\"z"}')).toBe(
      [
        '{',
        '  "a": [',
        '    1,',
        '    12345678901234567890',
        '  ],',
        '  "b": {},',
        '  "c": "x, {y}: \\"z"',
        '}',
      ].join('\n'),
    );
  });

  test('that is no JSON, or was cut, is shown as it is', () => {
    expect(indentJson('{"a": [1,')).toBe('{"a": [1,');
    expect(indentJson('<p>  no</p>')).toBe('<p>  no</p>');
  });
});
