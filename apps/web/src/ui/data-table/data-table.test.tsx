import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiFailure } from '../../lib/api-client/index.ts';
import { BulkBar } from '../bulk-bar/index.ts';
import type { Column } from './column.ts';
import { DataTable } from './data-table.tsx';
import type { DataTableProps } from './data-table-props.ts';
import { noSelection, type Selection } from './selection.ts';
import { readSettings } from './table-settings.ts';
import { TableTools } from './table-tools.tsx';
import { useTableLayout } from './use-table-layout.ts';

interface Device {
  id: string;
  name: string;
}

const devices: Device[] = ['one', 'two', 'three'].map((id) => ({ id, name: `Device ${id}` }));
const columns: Column<Device>[] = [
  { id: 'id', title: 'ID', width: 100, fixed: true, sort: 'id', render: ({ id }) => id },
  { id: 'name', title: 'Name', width: 100, render: ({ name }) => name },
  { id: 'length', title: 'Length', width: 100, initiallyHidden: true, render: ({ name }) => name.length },
];

type Changes = Partial<Omit<DataTableProps<Device>, 'selection' | 'onSelection' | 'layout'>>;

const Devices = ({ onRetry = () => undefined, ...changes }: Changes) => {
  const layout = useTableLayout('devices', columns);
  const [selection, setSelection] = useState<Selection>(noSelection);
  return (
    <main>
      <TableTools layout={layout} />
      <DataTable
        empty={<p>Nothing matches</p>}
        label="Devices"
        layout={layout}
        onPage={() => undefined}
        onRetry={onRetry}
        onSelection={setSelection}
        page={{ number: 1, size: 3, total: 1284, relation: 'eq' }}
        rowHref={({ id }) => `/devices/${id}`}
        rowKey={({ id }) => id}
        rows={devices}
        selection={selection}
        {...changes}
      />
      <BulkBar onSelection={setSelection} relation="eq" selection={selection} total={1284} />
    </main>
  );
};

const show = async (changes: Changes & { loading?: boolean } = {}) => {
  const { loading, ...rest } = changes;
  const history = createMemoryHistory({ initialEntries: ['/devices'] });
  const rootRoute = createRootRoute({
    component: () => <Devices {...rest} {...(loading ? { rows: undefined } : {})} />,
    notFoundComponent: () => null,
  });
  const router = createRouter({ routeTree: rootRoute, history });
  await router.load();
  render(<RouterProvider router={router} />);
  return { history, user: userEvent.setup() };
};

const row = (text: string): HTMLElement => {
  const found = screen.getByText(text).closest('tr');
  if (!found) throw new Error(`no row with ${text}`);
  return found;
};

const selectedRows = (): (string | undefined)[] =>
  screen
    .getAllByRole('row')
    .filter(({ dataset }) => dataset['selected'] === 'true')
    .map(({ textContent }) => /Device (\w+)/.exec(textContent)?.[1]);

beforeEach(() => void vi.restoreAllMocks());

