import { describe, expect, it } from 'vitest';
import { readStrictYaml, YamlUnreadable } from './strict-yaml.ts';

const layers = ['b', 'c', 'd', 'e'].map((key, n) => `${key}: &${key} [${`*${'abcd'[n]}, `.repeat(9)}]`);

describe('strict YAML', () => {
  it.each([
    ['a key that stands twice', 'a:\n  - b: 1\n    c: 2\n    b: 3', 'unique: "b" at line 4'],
    ['a number and its text as keys', '{ 1: a,\n"1": b }', 'unique: "1" at line 2'],
    ['aliases of aliases', ['a: &a [x]', ...layers].join('\n'), 'write the value out, at line 2'],
    ['a merge of keys', '- &a { b: 1 }\n- { <<: *a }', 'write the value out, at line 2'],
    ['flow lists within one another', `a:\n- ${'['.repeat(200_000)}`, 'too deeply (line 2)'],
    ['maps within one another', `a:\r\n  b: ${'{ a: '.repeat(60)}`, 'too deeply (line 2)'],
    ['lists within one another', `a:\n\n${'- '.repeat(200_000)}`, 'too deeply (line 3)'],
    ['keys of lines that are indented ever more', `a:\n${' '.repeat(201)}b: 1`, 'too deeply (line 2)'],
    ['two documents', 'a: 1\n---\nb: 1', 'not YAML'],
  ])('rejects %s, with the line number', (_, text, reason) => {
    const read = () => readStrictYaml(text);
    expect(read).toThrow(YamlUnreadable);
    expect(read).toThrow(reason);
  });

  it('reports the line of every path, even with 20,000 keys', () => {
    const keys = Array.from({ length: 20_000 }, (_, n) => `  k${n}: [1, 2]`);
    const { value, lineOf } = readStrictYaml(
      ['# none', 'a:', ...keys, '"b c": { d: [x,', '  y] }'].join('\n'),
    );
    expect(Object.keys(value as object)).toEqual(['a', 'b c']);
    const paths = [['a'], ['a', 'k19999'], ['b c', 'd', 1], ['b c', 'missing'], ['absent'], []];
    expect(paths.map(lineOf)).toEqual([2, 20_002, 20_004, 20_003, 2, 2]);
  });
});
