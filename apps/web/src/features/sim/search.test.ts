import { simListBodySchema } from '@simcube/contract/sim';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseSearch, stringifySearch } from '../../lib/search-params/index.ts';
import { type SimSearch, simDetailSearchSchema, simFilterOf, simSearch } from './search.ts';

const roundTrip = (search: SimSearch) => simSearch.parse(parseSearch(stringifySearch(search)));

describe("the SIM list's filters in the URL", () => {
  test.each<SimSearch>([
    {},
    { search: '89860012300004518823' },
    { search: 'Truck 2204 & co?=#', tags: ['a,b', '50 %', '=x'] },
    { lifecycle: ['active'], connection: ['online', 'offline'] },
    {
      lifecycle: ['active', 'paused'],
      usage: 80,
      expires: 45,
      over: 'yes',
      page: 3,
      size: 100,
      sort: '-expires_at',
    },
    { bundle: ['EU 5 GB Month'] },
    { cost_min: 4.99, cost_max: 17.5, sort: '-cost' },
  ])('are restored: %j', (search) => {
    expect(roundTrip(search)).toEqual({ ...roundTrip({}), ...search });
  });

  test.each([
    'lifecycle=gone&connection=online',
    'usage=much&expires=-3&page=0&size=7&sort=secret&over=1',
    'page=1e9',
    'usage=90&usage_percent_max=10&last_session_from=2026-11-02T00:00:00Z&last_session_to=2026-11-01T00:00:00Z',
    `search=${'x'.repeat(100)}`,
  ])('open with any link: %s', (url) => {
    expect(() => simListBodySchema.parse(simFilterOf(simSearch.parse(parseSearch(url))))).not.toThrow();
  });

  test('make a request that the server accepts, for any link', () => {
    fc.assert(
      fc.property(fc.webQueryParameters(), (url) => {
        const search = simSearch.parse(parseSearch(url));
        expect(
          simListBodySchema.safeParse({ ...simFilterOf(search), page_no: search.page ?? 1 }).success,
        ).toBe(true);
      }),
    );
  });

  test('match no SIM, instead of all, if a pasted list is not known', () => {
    const search = roundTrip({ list: 'abcd1234' });
    expect(simFilterOf(search)).toMatchObject({ identifiers: [] });
    expect(simFilterOf({}).identifiers).toBeUndefined();
  });

  test('start at the first page again when the filter changes', () => {
    expect(simSearch.withFilter({ page: 4, size: 20 }, { lifecycle: ['active'] })).toEqual({
      page: undefined,
      size: 20,
      lifecycle: ['active'],
    });
  });

  test('are distinguished from page and sort', () => {
    expect(simSearch.isFiltered({ page: 2, sort: 'iccid' })).toBe(false);
    expect(simSearch.isFiltered({ usage: 0 })).toBe(true);
    expect(simSearch.withoutFilters({ usage: 80, size: 20, sort: 'iccid', page: 2 })).toEqual({
      size: 20,
      sort: 'iccid',
    });
  });
});

test("a SIM's page opens at its overview when the tab is unknown", () => {
  expect(simDetailSearchSchema.parse({ tab: 'nothing', from: 'yesterday', per: 'week' })).toEqual({});
});
