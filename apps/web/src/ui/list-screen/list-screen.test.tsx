import { type FieldIssue, limits } from '@simcube/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Answer, ApiFailure } from '../../lib/api-client/index.ts';
import { someOf, textParam } from '../../lib/search-params/fields.ts';
import { listSearch, type SearchOf } from '../../lib/search-params/list-search.ts';
import { showScreen, useAddress } from '../../testing/show-screen.tsx';
import { BulkAction } from '../bulk-bar/index.ts';
import type { Column } from '../data-table/index.ts';
import { Link } from '../link/index.ts';
import { ListScreen, type PageRequest, QuickCounts, useFiltersOf, useList, usePageOf } from './index.ts';

interface Pool {
  id: string;
  state: 'open' | 'full';
}
const states = ['open', 'full'] as const;

const poolSearch = listSearch({
  filters: { search: textParam(60), state: someOf(z.enum(states), states.length) },
  over: { pool: z.string().regex(/^P\d+$/) },
  kept: { kind: z.literal('old') },
  sorts: ['id'],
});
type PoolSearch = SearchOf<typeof poolSearch>;

/** 45 pools; every third is full. What the server would answer, and what it was asked for. */
const pools: Pool[] = Array.from({ length: 45 }, (_, index) => ({
  id: `P${index + 1}`,
  state: index % 3 === 2 ? 'full' : 'open',
}));
let asked: object[];
let failing: boolean;
let silent: boolean;

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
): Answer<Pool[]> => {
  asked.push({ ...filter, ...page });
  if (failing) throw failure(500, []);
  if (page.page_no * page.page_size > limits.countedTotal) {
    throw failure(400, [{ path: 'page_no', key: 'tooBig', message: 'At most 500' }]);
  }
  const found = pools.filter(
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
    answer: usePageOf(address.search, (page) => ({
      queryKey: ['pools', filter, page],
      queryFn: async () => (silent ? await new Promise<never>(() => undefined) : serve(filter, page)),
      retry: false,
    })),
    columns,
  });
  const by = useFiltersOf(list);
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

const show = (search = '') => showScreen(<Pools />, `/${search}`);
const shown = () => screen.getAllByRole('row').flatMap((row) => row.textContent?.match(/^P\d+/)?.[0] ?? []);
const settled = async (first: string) => await waitFor(() => expect(shown()[0]).toBe(first));
const select = async (user: ReturnType<typeof show>['user'], id: string) =>
  await user.click(await screen.findByLabelText(`Select ${id}`));

beforeEach(() => {
  asked = [];
  failing = false;
  silent = false;
});

