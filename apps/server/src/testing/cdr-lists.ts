import type { CdrFilter } from '@simcube/contract/cdr';
import { expect } from 'vitest';
import { cdrListOf } from '../modules/cdr/cdr-list.views.ts';
import type { Db } from '../platform/db/index.ts';
import { readPage } from '../platform/lists/index.ts';
import { now } from './cdr-arbitraries.ts';

/** Pages by cursor count records only up to this. */
const lowCountLimit = 4;
const lowCountList = cdrListOf({ few: 0, fewSims: 0, counted: lowCountLimit });
const exactList = cdrListOf({ few: 0, fewSims: 0 });

interface ListedCdr {
  endedAt: number;
  up: number;
}

interface ListQuery {
  filter: CdrFilter;
  orgId: number;
}

/** All pages of a list: by cursor with totals up to a limit, and by number with exact ones. */
const pagesOf = async (db: Db, { filter, orgId }: ListQuery, sort: 'ended_at' | '-ended_at') => {
  const listed: ListedCdr[] = [];
  const [fewTotals, totals] = [new Set<number>(), new Set<number>()];
  let cursor: string | undefined;
  let number = 0;
  do {
    number += 1;
    const query = { scope: { orgId }, filter, now, sort };
    const byCursorQuery = { ...query, page: { page_no: 1, page_size: 3, cursor } };
    const { data, total, nextCursor } = await readPage(db, lowCountList, byCursorQuery);
    const byNumberQuery = { ...query, page: { page_no: number, page_size: 3 } };
    const byNumber = await readPage(db, exactList, byNumberQuery);
    expect(byNumber.data).toEqual(data);
    listed.push(...data.map((cdr) => ({ endedAt: Date.parse(cdr.ended_at), up: cdr.up_bytes })));
    fewTotals.add(Math.min(lowCountLimit, total));
    totals.add(byNumber.total);
    cursor = nextCursor ?? undefined;
  } while (cursor);
  return { found: listed, fewTotals, totals };
};

const keysOf = (records: readonly ListedCdr[]) => records.map(({ endedAt, up }) => `${endedAt} ${up}`).sort();

/** Expects a list to have these records in both orders, however it is paged. */
export const expectListedRecords = async (
  db: Db,
  { expected, ...question }: ListQuery & { expected: readonly ListedCdr[] },
): Promise<void> => {
  for (const sort of ['ended_at', '-ended_at'] as const) {
    const { found: listed, fewTotals, totals } = await pagesOf(db, question, sort);
    expect(keysOf(listed)).toEqual(keysOf(expected));
    expect([...totals]).toEqual([expected.length]);
    expect([...fewTotals]).toEqual([Math.min(lowCountLimit, expected.length)]);
    const ends = listed.map(({ endedAt }) => endedAt);
    expect(ends).toEqual(ends.toSorted((a, b) => (sort === 'ended_at' ? a - b : b - a)));
  }
};
