import { isBrokenText } from '@simcube/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CursorContext, decodeCursor, encodeCursor } from './cursor.ts';
import type { KeyType } from './key-types.rules.ts';
import type { Order, Position } from './order.ts';

const orderOf = (type: KeyType, nulls?: 'least'): Order => ({
  text: 'one',
  sort: 'one',
  keys: [
    { column: 'one', type, descending: false, ...(nulls && { nulls }) },
    { column: 'id', type: 'integer', descending: false },
  ],
});
const groundOf = (type: KeyType, nulls?: 'least'): CursorContext => ({
  list: 'test',
  scope: { owner: 1 },
  filter: { kind: ['a'], from: '2026-01-01' },
  order: orderOf(type, nulls),
});

/** A cursor with the right mark and another position. */
const bent = (ground: CursorContext, change: (mark: string) => unknown): string => {
  const [mark] = JSON.parse(Buffer.from(encodeCursor(ground, ['x', '1']), 'base64url').toString());
  return Buffer.from(JSON.stringify(change(mark))).toString('base64url');
};
const refused = (ground: CursorContext, cursor: string) =>
  expect(() => decodeCursor(ground, cursor), cursor).toThrow(expect.objectContaining({ code: 'CB-00-0406' }));

describe('a cursor', () => {
  it('returns the position that it was created from, for any valid text', () => {
    const ground = groundOf('text', 'least');
    const position = fc.tuple(
      fc.option(fc.string({ unit: 'grapheme' }).filter((text) => !isBrokenText(text))),
      fc.bigInt(0n, 10n ** 15n).map(String),
    );
    fc.assert(
      fc.property(position, (given: Position) => {
        expect(decodeCursor(ground, encodeCursor(ground, given))).toEqual(given);
      }),
    );
  });

  it('is rejected if list, scope, filter or order differ, but not the order of filter fields', () => {
    const ground = groundOf('text');
    const cursor = encodeCursor(ground, ['x', '1']);
    refused({ ...ground, list: 'other' }, cursor);
    refused({ ...ground, scope: { owner: 2 } }, cursor);
    refused({ ...ground, filter: { kind: ['a'] } }, cursor);
    refused({ ...ground, filter: { kind: ['b'], from: '2026-01-01' } }, cursor);
    refused({ ...ground, order: { ...ground.order, text: '-one' } }, cursor);
    const turned = { ...ground, filter: { from: '2026-01-01', kind: ['a'] } };
    expect(decodeCursor(turned, cursor)).toEqual(['x', '1']);
  });

  it.each<[string, (mark: string) => unknown]>([
    ['no list of values', (mark) => mark],
    ['a mark alone', (mark) => [mark]],
    ['too few values', (mark) => [mark, 'x']],
    ['too many values', (mark) => [mark, 'x', '1', '2']],
    ['another mark', (mark) => [`${mark}x`, 'x', '1']],
    ['a number for a text', (mark) => [mark, 'x', 1]],
    ['an object for a text', (mark) => [mark, {}, '1']],
    ['a null where there is none', (mark) => [mark, 'x', null]],
    ['no whole number', (mark) => [mark, 'x', '1e3']],
    ['a number beyond the database’s', (mark) => [mark, 'x', '9'.repeat(19)]],
    ['a zero byte', (mark) => [mark, 'a\0b', '1']],
    ['half a character', (mark) => [mark, '\ud800', '1']],
    ['a text longer than any key', (mark) => [mark, 'x'.repeat(2001), '1']],
  ])('with %s is rejected', (_, change) => {
    refused(groundOf('text'), bent(groundOf('text'), change));
  });

  it.each<[KeyType, string[], (string | null)[]]>([
    [
      'instant',
      ['2026-01-31 00:00:00.000001+00', 'infinity', '-infinity'],
      [
        '2026-02-30 00:00:00+00',
        'yesterday',
        '2026-01-01',
        '0000-01-01 00:00:00+00',
        '2026-01-01T00:00:00Z',
        null,
      ],
    ],
    ['date', ['2026-01-31'], ['2026-02-30', '0000-01-01', 'today', null]],
    ['uuid', ['7b3c1f1e-0000-4000-8000-000000000000'], ['7b3c1f1e', null]],
    ['integer', ['0', '-1', '999999999999999999'], ['', '0x1', '1.5', ' 1', null]],
  ])('of a key of type %s accepts only valid values', (type, possible, impossible) => {
    const ground = groundOf(type);
    for (const value of possible) {
      expect(decodeCursor(ground, encodeCursor(ground, [value, '1']))).toEqual([value, '1']);
    }
    for (const value of impossible) refused(ground, encodeCursor(ground, [value, '1']));
  });

  it.each(['', 'rubbish', '%', 'bnVsbA', 'e30', 'W10'])('is rejected: %j', (text) => {
    refused(groundOf('text'), text);
  });
});
