import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldPattern, searchPattern, wholeIdentifier } from './sim-search.rules.ts';

describe('search', () => {
  it.each<[string, ReturnType<typeof searchPattern>]>([
    ['', { kind: 'everything' }],
    ['   ', { kind: 'everything' }],
    ['%_%', { kind: 'nothing' }],
    ['—', { kind: 'nothing' }],
    ['tru', { kind: 'pattern', like: '%tru%', recheck: undefined }],
    ['tr', { kind: 'short', like: '%\ntr%' }],
    ['电表', { kind: 'short', like: '%电表%' }],
    ['K\u00c4', { kind: 'short', like: '%K\u00c4%' }],
    ['a--', { kind: 'short', like: '%\na--%' }],
    ['--a', { kind: 'pattern', like: '%--a%', recheck: undefined }],
    ['91-A', { kind: 'pattern', like: '%91-A%', recheck: undefined }],
    ['50%_\\x', { kind: 'pattern', like: '%50\\%\\_\\\\x%', recheck: undefined }],
    ['123456', { kind: 'pattern', like: '%123456%', recheck: undefined }],
    ['8986001230000451882', { kind: 'pattern', like: '%451882%', recheck: '%8986001230000451882%' }],
  ])('looks for %j', (text, expected) => {
    expect(searchPattern(text)).toEqual(expected);
  });

  it.each<[string, ReturnType<typeof fieldPattern>]>([
    ['%_%', undefined],
    ['tr', { like: 'tr%', atStart: true, indexed: undefined }],
    ['电', { like: '%电%', atStart: false, indexed: undefined }],
    [' a_ ', { like: 'a\\_%', atStart: true, indexed: undefined }],
    ['tru', { like: '%tru%', atStart: false, indexed: '%tru%' }],
    ['8986001230000451882', { like: '%8986001230000451882%', atStart: false, indexed: '%451882%' }],
  ])('looks for %j in one field', (text, expected) => {
    expect(fieldPattern(text)).toEqual(expected);
  });

  it.each<[string, string | undefined]>([
    ['8986001230000451882', '8986001230000451882'],
    [' 8986 0012 3000 0451 882 ', '8986001230000451882'],
    ['8986-0012-3000-0451-882', '8986001230000451882'],
    ['+34600123456', '34600123456'],
    ['＋34 600 123 456', '34600123456'],
    ['+44 (0)7700/900.123', '4407700900123'],
    ['34 600 123 456', undefined],
    ['+346', undefined],
    ['+34 600 x', undefined],
    ['Meter 8986001230000451882', undefined],
    ['2026-11-28', undefined],
  ])('takes %j for the identifier %j of one SIM', (text, expected) => {
    expect(wholeIdentifier(text)).toBe(expected);
  });

  it('never gives a pattern that the index has no trigram of', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', '7', 'é', '-', ' ', '%', '_', '\\', '.'),
      maxLength: 8,
    });
    fc.assert(
      fc.property(text, (typed) => {
        const search = searchPattern(typed);
        if (search.kind !== 'pattern') return;
        const plain = search.like.slice(1, -1).replaceAll(/\\(.)/g, '$1');
        expect(plain).toMatch(/[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]|[\p{L}\p{N}]{2}[^\p{L}\p{N}]/u);
      }),
    );
  });
});
