import { expect, test } from 'vitest';
import { piecesOf } from './pieces.ts';

const shown = (text: string): string =>
  piecesOf(text)
    .map((piece) => (piece.hidden ? `[${piece.text}]` : piece.text))
    .join('');

test.each([
  ['A fw 4.2.0\nbatt 12.6V', 'A fw 4.2.0\nbatt 12.6V'],
  ['bell\u0007 null\u0000 esc\u001b', 'bell[U+0007] null[U+0000] esc[U+001B]'],
  ['user\u202Etxt.exe', 'user[U+202E]txt.exe'],
  ['\u2066isolated\u2069', '[U+2066]isolated[U+2069]'],
  ['zero\u200Bwidth\uFEFF', 'zero[U+200B]width[U+FEFF]'],
  ['half \uD83D', 'half [U+D83D]'],
  ['family 👨‍👩‍👧 sun ☀️', 'family 👨‍👩‍👧 sun ☀️'],
  ['مرحبا abc', 'مرحبا abc'],
  ['a\r\nb', 'a\r\nb'],
])('invisible characters in %j are named, and the rest is unchanged', (text, expected) => {
  expect(shown(text)).toBe(expected);
});