describe('the address', () => {
  test('says what is shown', async () => {
    show('?search=P1&state=open&page=1&size=10&sort=-id');
    await settled('P1');
    expect(asked).toEqual([
      { search: 'P1', state: ['open'], page_no: 1, page_size: 10, sort: '-id', cursor: undefined },
    ]);
    expect(screen.getByLabelText('Search pools')).toHaveValue('P1');
    expect(screen.getByText('is open')).toBeInTheDocument();
    expect(screen.getByRole('columnheader', { name: /^Pool/ })).toHaveAttribute('aria-sort', 'descending');
    expect(screen.getByText(/8 matches/)).toHaveTextContent('8 matches · as of 14:32 UTC');
  });

  test('follows what is typed, in one step that the back button undoes', async () => {
    const { user, history } = show('?kind=old&page=2&size=20');
    await settled('P21');
    const field = screen.getByLabelText('Search pools');
    await user.type(field, 'P4');
    await settled('P4');
    expect(history.location.search).toBe('?kind=old&size=20&search=P4');
    await user.type(field, '5');
    await settled('P45');
    expect(history.length).toBe(2);
    history.back();
    await settled('P21');
    expect(history.location.search).toBe('?kind=old&page=2&size=20');
    expect(field).toHaveValue('');
  });

  test('takes what is typed after the back button as a step of its own', async () => {
    const { user, history } = show('?size=20');
    const field = await screen.findByLabelText('Search pools');
    await user.type(field, 'P4{Enter}');
    await settled('P4');
    history.back();
    await settled('P1');
    await user.type(field, 'P3{Enter}');
    await settled('P3');
    history.back();
    await settled('P1');
    expect(history.location.search).toBe('?size=20');
  });

  test('finds what was typed as soon as the field is left', async () => {
    const { user, history } = show();
    await user.type(await screen.findByLabelText('Search pools'), 'P4');
    await user.tab();
    await waitFor(() => expect(history.location.search).toBe('?search=P4'), { timeout: 200 });
  });

  test('takes each filter as a step, whatever is changed in it while it is open', async () => {
    const { user, history } = show();
    await settled('P1');
    await user.click(screen.getByRole('button', { name: 'full pools 15' }));
    await settled('P3');
    await user.click(screen.getByRole('button', { name: 'All 45' }));
    await settled('P1');
    expect(history.length).toBe(3);
    await user.click(screen.getByRole('button', { name: 'full pools 15' }));
    await user.click(await screen.findByRole('button', { name: /^State/ }));
    const editor = await screen.findByRole('region', { name: 'State' });
    await user.click(within(editor).getByLabelText('is open'));
    await user.click(within(editor).getByLabelText('is full'));
    await waitFor(() => expect(history.location.search).toBe('?state=open'));
    expect(history.length).toBe(5);
    history.back();
    await waitFor(() => expect(history.location.search).toBe('?state=full'));
    history.back();
    await waitFor(() => expect(history.location.search).toBe(''));
  });

  test('stays where it is when a filter is chosen that holds already', async () => {
    const { user, history } = show();
    await settled('P1');
    await user.click(screen.getByRole('button', { name: 'All 45' }));
    expect(history.length).toBe(1);
  });

  test('follows pages, which the back button walks', async () => {
    const { user, history } = show('?size=20');
    await settled('P1');
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await settled('P21');
    expect(history.location.search).toBe('?size=20&page=2');
    history.back();
    await settled('P1');
    expect(history.location.search).toBe('?size=20');
  });

  test('forgets a filter whose chip is taken off, and all of them at once', async () => {
    const { user, history } = show('?state=full&search=P1&size=20&sort=id');
    await settled('P12');
    await user.click(screen.getByRole('button', { name: 'Remove filter State' }));
    await settled('P1');
    expect(history.location.search).toBe('?search=P1&size=20&sort=id');
    history.push('/?state=full&search=P1&size=20&sort=id');
    await user.click(await screen.findByRole('button', { name: 'Clear all' }));
    await waitFor(() => expect(history.location.search).toBe('?size=20&sort=id'));
    expect(screen.getByLabelText('Search pools')).toHaveValue('');
  });

  test('holds what lies over the list, until its rows change', async () => {
    const { user, history } = show('?size=20');
    await user.click(await screen.findByRole('link', { name: 'P3' }));
    expect(history.location.search).toBe('?size=20&pool=P3');
    await user.click(await screen.findByText('Close P3'));
    expect(history.location.search).toBe('?size=20');
    history.push('/?size=20&pool=P4');
    await screen.findByText('Close P4');
    await user.click(screen.getByRole('button', { name: 'full pools 15' }));
    await waitFor(() => expect(history.location.search).toBe('?size=20&state=full'));
  });
});

describe('the pages', () => {
  test('go on by the cursor of the page before, and by number from an address', async () => {
    const { user } = show('?size=20&page=2');
    await settled('P21');
    expect(asked.at(-1)).toMatchObject({ page_no: 2, cursor: undefined });
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await settled('P41');
    expect(asked.at(-1)).toMatchObject({ page_no: 3, cursor: '40' });
  });

  test('lead from behind the end to the last one', async () => {
    const { history } = show('?size=20&page=9');
    await settled('P41');
    expect(history.location.search).toBe('?page=3&size=20');
    expect(history.length).toBe(1);
  });

  test('lead back from so deep that no number reaches there', async () => {
    const { history } = show('?size=20&page=90000');
    await settled('P41');
    expect(history.location.search).toBe('?page=3&size=20');
  });

  test('lead to the first one where nothing is left', async () => {
    const { history } = show('?search=none&page=9');
    expect(await screen.findByText('No pool matches')).toBeInTheDocument();
    expect(history.location.search).toBe('?search=none');
  });
});

