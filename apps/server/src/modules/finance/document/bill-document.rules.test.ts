import { describe, expect, it } from 'vitest';
import { type BillDocument, sectionsOf, settledMinor, stampOf } from './bill-document.rules.ts';

const documentOf = (bill: Partial<BillDocument['bill']>) => ({ bill }) as BillDocument;

describe('the document of a bill', () => {
  it('is stamped if it is not to be paid', () => {
    const statuses = ['draft', 'published', 'paid', 'obsolete'] as const;
    expect(statuses.map((status) => stampOf(documentOf({ status })))).toEqual([
      ...['draft', null, null, 'replaced'],
    ]);
  });

  it('states the amount that is settled', () => {
    expect(settledMinor(documentOf({ total_minor: 500, to_pay_minor: 180 }))).toBe(320);
  });

  it('has its lines by organisation, each in the order of its first line', () => {
    const line = (number: number, code: string) =>
      ({ line: number, organisation: { code, name: code.toUpperCase() } }) as BillDocument['lines'][number];
    const lines = [line(1, 'b'), line(2, 'a'), line(3, 'b')];
    expect(sectionsOf(lines)).toEqual([
      { code: 'b', name: 'B', lines: [lines[0], lines[2]] },
      { code: 'a', name: 'A', lines: [lines[1]] },
    ]);
  });
});
