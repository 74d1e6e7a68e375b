import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { select, server, settled, show, shown } from '../../testing/pools.tsx';

beforeEach(() => {
  Object.assign(server, { asked: [], failing: false, silent: false });
});

describe('the address', () => {
  test('says what is shown', async () => {
    show('?search=P1&state=open&page=1&size=10&sort=-id');
    await settled('P1');
    expect(server.asked).toEqual([
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
    expect(server.asked.at(-1)).toMatchObject({ page_no: 2, cursor: undefined });
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await settled('P41');
    expect(server.asked.at(-1)).toMatchObject({ page_no: 3, cursor: '40' });
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

  test('rows of the filter before do not stand beside a failure of the next, nor does their number', async () => {
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

  test('nor while no response comes', async () => {
    const { user } = show();
    await settled('P1');
    server.silent = true;
    await user.click(screen.getByRole('button', { name: 'full pools 15' }));
    await waitFor(() => expect(shown()).toEqual([]), { timeout: 2000 });
    expect(screen.queryByText(/as of/)).not.toBeInTheDocument();
    expect(screen.getByText('Loading…')).toBeInTheDocument();
  });

  test('rows that could not be read again stay, with what happened', async () => {
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