describe('the states', () => {
  test('no match has a way out, nothing at all has none', async () => {
    const { user, history } = show('?search=none');
    expect(await screen.findByText('No pool matches')).toBeInTheDocument();
    expect(screen.getByText(/^0 matches/)).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    await settled('P1');
    expect(history.location.search).toBe('');
  });

  test('a failure is said in place, and tried again', async () => {
    failing = true;
    const { user } = show();
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('It broke.');
    expect(alert).toHaveTextContent('trace-7');
    failing = false;
    await user.click(within(alert).getByRole('button', { name: /try again/i }));
    await settled('P1');
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  test('rows of the filter before do not stand beside a failure of the next, nor does their number', async () => {
    const { user } = show();
    await settled('P1');
    failing = true;
    await user.click(screen.getByRole('button', { name: 'full pools 15' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('It broke.');
    expect(screen.queryByRole('row')).not.toBeInTheDocument();
    expect(screen.queryByText(/as of/)).not.toBeInTheDocument();
    failing = false;
    await user.click(screen.getByRole('button', { name: 'All 45' }));
    await settled('P1');
  });

  test('nor while no response comes', async () => {
    const { user } = show();
    await settled('P1');
    silent = true;
    await user.click(screen.getByRole('button', { name: 'full pools 15' }));
    await waitFor(() => expect(shown()).toEqual([]), { timeout: 2000 });
    expect(screen.queryByText(/as of/)).not.toBeInTheDocument();
    expect(screen.getByText('Loading…')).toBeInTheDocument();
  });

  test('rows that could not be read again stay, with what happened', async () => {
    const { history } = show();
    await settled('P1');
    failing = true;
    history.push('/?state=full');
    await screen.findByRole('alert');
    history.back();
    await settled('P1');
    expect(await screen.findByRole('alert')).toHaveTextContent('It broke.');
    expect(screen.getByText(/as of/)).toBeInTheDocument();
    expect(shown()).toHaveLength(45);
  });
});

describe('the focus', () => {
  test('is led past the page to the current row', async () => {
    const { user } = show('?size=20');
    await settled('P1');
    await user.click(screen.getByRole('button', { name: 'Skip to the rows' }));
    expect(document.activeElement).toHaveTextContent(/^P1open/);
  });

  test('is in the filter that was chosen, and where it was when that is left again', async () => {
    const { user } = show('?size=20');
    await settled('P1');
    await user.click(screen.getByRole('button', { name: '+ Filter' }));
    await waitFor(() => expect(screen.getByRole('menuitem', { name: 'State' })).toHaveFocus());
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('checkbox', { name: 'is open' })).toHaveFocus();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.getByRole('button', { name: '+ Filter' })).toHaveFocus());
  });

  test('goes on in the bar when a chip is taken off, or all of them', async () => {
    const { user, history } = show('?size=20&state=full');
    await settled('P3');
    screen.getByRole('button', { name: 'Remove filter State' }).focus();
    await user.keyboard('{Enter}');
    await settled('P1');
    expect(screen.getByRole('button', { name: '+ Filter' })).toHaveFocus();
    history.push('/?state=full');
    (await screen.findByRole('button', { name: 'Clear all' })).focus();
    await user.keyboard('{Enter}');
    await settled('P1');
    expect(screen.getByRole('button', { name: '+ Filter' })).toHaveFocus();
  });
});

describe('the selection', () => {
  test('stays over pages', async () => {
    const { user } = show('?size=20');
    await select(user, 'P2');
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await settled('P21');
    await select(user, 'P22');
    expect(screen.getByRole('toolbar')).toHaveTextContent('2 selected');
  });

  test('is gone under another filter, and does not come back with the first', async () => {
    const { user, history } = show('?size=20');
    await select(user, 'P3');
    await user.click(within(screen.getByRole('toolbar')).getByText('select all 45 that match'));
    await user.click(screen.getByRole('button', { name: 'full pools 15' }));
    await waitFor(() => expect(screen.queryByRole('toolbar')).not.toBeInTheDocument());
    await user.click(screen.getByRole('button', { name: 'All 45' }));
    await settled('P1');
    expect(history.location.search).toBe('?size=20');
    expect(screen.queryByRole('toolbar')).not.toBeInTheDocument();
  });

  test('is gone when the address comes with another filter from elsewhere', async () => {
    const { user, history } = show();
    await select(user, 'P3');
    history.push('/?state=full');
    await waitFor(() => expect(screen.queryByRole('toolbar')).not.toBeInTheDocument());
  });
});

test('columns are remembered under the name of the list, those of another list apart', async () => {
  const { user, history } = show();
  await settled('P1');
  await user.click(screen.getByRole('button', { name: 'Columns' }));
  await user.click(await screen.findByRole('checkbox', { name: 'Note' }));
  expect(screen.getByRole('columnheader', { name: /^Note/ })).toBeInTheDocument();
  history.push('/?kind=old');
  await waitFor(() => expect(screen.queryByRole('columnheader', { name: /^Note/ })).not.toBeInTheDocument());
  history.back();
  expect(await screen.findByRole('columnheader', { name: /^Note/ })).toBeInTheDocument();
  expect(localStorage.getItem('simcube.table.pools-new')).toContain('"note":true');
  expect(localStorage.getItem('simcube.table.pools-old')).toBeNull();
});
