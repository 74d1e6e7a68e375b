import fc from 'fast-check';
import { expect, it } from 'vitest';
import { linesOf } from './paragraph.rules.ts';

/** Every character has width one, ideographs and their punctuation two. */
const widthOf = (text: string) =>
  [...text].reduce((sum, character) => sum + (character > '\u2e80' ? 2 : 1), 0);
const column = (width: number, maxLines = 100) => ({ width, widthOf, maxLines });

it('a paragraph breaks at spaces and between ideographs, never before a closing mark or after an opening one', () => {
  expect(linesOf('one two three', column(7))).toEqual(['one two', 'three']);
  expect(linesOf('套餐已用完，请增加。', column(10))).toEqual(['套餐已用', '完，请增', '加。']);
  expect(linesOf('参见「套餐」项', column(6))).toEqual(['参见', '「套', '餐」项']);
  expect(linesOf('卡 SIM 卡', column(6))).toEqual(['卡 SIM', '卡']);
});

it('a paragraph breaks a word that is wider than the column', () => {
  expect(linesOf('abcdefgh', column(3))).toEqual(['abc', 'def', 'gh']);
});

it('a paragraph is truncated at the maximum number of lines', () => {
  expect(linesOf('one two three four', column(7, 1))).toEqual(['one tw…']);
});

it('a paragraph loses only spaces, and no line is wider than the column', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '卡', '，', '。', '（', '）', '1') });
  fc.assert(
    fc.property(text, fc.integer({ min: 8, max: 40 }), (written, width) => {
      const lines = linesOf(written, column(width));
      expect(lines.join('').replaceAll(/\s/g, '')).toBe(written.replaceAll(/\s/g, ''));
      for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
    }),
  );
});
