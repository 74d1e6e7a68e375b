import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { formulas, harmless, laterFormulas } from '../../testing/formulas.ts';
import type { Database } from '../db/index.ts';
import { csvLine, csvTextSql } from './index.ts';

let database: Database;

beforeAll(async () => {
  database = await testDatabase({ empty: true });
});
afterAll(() => database.close());

const byDatabase = async (texts: readonly string[]): Promise<string[]> =>
  (
    await database.pool.query<{ text: string }>(
      `select ${csvTextSql('given.text')} as text from unnest($1::text[]) with ordinality as given (text, position)
       order by position`,
      [texts],
    )
  ).rows.map(({ text }) => text);

const byProcess = (texts: readonly string[]): string[] =>
  texts.map((text) => {
    const [[read = '']] = parse(csvLine([text, 'x'])) as [string[]];
    return read;
  });

const separators = ['', ';', '\n', '\r', '; ', ';"', '\r\n'];
const signs = ['=', '-', '＋', ' ', '\t', 'x'];

describe('a CSV line written by the database', () => {
  it('equals the line written by this process', async () => {
    const texts = [...formulas, ...harmless, ...laterFormulas.map(([text]) => text)];
    expect(await byDatabase(texts)).toEqual(byProcess(texts));
    expect(await byDatabase(formulas)).toEqual(formulas.map((text) => `'${text}`));
  });

  it('equals it for arbitrary text', async () => {
    const signed = fc
      .tuple(
        fc.string({ unit: 'binary', maxLength: 3 }),
        fc.constantFrom(...separators),
        fc.constantFrom(...signs),
      )
      .map((parts) => `${parts.join('')}1`);
    const text = fc
      .oneof(fc.string({ unit: 'binary', maxLength: 8 }), signed)
      // The only character that PostgreSQL's text can't contain.
      .map((one) => one.replaceAll('\0', ''));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 200 }), async (texts) => {
        expect(await byDatabase(texts)).toEqual(byProcess(texts));
      }),
      { numRuns: 50 },
    );
  });

  it('is null for null', async () => {
    const { rows } = await database.pool.query(`select ${csvTextSql('null::text')} as text`);
    expect(rows).toEqual([{ text: null }]);
  });
});
