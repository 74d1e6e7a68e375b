import { folded } from '@simcube/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import type { Database } from './index.ts';

let database: Database;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const foldedThere = async (texts: readonly string[]): Promise<string[]> =>
  (
    await database.pool.query<{ folded: string }>(
      'select folded(text) as folded from unnest($1::text[]) with ordinality as given (text, place) order by place',
      [texts],
    )
  ).rows.map((row) => row.folded);

describe('text folding in the database', () => {
  it('equals that of the contract for characters of names', async () => {
    const names = [
      'Acme Mobility 1',
      'ＡＣＭＥ　Ｍｏｂｉｌｉｔｙ　１',
      'Straße',
      'STRASSE',
      'ΟΔΟΣ',
      'οδος',
      'ﬁber ½ ①',
      'ｱｲｳ アイウ',
      'Café',
      'Cafe\u0301',
      'A\u200Bc\u00ADme',
      '深圳市测试公司',
      'Ñandú ÆØÅ',
    ];
    expect(await foldedThere(names)).toEqual(names.map(folded));
  });

  it('is idempotent for any text', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 50, maxLength: 50 }), async (texts) => {
        const once = await foldedThere(texts);
        expect(await foldedThere(once)).toEqual(once);
      }),
      { numRuns: 20 },
    );
  });
});
