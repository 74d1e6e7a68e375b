import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formulas, harmless } from '../../testing/formulas.ts';
import { csvLine } from './index.ts';

describe('a line of CSV', () => {
  it('is read back as it was, but for what would be a formula', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 2, maxLength: 6 }), (fields) => {
        const [read = []] = parse(csvLine(fields), { relaxColumnCount: true }) as string[][];
        expect(read.map((field, i) => (field === fields[i] ? field : field.replace(/^'/, '')))).toEqual(
          fields,
        );
      }),
    );
  });

  it.each(formulas)('turns no text into a formula: %j', (text) => {
    const [[read = '']] = parse(csvLine([text, 'x'])) as [string[]];
    expect(read).toBe(`'${text}`);
  });

  it.each(harmless)('leaves %j as it is', (text) => {
    const [[read = '']] = parse(csvLine([text, 'x'])) as [string[]];
    expect(read).toBe(text);
  });

  it('leaves numbers and ordinary texts alone', () => {
    expect(csvLine([-5, 'a-b', null, '1=1', 'x, "y"'])).toBe('-5,a-b,,1=1,"x, ""y"""\r\n');
  });
});
