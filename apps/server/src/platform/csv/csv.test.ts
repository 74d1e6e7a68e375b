import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formulas, harmless, laterFormulas } from '../../testing/formulas.ts';
import { unescapeFormula } from './formulas.ts';
import { csvLine, lineEndConverter } from './index.ts';

describe('a CSV line', () => {
  it('is read back unchanged, except for formulas', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 2, maxLength: 6 }), (fields) => {
        const [read = []] = parse(csvLine(fields), { relaxColumnCount: true }) as string[][];
        expect(read.map((field, i) => (field === fields[i] ? field : unescapeFormula(field)))).toEqual(
          fields,
        );
      }),
    );
  });

  it.each(formulas)('escapes formulas: %j', (text) => {
    const [[read = '']] = parse(csvLine([text, 'x'])) as [string[]];
    expect(read).toBe(`'${text}`);
  });

  it.each(laterFormulas)('turns no text into a formula where semicolons separate: %j', (text, written) => {
    const [[read = '']] = parse(csvLine([text, 'x'])) as [string[]];
    expect(read).toBe(written);
    expect(unescapeFormula(read)).toBe(text);
  });

  it.each(harmless)('leaves %j unchanged', (text) => {
    const [[read = '']] = parse(csvLine([text, 'x'])) as [string[]];
    expect(read).toBe(text);
  });

  it('gets the same line ends as the database’s lines, at any chunk size', () => {
    const text = fc.string({ unit: fc.constantFrom('"', '\n', '\r', ',', 'a', 'é', '水') });
    const field = fc.oneof(text, fc.constantFrom('', '\n', '""', 'plain'));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(field, field), { maxLength: 5 }),
        fc.integer({ min: 1, max: 9 }),
        (rows, size) => {
          const copied = rows.map((row) => csvLine(row).replace(/\r\n$/, '\n')).join('');
          const octets = Buffer.from(copied);
          const ended = lineEndConverter();
          const pieces = Array.from({ length: Math.ceil(octets.length / size) }, (_, index) =>
            ended(octets.subarray(index * size, (index + 1) * size)),
          );
          expect(Buffer.concat(pieces).toString()).toBe(rows.map((row) => csvLine(row)).join(''));
        },
      ),
    );
  });

  it('leaves numbers and ordinary texts unchanged', () => {
    expect(csvLine([-5, 'a-b', null, '1=1', 'x, "y"'])).toBe('-5,a-b,,1=1,"x, ""y"""\r\n');
  });
});
