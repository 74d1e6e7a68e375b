import { expect, test } from 'vitest';
import { splitIdentifiers } from './split-identifiers.ts';

const iccid = '89860012300004518823';

test.each([
  ['an ICCID in groups', '8986 0012 3000 0451 8823', [iccid]],
  ['of a card, with blanks that do not break', '898600 123000 045188 23', [iccid]],
  ['a phone number', '+34 590 000 112 345', ['34590000112345']],
  ['one a line', `8986 0012 3000 0451 8823\r\n${iccid}`, [iccid, iccid]],
])('digits in groups are one identifier: %s', (_, text, found) => {
  expect(splitIdentifiers(text)).toEqual(found);
});

test('complete numbers between blanks are separate identifiers', () => {
  expect(splitIdentifiers(`${iccid} 262021234518823  4915112345678`)).toEqual([
    iccid,
    '262021234518823',
    '4915112345678',
  ]);
  expect(splitIdentifiers('12345 67890')).toEqual(['12345', '67890']);
});
