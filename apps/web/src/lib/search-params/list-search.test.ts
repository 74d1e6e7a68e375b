import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { numberParam, someOf, textParam } from './fields.ts';
import { parseSearch, stringifySearch } from './index.ts';
import { listSearch } from './list-search.ts';

const pools = listSearch({
  filters: {
    search: textParam(60),
    state: someOf(z.enum(['open', 'full']), 2),
    above: numberParam(z.int().min(0)),
  },
  overlays: { pool: z.string().regex(/^\d+$/) },
  preserved: { kind: z.literal('sms') },
  sorts: ['name', 'used'],
});
const read = (text: string) => pools.parse(parseSearch(text));

describe("a list's URL", () => {
  test('is preserved when written and read', () => {
    const search = read('?search=eu&state=open&state=full&above=0&pool=7&kind=sms&page=3&size=20&sort=-used');
    expect(search).toEqual({
      search: 'eu',
      state: ['open', 'full'],
      above: 0,
      pool: '7',
      kind: 'sms',
      page: 3,
      size: 20,
      sort: '-used',
    });
    expect(read(stringifySearch(search))).toEqual(search);
  });

  test('ignores invalid values, and keeps the others', () => {
    expect(read('?state=gone&above=much&pool=x&kind=fax&page=0&size=7&sort=owner&other=1&search=eu')).toEqual(
      { search: 'eu' },
    );
  });

  test('ignores a number without digits', () => {
    expect(read('?above=&page=&size=+&search=eu')).toEqual({ search: 'eu' });
  });

  test('reads a single value like one in the URL', () => {
    expect(pools.read('state', ['full', 'gone'])).toEqual(['full']);
    expect(pools.read('above', -1)).toBeUndefined();
  });
});

describe('a step in a list', () => {
  const here = read('?search=eu&state=open&pool=7&kind=sms&page=3&size=20&sort=-used');
  const address = (search: typeof here): string => stringifySearch(search);

  test('with another filter starts at the first page, with nothing open', () => {
    expect(address(pools.withFilter(here, { state: ['full'] }))).toBe(
      '?kind=sms&search=eu&state=full&size=20&sort=-used',
    );
  });

  test('without filters keeps page size, sort and kept values', () => {
    expect(address(pools.withoutFilters(here))).toBe('?kind=sms&size=20&sort=-used');
  });

  test('to another page keeps the filter', () => {
    expect(address(pools.withPage(here, { number: 4, size: 50 }))).toBe(
      '?kind=sms&search=eu&state=open&page=4&size=50&sort=-used',
    );
  });

  test('with another sort starts at the first page', () => {
    expect(address(pools.withSort(here, undefined))).toBe('?kind=sms&search=eu&state=open&size=20');
  });

  test('that closes a row stays on the page', () => {
    expect(address(pools.withoutOverlays(here))).toBe(
      '?kind=sms&search=eu&state=open&page=3&size=20&sort=-used',
    );
  });

  test('distinguishes filters from page, sort, kept values and open rows', () => {
    expect(pools.isFiltered(here)).toBe(true);
    expect(pools.isFiltered(read('?above=0'))).toBe(true);
    expect(pools.isFiltered(read('?page=2&sort=name&kind=sms&pool=7'))).toBe(false);
    expect(pools.filterOf(here)).toEqual({ search: 'eu', state: ['open'] });
  });
});
