import { describe, expect, it } from 'vitest';
import { iccidLines } from './iccid-lines.rules.ts';

const [a, b] = ['8949020000000000001', '8949020000000000002'];

describe('a file with an ICCID a line', () => {
  it.each([
    ['with a heading, more columns and a byte-order mark', `\ufeffICCID,name\r\n"${a}",x\r\n${b},y\r\n`],
    ['of a spreadsheet that writes semicolons', `ICCID;name\n${a};x\n${b};y\n`],
    ['with tabs, and lines that end with CR alone', `${a}\tx\r${b}\ty\r`],
    ['that names one twice', `${a}\n${b}\n${a}\n`],
  ])('%s names each once', (_, text) => {
    expect(iccidLines(text)).toEqual([a, b]);
  });

  it.each([
    ['mistyped', `${a}\n89490200000000000O2x!\n`, 'Line 2: not an ICCID: 89490200000000000O2x!'],
    ['mistyped on the first line', `8949020\n${a}\n`, 'Line 1: not an ICCID: 8949020'],
    ['a heading further down', `${a}\nICCID\n${b}\n`, 'Line 2: not an ICCID: ICCID'],
    ['as long as a page', `${a}\n${'x'.repeat(5000)}`, `Line 2: not an ICCID: ${'x'.repeat(40)}`],
    ['not there', 'ICCID\n\n', 'The file contains no ICCIDs'],
  ])('is refused when one is %s', (_, text, sentence) => {
    expect(() => iccidLines(text)).toThrow(new Error(sentence));
  });
});
