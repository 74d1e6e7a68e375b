import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CsvRecord, csvRecords } from './index.ts';

async function* piecesOf(octets: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < octets.length; at += size) yield octets.subarray(at, at + size);
}

const read = async (text: string | Buffer, size = 64, maxLength = 1000): Promise<CsvRecord[]> => {
  const records: CsvRecord[] = [];
  for await (const record of csvRecords(piecesOf(Buffer.from(text), size), { maxLength }))
    records.push(record);
  return records;
};
const brief = async (...from: Parameters<typeof read>) =>
  (await read(...from)).map(({ line, lastLine, cells }) => [line, lastLine, cells?.join('|')]);

describe('CSV records', () => {
  it.each([1, 2, 7, 1000])('have line numbers with any line end, in chunks of %d octets', async (size) => {
    expect(await brief('\ufeffa,b\r\n"1\r\n2",ü\r\n\r\n3,4\n"5\r6",\r7,"8 ""x"""', size)).toEqual([
      [1, 1, 'a|b'],
      [2, 3, '1\r\n2|ü'],
      [5, 5, '3|4'],
      [6, 7, '5\r6|'],
      [8, 8, '7|8 "x"'],
    ]);
  });

  it('lose one line to an unclosed or misplaced quotation mark', async () => {
    const below = Array.from({ length: 300 }, (_, index) => `${index},y`);
    const text = (wrong: string) => ['a,b', '1,2', wrong, ...below].join('\n');
    for (const wrong of ['"x,y', 'x,"y', 'x,y"', 'x,"y"z', '"']) {
      const records = await brief(text(wrong));
      expect(records).toHaveLength(303);
      expect(records.slice(1, 4)).toEqual([
        [2, 2, '1|2'],
        [3, 3, undefined],
        [4, 4, '0|y'],
      ]);
      expect(records.at(-1)).toEqual([303, 303, '299|y']);
    }
  });

  it('lose one line to each unclosed quotation mark', async () => {
    expect(await brief('1,"a\n2,b\n3,c"d\n4,"e\nf"\n5,"g')).toEqual([
      [1, 1, undefined],
      [2, 2, '2|b'],
      [3, 3, undefined],
      [4, 5, '4|e\nf'],
      [6, 6, undefined],
    ]);
  });

  it('that are too long are skipped without losing others', async () => {
    const long = 'x'.repeat(5000);
    expect(await brief(`1,2\r\n${long}\r\n3,4\r\n"${'y\n'.repeat(600)}`, 100)).toEqual([
      [1, 1, '1|2'],
      [2, 2, undefined],
      [3, 3, '3|4'],
      [4, 4, undefined],
      ...Array.from({ length: 599 }, (_, index) => [index + 5, index + 5, 'y']),
    ]);
    expect(await brief(long, 100)).toEqual([[1, 1, undefined]]);
  });

  it('are read from strings as well', async () => {
    const found: unknown[] = [];
    for await (const { line, cells } of csvRecords(Readable.from(['1,"2', '\n', '3"\n4', ',5\n']), {
      maxLength: 100,
    }))
      found.push([line, cells]);
    expect(found).toEqual([
      [1, ['1', '2\n3']],
      [3, ['4', '5']],
    ]);
  });

  it('close their file when the reader stops early', async () => {
    const file = Readable.from([Buffer.from('1,2\n'), Buffer.from('3,4\n')]);
    for await (const { line } of csvRecords(file, { maxLength: 100 })) {
      expect(line).toBe(1);
      break;
    }
    expect(file.destroyed).toBe(true);
  });

  it('are read as they were written', async () => {
    const cell = fc.string({ unit: fc.constantFrom(...'ab"\n\r,é漢'), maxLength: 8 });
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 40 }), async (written, size) => {
        const line = (cells: string[]) => cells.map((one) => `"${one.replaceAll('"', '""')}"`).join(',');
        const records = await read(written.map(line).join('\r\n'), size);
        expect(records.map(({ cells }) => cells)).toEqual(written);
      }),
    );
  });
});
