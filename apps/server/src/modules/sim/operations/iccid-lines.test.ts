import { limits } from '@simcube/contract';
import { describe, expect, it } from 'vitest';
import { iccidLines } from './iccid-lines.rules.ts';

const [a, b] = ['8949020000000000001', '8949020000000000002'];

describe('a file with an ICCID a line', () => {
  it.each([
    ['with a heading, more columns and a byte-order mark', `\ufeffICCID,name\r\n"${a}",x\r\n${b},y\r\n`],
    ['of a spreadsheet that writes semicolons', `ICCID;name\n${a};x\n${b};y\n`],
    ['with tabs, and lines that end with CR alone', `${a}\tx\r${b}\ty\r`],
    ['that names one twice', `${a}\n${b}\n${a}\n`],
    ['with blanks, and a heading with a few digits', `\n List 2026 \n ${a} \n${b}`],
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

  it('names as many as an operation may have', () => {
    const lines = (count: number) =>
      Array.from({ length: count }, (_, n) => String(8_949_020_000_000_000 + n));
    const max = limits.simsOfOperation;
    expect(
      iccidLines(
        lines(max)
          .map((line) => `${line}000`)
          .join('\n'),
      ),
    ).toHaveLength(max);
    expect(() =>
      iccidLines(
        lines(max + 1)
          .map((line) => `${line}000`)
          .join('\n'),
      ),
    ).toThrow(`At most ${max} SIMs`);
  });
});
