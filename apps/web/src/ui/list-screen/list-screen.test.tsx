import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { select, server, settled, show, shown } from '../../testing/pools.tsx';

beforeEach(() => {
  Object.assign(server, { asked: [], failing: false, silent: false, empty: false });
});

describe('the URL', () => {
  test('determines what is shown', async () => {
    show('?search=P1&state=open&page=1&size=10&sort=-id');
    await settled('P1');
    expect(server.asked).toEqual([
      { search: 'P1', state: ['open'], page_no: 1, page_size: 10, sort: '-id', cursor: undefined },
    ]);
    expect(screen.getByLabelText('Search pools')).toHaveValue('P1');
    expect(screen.getByText('is open')).toBeInTheDocument();
    expect(screen.getByRole('columnheader', { name: /^Pool/ })).toHaveAttribute('aria-sort', 'descending');
    const count = screen.getByText('8 matches');
    expect(count.parentElement).toHaveTextContent('8 matches · as of Nov 21, 14:32 UTC');
    // Only the count: a live list is current as of another minute all the time.
    expect(count.closest('[aria-live]')).toHaveTextContent(/^8 matches$/);
  });

  test('is updated while typing, in one history entry', async () => {
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

  test('gets a new history entry for text typed after going back', async () => {
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

  test('is updated as soon as the search field loses focus', async () => {
    const { user, history } = show();
    await user.type(await screen.findByLabelText('Search pools'), 'P4');
    await user.tab();
    await waitFor(() => expect(history.location.search).toBe('?search=P4'), { timeout: 200 });
  });

  test('gets one history entry per filter, however often it changes while open', async () => {
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

  test('is unchanged when the current filter is chosen again', async () => {
    const { user, history } = show();
    await settled('P1');
    await user.click(screen.getByRole('button', { name: 'All 45' }));
    expect(history.length).toBe(1);
  });

  test('contains the page, with a history entry for each', async () => {
    const { user, history } = show('?size=20');
    await settled('P1');
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await settled('P21');
    expect(history.location.search).toBe('?size=20&page=2');
    history.back();
    await settled('P1');
    expect(history.location.search).toBe('?size=20');
  });

  test('loses a filter when its chip is removed, and all filters when they are cleared', async () => {
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

  test('contains the open overlay, until the rows change', async () => {
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
  test('are requested by the previous page’s cursor, or by number from a URL', async () => {
    const { user } = show('?size=20&page=2');
    await settled('P21');
    expect(server.asked.at(-1)).toMatchObject({ page_no: 2, cursor: undefined });
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await settled('P41');
    expect(server.asked.at(-1)).toMatchObject({ page_no: 3, cursor: '40' });
  });

  test('redirect from beyond the end to the last page', async () => {
    const { history } = show('?size=20&page=9');
    await settled('P41');
    expect(history.location.search).toBe('?page=3&size=20');
    expect(history.length).toBe(1);
  });

  test('redirect from a number too large for the server to the last page', async () => {
    const { history } = show('?size=20&page=90000');
    await settled('P41');
    expect(history.location.search).toBe('?page=3&size=20');
  });

  test('redirect to the first page when nothing matches', async () => {
    const { history } = show('?search=none&page=9');
    expect(await screen.findByText('No pool matches')).toBeInTheDocument();
    expect(history.location.search).toBe('?search=none');
  });
});

describe('the rows', () => {
  test('of another page, filter or order are shown from their start', async () => {
    const { user } = show('?size=20');
    await settled('P1');
    const rows = screen.getByRole('region', { name: 'Pools' });
    rows.scrollTop = 300;
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await settled('P21');
    expect(rows.scrollTop).toBe(0);
    rows.scrollTop = 300;
    await user.click(screen.getByRole('button', { name: 'full pools 15' }));
    await settled('P3');
    expect(rows.scrollTop).toBe(0);
  });

  test('stay in place when one is opened, and on the way back', async () => {
    const { user, history } = show('?size=20');
    await settled('P1');
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await settled('P21');
    const rows = screen.getByRole('region', { name: 'Pools' });
    rows.scrollTop = 300;
    await user.click(screen.getByRole('link', { name: 'P22' }));
    await user.click(await screen.findByText('Close P22'));
    history.back();
    history.back();
    await settled('P1');
    expect(rows.scrollTop).toBe(300);
  });
});

describe('the states', () => {
  test('no match offers to clear the filters, an empty list does not', async () => {
    const { user, history } = show('?search=none');
    expect(await screen.findByText('No pool matches')).toBeInTheDocument();
    expect(screen.getByText(/^0 matches/)).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    await settled('P1');
    expect(history.location.search).toBe('');
    cleanup();
    server.empty = true;
    show();
    expect(await screen.findByText('No pools yet')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Clear filters' })).not.toBeInTheDocument();
  });

  test('a failure is shown in place, and can be retried', async () => {
    server.failing = true;
    const { user } = show();
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('It broke.');
    expect(alert).toHaveTextContent('trace-7');
    server.failing = false;
    await user.click(within(alert).getByRole('button', { name: /try again/i }));
    await settled('P1');
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  test('rows and count of the previous filter disappear when the next one fails', async () => {
    const { user } = show();
    await settled('P1');
    server.failing = true;
    await user.click(screen.getByRole('button', { name: 'full pools 15' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('It broke.');
    expect(screen.queryByRole('row')).not.toBeInTheDocument();
    expect(screen.queryByText(/as of/)).not.toBeInTheDocument();
    server.failing = false;
    await user.click(screen.getByRole('button', { name: 'All 45' }));
    await settled('P1');
  });

  test('rows and count of the previous filter disappear while no response arrives', async () => {
    const { user } = show();
    await settled('P1');
    server.silent = true;
    await user.click(screen.getByRole('button', { name: 'full pools 15' }));
    await waitFor(() => expect(shown()).toEqual([]), { timeout: 2000 });
    expect(screen.queryByText(/as of/)).not.toBeInTheDocument();
    expect(screen.getByText('Loading…')).toBeInTheDocument();
  });

  test('rows that could not be refetched stay, with the error', async () => {
    const { history } = show();
    await settled('P1');
    server.failing = true;
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
  test('skips to the current row', async () => {
    const { user } = show('?size=20');
    await settled('P1');
    await user.click(screen.getByRole('button', { name: 'Skip to the rows' }));
    expect(document.activeElement).toHaveTextContent(/^P1open/);
  });

  test('moves into a chosen filter, and is restored when the filter closes', async () => {
    const { user } = show('?size=20');
    await settled('P1');
    await user.click(screen.getByRole('button', { name: '+ Filter' }));
    await waitFor(() => expect(screen.getByRole('menuitem', { name: 'State' })).toHaveFocus());
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('checkbox', { name: 'is open' })).toHaveFocus();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.getByRole('button', { name: '+ Filter' })).toHaveFocus());
  });

  test('stays in the bar when a chip is removed, or all are cleared', async () => {
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
  test('of all that match is empty once each row is deselected', async () => {
    const { user } = show('?search=P4&size=20');
    await select(user, 'P4');
    await user.click(within(screen.getByRole('toolbar')).getByText('select all 7 that match'));
    for (const id of shown()) await user.click(screen.getByLabelText(`Select ${id}`));
    await select(user, 'P4');
    expect(screen.getByRole('toolbar')).toHaveTextContent('1 selected');
  });

  test('is preserved across pages', async () => {
    const { user } = show('?size=20');
    await select(user, 'P2');
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await settled('P21');
    await select(user, 'P22');
    expect(screen.getByRole('toolbar')).toHaveTextContent('2 selected');
  });

  test('is cleared by another filter, and not restored with the previous one', async () => {
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

  test('is cleared when navigation changes the filter', async () => {
    const { user, history } = show();
    await select(user, 'P3');
    history.push('/?state=full');
    await waitFor(() => expect(screen.queryByRole('toolbar')).not.toBeInTheDocument());
  });
});

test('columns are stored separately for each list', async () => {
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
