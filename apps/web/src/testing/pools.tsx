import { type FieldIssue, limits } from '@simcube/contract';
import { screen, waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import { z } from 'zod';
import { ApiFailure, type ApiResponse } from '../lib/api-client/index.ts';
import { someOf, textParam } from '../lib/search-params/fields.ts';
import { listSearch, type SearchOf } from '../lib/search-params/list-search.ts';
import { BulkAction } from '../ui/bulk-bar/index.ts';
import type { Column } from '../ui/data-table/index.ts';
import { Link } from '../ui/link/index.ts';
import {
  ListScreen,
  type PageRequest,
  QuickCounts,
  useFilterBuilder,
  useList,
  usePageQuery,
} from '../ui/list-screen/index.ts';
import { renderScreen, useAddress } from './render-screen.tsx';

interface Pool {
  id: string;
  state: 'open' | 'full';
}
const states = ['open', 'full'] as const;

const poolSearch = listSearch({
  filters: { search: textParam(60), state: someOf(z.enum(states), states.length) },
  overlays: { pool: z.string().regex(/^P\d+$/) },
  preserved: { kind: z.literal('old') },
  sorts: ['id'],
});
type PoolSearch = SearchOf<typeof poolSearch>;

/** 45 pools; every third is full. */
const pools: Pool[] = Array.from({ length: 45 }, (_, index) => ({
  id: `P${index + 1}`,
  state: index % 3 === 2 ? 'full' : 'open',
}));
/** The requests sent to the server, and whether it fails, does not respond or has no pools. */
export const server = { asked: [] as object[], failing: false, silent: false, empty: false };

const failure = (http: number, issues: FieldIssue[]): ApiFailure =>
  new ApiFailure({
    code: 'CB-99-0500',
    resultCode: '0500',
    http,
    message: 'It broke.',
    issues,
    traceId: 'trace-7',
  });

const serve = (
  filter: Pick<PoolSearch, 'search' | 'state'>,
  page: PageRequest<PoolSearch>,
): ApiResponse<Pool[]> => {
  server.asked.push({ ...filter, ...page });
  if (server.failing) throw failure(500, []);
  if (page.page_no * page.page_size > limits.countedTotal) {
    throw failure(400, [{ path: 'page_no', key: 'tooBig', message: 'At most 500' }]);
  }
  const found = (server.empty ? [] : pools).filter(
    ({ id, state }) => id.includes(filter.search ?? '') && (filter.state?.includes(state) ?? true),
  );
  const from = page.cursor === undefined ? (page.page_no - 1) * page.page_size : Number(page.cursor);
  const to = from + page.page_size;
  return {
    data: found.slice(from, to),
    totalCount: found.length,
    totalRelation: 'eq',
    nextCursor: to < found.length ? String(to) : null,
    asOf: '2026-11-21T14:32:00.000Z',
    traceId: null,
  };
};

const columns: Column<Pool>[] = [
  {
    id: 'id',
    title: 'Pool',
    width: 100,
    fixed: true,
    sort: 'id',
    render: ({ id }, href) => <Link href={href}>{id}</Link>,
  },
  { id: 'state', title: 'State', width: 100, render: ({ state }) => state },
  { id: 'note', title: 'Note', width: 100, initiallyHidden: true, render: () => 'none' },
];

const Pools = () => {
  const address = useAddress(poolSearch);
  const filter = poolSearch.filterOf(address.search);
  const list = useList({
    name: `pools-${address.search.kind ?? 'new'}`,
    of: poolSearch,
    address,
    query: usePageQuery(address.search, (page) => ({
      queryKey: ['pools', filter, page],
      queryFn: async () => (server.silent ? await new Promise<never>(() => undefined) : serve(filter, page)),
      retry: false,
    })),
    columns,
  });
  const by = useFilterBuilder(list);
  return (
    <ListScreen
      bulk={<BulkAction onClick={() => undefined}>Close pools</BulkAction>}
      counts={
        <QuickCounts
          all={{ label: 'All', count: pools.length }}
          counts={[{ value: 'full', label: 'full pools', tone: 'red', count: 15 }]}
          label="Pools by state"
          onChange={(state) => list.onFilter({ state })}
          value={list.search.state}
        />
      }
      empty={{ title: 'No pools yet' }}
      filters={[
        by.some('state', {
          label: 'State',
          options: states.map((value) => ({ value, label: `is ${value}` })),
        }),
      ]}
      label="Pools"
      list={list}
      noMatch={{ title: 'No pool matches' }}
      quickSearch={{ placeholder: 'Search pools', maxLength: 60 }}
      rowHref={({ id }) => list.hrefWith({ pool: id })}
      rowKey={({ id }) => id}
      title="Shared pools"
    >
      {list.search.pool ? (
        <button onClick={list.close} type="button">
          Close {list.search.pool}
        </button>
      ) : null}
    </ListScreen>
  );
};

export const show = (search = '') => renderScreen(<Pools />, `/${search}`);
export const shown = () =>
  screen.getAllByRole('row').flatMap((row) => row.textContent?.match(/^P\d+/)?.[0] ?? []);
export const settled = async (first: string) => await waitFor(() => expect(shown()[0]).toBe(first));
export const select = async (user: ReturnType<typeof show>['user'], id: string) =>
  await user.click(await screen.findByLabelText(`Select ${id}`));
