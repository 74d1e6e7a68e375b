import { expect, test } from 'vitest';
import { piecesOf } from './identifier-pieces.ts';

const iccid = '89860012300004518823';
/** Marks the last digits with `*`, and puts what was found in brackets. */
const shown = (found: { from: number; to: number } | undefined, emphasis = true) =>
  piecesOf(iccid, { emphasis, found })
    .map(({ text, tail, found: isFound }) => (isFound ? `[${text}]` : text) + (tail ? '*' : ''))
    .join(' ');

test.each([
  [undefined, '8986001230000 4518823*'],
  [{ from: 4, to: 8 }, '8986 [0012] 30000 4518823*'],
  [{ from: 11, to: 15 }, '89860012300 [00] [45]* 18823*'],
  [{ from: 0, to: 20 }, '[8986001230000] [4518823]*'],
  [{ from: 18, to: 20 }, '8986001230000 45188* [23]*'],
])('a match may overlap the emphasised last digits: %j', (found, pieces) => {
  expect(shown(found)).toBe(pieces);
});

test('without emphasis a number is one piece', () => {
  expect(shown(undefined, false)).toBe(iccid);
});
