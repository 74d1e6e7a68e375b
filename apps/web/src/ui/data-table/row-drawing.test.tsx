import { act, screen, waitFor } from '@testing-library/react';
import { type Dispatch, type SetStateAction, useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { phone } from '../media/index.ts';
import type { Column } from './column.ts';
import { DataTable } from './data-table.tsx';
import { noSelection, type Selection, selectedCount } from './selection.ts';
import { useTableLayout } from './use-table-layout.ts';

interface Device {
  id: string;
  name: string;
}

/** The rows whose cells were rendered since the last look. */
const drawn: string[] = [];
const look = (): string[] => drawn.splice(0);

const columns: Column<Device>[] = [
  { id: 'id', title: 'ID', width: 100, fixed: true, phone: 'heading', render: ({ id }) => id },
  {
    id: 'name',
    title: 'Name',
    width: 100,
    phone: 'line',
    render: ({ id, name }) => {
      drawn.push(id);
      return name;
    },
  },
];

let change: Dispatch<SetStateAction<readonly Device[]>>;

/** Written as a screen would: with functions that are new at each render. */
const Devices = () => {
  const [rows, setRows] = useState<readonly Device[]>(
    ['one', 'two', 'three'].map((id) => ({ id, name: `Device ${id}` })),
  );
  change = setRows;
  const [selection, setSelection] = useState<Selection>(noSelection);
  return (
    <>
      <p>{`${selectedCount(selection, rows.length)} selected`}</p>
      <DataTable
        empty={null}
        label="Devices"
        layout={useTableLayout('devices', columns)}
        onPage={() => undefined}
        onRetry={() => undefined}
        onSelection={(next) => setSelection(next)}
        page={{ number: 1, size: 50, total: rows.length, relation: 'eq' }}
        rowHref={({ id }) => `/devices/${id}`}
        rowKey={({ id }) => id}
        rows={rows}
        selection={selection}
      />
    </>
  );
};

const show = async (): Promise<ReturnType<typeof renderScreen>> => {
  const shown = renderScreen(<Devices />);
  await screen.findByText('Device three');
  look();
  return shown;
};

beforeEach(() => void look());
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const widths = [
  ['the table', false],
  ['a phone', true],
] as const;

test.each(widths)('on %s, selecting rows does not re-render the cells of another row', async (_, small) => {
  if (small) onPhone();
  const { user } = await show();
  await user.click(screen.getByRole('checkbox', { name: 'Select two' }));
  expect(screen.getByRole('checkbox', { name: 'Select two' })).toBeChecked();
  await user.click(screen.getByRole('checkbox', { name: 'Select three' }));
  expect(screen.getByRole('checkbox', { name: 'Select two' })).toBeChecked();
  expect(look().filter((id) => id === 'one')).toEqual([]);
});

test.each(widths)(
  'on %s, a row is shown as selected immediately, and the rest of the screen updates later',
  async (_, small) => {
    if (small) onPhone();
    await show();
    const boxOf = (name: string) => screen.getByRole('checkbox', { name: `Select ${name}` });
    // As in a browser, where updates are not flushed synchronously.
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
    boxOf('two').click();
    boxOf('three').click();
    expect(boxOf('two').closest('[data-selected]')).not.toBeNull();
    expect(boxOf('three').closest('[data-selected]')).not.toBeNull();
    expect(screen.getByText('0 selected')).toBeInTheDocument();
    await waitFor(() => expect(screen.getByText('2 selected')).toBeInTheDocument());
    expect(boxOf('two')).toBeChecked();
    expect(boxOf('one')).not.toBeChecked();
  },
);

test.each(widths)('on %s, an update of a row re-renders that row only', async (_, small) => {
  if (small) onPhone();
  await show();
  act(() => change((rows) => rows.map((row) => (row.id === 'two' ? { ...row, name: 'Other' } : row))));
  expect(screen.getByText('Other')).toBeInTheDocument();
  expect(look()).toEqual(['two']);
});

test('moving through rows with arrow keys renders no other row', async () => {
  const { user } = await show();
  screen.getByText('Device one').closest('tr')?.focus();
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(screen.getByText('Device three').closest('tr')).toHaveFocus();
  expect(look()).toEqual([]);
});

const onPhone = (): void => {
  const known = window.matchMedia;
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => ({
    ...known(query),
    matches: query === phone,
  }));
};
