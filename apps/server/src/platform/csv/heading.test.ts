import { describe, expect, it } from 'vitest';
import { headingProblem } from './index.ts';

describe('the first line of a CSV file', () => {
  it.each([
    ['iccid;imsi;tags', 'separated by semicolons'],
    ['iccid\timsi', 'separated by tabs'],
    ['iccid|imsi', 'separated by vertical bars'],
    ['\ufeffsep=;', 'names a separator'],
    ['"sep=,"\r', 'names a separator'],
    ['iccid,imsi\r893,214\r', 'carriage returns alone'],
    ['iccid;imsi\r893;214\r', 'carriage returns alone'],
    [Buffer.from('\ufefficcid,imsi', 'utf16le').toString(), 'UTF-16'],
    [Buffer.from('\ufefficcid,imsi', 'utf16le').swap16().toString(), 'UTF-16'],
    [Buffer.from('iccid,imsi', 'utf16le').toString(), 'UTF-16'],
    ['PK\u0003\u0004\u0014\u0000\u0006,', 'Excel workbook'],
    [Buffer.from('d0cf11e0a1b11ae10000', 'hex').toString(), 'Excel workbook'],
  ])('is rejected: %j', (line, trouble) => {
    expect(headingProblem(line)).toContain(trouble);
  });

  it.each(['iccid,imsi', '\ufefficcid,imsi\r', 'iccid', '', 'tags;,iccid', '"sep","x"'])(
    'is accepted: %j',
    (line) => {
      expect(headingProblem(line)).toBeUndefined();
    },
  );
});