describe('the table', () => {
  test('opens a row on a click, and in a new tab with Ctrl or the middle button', async () => {
    const opened = vi.spyOn(window, 'open').mockReturnValue(null);
    const { history, user } = await show();
    await user.keyboard('{Control>}');
    await user.click(screen.getByText('Device two'));
    await user.keyboard('{/Control}');
    await user.pointer({ keys: '[MouseMiddle]', target: screen.getByText('Device three') });
    expect(opened.mock.calls.map(([url]) => url)).toEqual(['/devices/two', '/devices/three']);
    expect(history.location.pathname).toBe('/devices');
    await user.click(screen.getByText('Device one'));
    expect(history.location.pathname).toBe('/devices/one');
  });

  test('is navigated, selected and opened by keyboard', async () => {
    const { history, user } = await show();
    row('Device one').focus();
    await user.keyboard('{ArrowDown}{ArrowDown} {Home}');
    expect(row('Device one')).toHaveFocus();
    expect(row('Device three')).toHaveAttribute('data-selected', 'true');
    await user.keyboard('{End}{Enter}');
    expect(history.location.pathname).toBe('/devices/three');
  });

  test('selects a range by Shift and click, on checkboxes and rows', async () => {
    const { history, user } = await show();
    await user.click(screen.getByRole('checkbox', { name: 'Select one' }));
    await user.keyboard('{Shift>}');
    await user.click(screen.getByRole('checkbox', { name: 'Select three' }));
    expect(selectedRows()).toEqual(['one', 'two', 'three']);
    await user.click(screen.getByRole('checkbox', { name: 'Select two' }));
    expect(selectedRows()).toEqual(['three']);
    await user.click(screen.getByText('Device two'));
    await user.keyboard('{/Shift}');
    expect(selectedRows()).toEqual(['one', 'two', 'three']);
    expect(history.location.pathname).toBe('/devices');
  });

  test('selects with x, and ranges with Shift and x or arrows, which shrink on the way back', async () => {
    const { user } = await show();
    row('Device one').focus();
    await user.keyboard('x');
    expect(selectedRows()).toEqual(['one']);
    await user.keyboard('{ArrowDown}{ArrowDown}{Shift>}X{/Shift}');
    expect(selectedRows()).toEqual(['one', 'two', 'three']);
    await user.keyboard('{Escape}{Home}{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
    expect(selectedRows()).toEqual(['one', 'two', 'three']);
    await user.keyboard('{Shift>}{ArrowUp}{/Shift}');
    expect(selectedRows()).toEqual(['one', 'two']);
    expect(row('Device two')).toHaveFocus();
    await user.keyboard('x');
    expect(selectedRows()).toEqual(['one']);
    await user.keyboard('{Control>}x{/Control}');
    expect(selectedRows()).toEqual(['one']);
  });

  test('accepts the keys of a row in its checkbox too', async () => {
    const { user } = await show();
    await user.click(screen.getByRole('checkbox', { name: 'Select one' }));
    await user.keyboard('{Shift>}{ArrowDown}{/Shift}');
    expect(selectedRows()).toEqual(['one', 'two']);
    expect(row('Device two')).toHaveFocus();
  });

  test('has one tab stop for its header, and those of the current row', async () => {
    const { user } = await show({ onSort: () => undefined });
    screen.getByRole('button', { name: 'Comfortable' }).focus();
    await user.tab();
    expect(screen.getByRole('checkbox', { name: 'Select all rows on this page' })).toHaveFocus();
    await user.keyboard('{ArrowRight}');
    expect(screen.getByRole('button', { name: 'ID' })).toHaveFocus();
    await user.keyboard('{End}');
    expect(screen.getByRole('button', { name: /^Width of the column Name/ })).toHaveFocus();
    await user.keyboard('{ArrowLeft}');
    expect(screen.getByRole('button', { name: /^Width of the column ID/ })).toHaveFocus();
    await user.tab();
    expect(row('Device one')).toHaveFocus();
    await user.keyboard('{ArrowDown}');
    await user.tab();
    expect(screen.getByRole('checkbox', { name: 'Select two' })).toHaveFocus();
    await user.tab();
    expect(screen.getByRole('button', { name: 'Page 1' })).toHaveFocus();
    await user.tab({ shift: true });
    await user.tab({ shift: true });
    await user.tab({ shift: true });
    expect(screen.getByRole('button', { name: /^Width of the column ID/ })).toHaveFocus();
  });

  test('stores column widths changed by keys, and keeps focus', async () => {
    const { user } = await show();
    screen.getByRole('button', { name: /^Width of the column Name/ }).focus();
    await user.keyboard('{Shift>}{ArrowRight}{/Shift}');
    // jsdom has no layout, so columns get their minimum width.
    expect(JSON.parse(localStorage.getItem('simcube.table.devices') ?? '{}')).toMatchObject({
      widths: { id: 60, name: 60 },
    });
    expect(screen.getByRole('button', { name: /^Width of the column Name/ })).toHaveFocus();
  });

  test('stores no width that it could not restore', async () => {
    vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(1995);
    const { user } = await show();
    screen.getByRole('button', { name: /^Width of the column Name/ }).focus();
    await user.keyboard('{Shift>}{ArrowRight}{/Shift}');
    expect(readSettings(localStorage, 'devices').widths).toEqual({ id: 1995, name: 2000 });
  });

  test('moves focus to another row when the focused one disappears', async () => {
    const Shrinking = () => {
      const [rows, setRows] = useState(devices);
      return (
        <section onCopy={() => setRows(devices.slice(0, 2))}>
          <Devices rows={rows} />
        </section>
      );
    };
    const rootRoute = createRootRoute({ component: Shrinking, notFoundComponent: () => null });
    const history = createMemoryHistory({ initialEntries: ['/devices'] });
    const router = createRouter({ routeTree: rootRoute, history });
    await router.load();
    render(<RouterProvider router={router} />);
    row('Device three').focus();
    fireEvent.copy(row('Device three'));
    expect(screen.queryByText('Device three')).not.toBeInTheDocument();
    expect(row('Device two')).toHaveFocus();
  });

  test('restores focus when the bulk bar disappears with the focused button', async () => {
    const { user } = await show();
    row('Device one').focus();
    await user.keyboard('{ArrowDown}x');
    within(screen.getByRole('toolbar'))
      .getByRole('button', { name: /^Clear/ })
      .focus();
    await user.keyboard('{Enter}');
    expect(screen.queryByRole('toolbar')).not.toBeInTheDocument();
    expect(row('Device two')).toHaveFocus();
  });

  test('selects rows, then all that match, without deselected ones', async () => {
    const { user } = await show();
    await user.click(screen.getByRole('checkbox', { name: 'Select one' }));
    const bar = screen.getByRole('toolbar');
    expect(bar).toHaveTextContent('1 selected');
    await user.click(within(bar).getByText('select all 1,284 that match'));
    expect(bar).toHaveTextContent('1,284 selected');
    await user.click(screen.getByRole('checkbox', { name: 'Select two' }));
    expect(bar).toHaveTextContent('1,283 selected');
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('toolbar')).not.toBeInTheDocument();
  });

  test('shows an error with its trace id, and retries on demand', async () => {
    const onRetry = vi.fn();
    const error = new ApiFailure({
      code: 'CB-99-0500',
      resultCode: '0500',
      http: 500,
      message: 'Something went wrong',
      issues: [],
      traceId: 'trace-42',
    });
    const { user } = await show({ error, onRetry, loading: true });
    expect(screen.getByRole('alert')).toHaveTextContent('Something went wrong');
    expect(screen.getByRole('alert')).toHaveTextContent('trace-42');
    await user.click(screen.getByRole('button', { name: /try again/i }));
    expect(onRetry).toHaveBeenCalledOnce();
  });

  test('keeps rows when refetching them failed', async () => {
    await show({ error: new Error('offline') });
    expect(screen.getByRole('alert')).toBeInTheDocument();
    expect(screen.getByText('Device one')).toBeInTheDocument();
  });

  test('shows that nothing matches, or that it is loading', async () => {
    await show({ rows: [] });
    expect(screen.getByText('Nothing matches')).toBeInTheDocument();
    cleanup();
    await show({ loading: true });
    expect(screen.getByText('Loading…')).toBeInTheDocument();
    expect(screen.queryByText('Nothing matches')).not.toBeInTheDocument();
  });

  test.each([
    [undefined, 'none', 'id'],
    ['id', 'ascending', '-id'],
    ['-id', 'descending', undefined],
  ])('sorted by %s exposes the order %s, and a click changes it to %s', async (sort, order, next) => {
    const onSort = vi.fn();
    const { user } = await show({ onSort, ...(sort === undefined ? {} : { sort }) });
    expect(screen.getByRole('columnheader', { name: /^ID/ })).toHaveAttribute('aria-sort', order);
    await user.click(screen.getByRole('button', { name: 'ID' }));
    expect(onSort).toHaveBeenCalledExactlyOnceWith(next);
  });

  test('shows a column that the person chose, and stores it and the density', async () => {
    const { user } = await show();
    expect(screen.queryByRole('columnheader', { name: /^Length/ })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Columns' }));
    await user.click(await screen.findByRole('checkbox', { name: 'Length' }));
    expect(screen.getByRole('columnheader', { name: /^Length/ })).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Comfortable' }));
    expect(JSON.parse(localStorage.getItem('simcube.table.devices') ?? '{}')).toMatchObject({
      shown: { length: true },
    });
    expect(localStorage.getItem('density')).toBe('compact');
  });
});
