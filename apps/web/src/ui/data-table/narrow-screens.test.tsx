import { screen, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { narrow, phone } from '../media/index.ts';
import type { Column } from './column.ts';
import { DataTable, TableTools, useTableLayout } from './index.ts';

interface Device {
  id: string;
  state: string;
}

const devices: Device[] = [{ id: 'D1', state: 'on' }];
const column = (id: string, more: Partial<Column<Device>> = {}): Column<Device> => ({
  id,
  title: `The ${id}`,
  width: 100,
  render: (device) => `${id} of ${device.id}`,
  ...more,
});
const columns = [
  column('network', { phone: 'line' }),
  column('id', { fixed: true, sort: 'id', phone: 'heading' }),
  column('week'),
  column('state', { phone: 'line' }),
  column('end', { initiallyHidden: true, filteredBy: ['until'], sort: 'ends_at' }),
];

const Devices = ({ filters }: { filters: readonly string[] }) => {
  const layout = useTableLayout('devices', columns, filters);
  const [sort, setSort] = useState<string>();
  return (
    <>
      <TableTools layout={layout} onSort={setSort} sort={sort} />
      <output>{sort ?? 'unsorted'}</output>
      <DataTable
        empty={null}
        label="Devices"
        layout={layout}
        onPage={() => undefined}
        onRetry={() => undefined}
        page={{ number: 1, size: 10, total: 1, relation: 'eq' }}
        rowKey={({ id }) => id}
        rows={devices}
      />
    </>
  );
};

const onScreen = (...queries: string[]): void => {
  const { matchMedia } = window;
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => ({
    ...matchMedia(query),
    matches: queries.includes(query),
  }));
};
const show = (filters: readonly string[] = []) => renderScreen(<Devices filters={filters} />);
const heads = async () => (await screen.findAllByRole('columnheader')).map(({ textContent }) => textContent);

afterEach(() => vi.restoreAllMocks());

test('a wide screen preserves the order of columns', async () => {
  show(['state']);
  expect(await heads()).toEqual(['The network', 'The id', 'The week', 'The state']);
});

test('a narrow screen pins the identifying column first, followed by filtered ones', async () => {
  onScreen(narrow);
  show(['state']);
  expect(await heads()).toEqual(['The id', 'The state', 'The network', 'The week']);
  expect(screen.getByRole('columnheader', { name: /The id/ })).toHaveAttribute('data-pinned');
  expect(screen.getByRole('cell', { name: 'id of D1' })).toHaveAttribute('data-pinned');
});

test('a hidden column is shown while it is filtered, until the person hides it', async () => {
  const { user } = show(['until']);
  expect(await heads()).toContain('The end');
  await user.click(screen.getByRole('button', { name: 'Columns' }));
  await user.click(await screen.findByRole('checkbox', { name: 'The end' }));
  expect(await heads()).not.toContain('The end');
});

test('a phone offers columns and sort order in one dialog', async () => {
  onScreen(narrow, phone);
  const { user } = show();
  expect(await screen.findByRole('listitem')).toHaveTextContent(/^id of D1The network.*The state/);
  await user.click(screen.getByRole('button', { name: 'Columns' }));
  const panel = await screen.findByRole('dialog', { name: 'Columns' });
  await user.click(within(panel).getByRole('checkbox', { name: 'The end' }));
  expect(screen.getByText('end of D1')).toBeInTheDocument();
  await user.click(within(panel).getByRole('combobox', { name: 'Sort by' }));
  await user.click(await screen.findByTitle('The end, descending'));
  expect(screen.getByRole('status')).toHaveTextContent('-ends_at');
});
