import { describe, expect, test } from 'vitest';
import { indentJson } from './indent-json.ts';

describe('a body', () => {
  test('of JSON is indented with its values unchanged', () => {
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

  test('that is not JSON, or is truncated, is unchanged', () => {
    expect(indentJson('{"a": [1,')).toBe('{"a": [1,');
    expect(indentJson('<p>  no</p>')).toBe('<p>  no</p>');
  });
});
