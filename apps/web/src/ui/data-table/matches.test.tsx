import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { SearchContext, SearchHighlight } from '../highlight/index.ts';
import { phone } from '../media/index.ts';
import type { Column } from './column.ts';
import { DataTable, matchesIn, noSelection, useTableLayout } from './index.ts';

interface Device {
  id: string;
  name: string;
  notes: string | null;
}

const devices: Device[] = [
  { id: 'D1', name: 'Kiosk Madrid', notes: 'by the kiosk' },
  { id: 'D2', name: 'Meter', notes: 'next to the KIOSK' },
  { id: 'D3', name: 'Truck', notes: null },
];
const columns: Column<Device>[] = [
  {
    id: 'id',
    title: 'ID',
    width: 100,
    fixed: true,
    searched: 'id',
    phone: 'heading',
    render: ({ id }) => id,
  },
  {
    id: 'name',
    title: 'Name',
    width: 100,
    searched: 'name',
    phone: 'line',
    render: ({ name }) => <SearchHighlight text={name} />,
  },
];
const matches = matchesIn<Device>('kiosk', {
  id: { label: 'Number', text: ({ id }) => id },
  name: { label: 'Name', text: ({ name }) => name },
  notes: { label: 'Notes', text: ({ notes }) => notes },
});

const Devices = () => (
  <SearchContext value="kiosk">
    <DataTable
      empty={null}
      label="Devices"
      layout={useTableLayout('devices', columns)}
      matches={matches}
      onPage={() => undefined}
      onRetry={() => undefined}
      page={{ number: 1, size: 10, total: 3, relation: 'eq' }}
      rowKey={({ id }) => id}
      rows={devices}
      selection={noSelection}
    />
  </SearchContext>
);

afterEach(() => vi.restoreAllMocks());

const marks = () => [...document.querySelectorAll('mark')].map(({ textContent }) => textContent);

test('a row marks its match in the column, or shows it beside the identifying column', async () => {
  renderScreen(<Devices />);
  const rows = await screen.findAllByRole('row');
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'IDName',
    'D1Kiosk Madrid',
    'D2Notes next to the KIOSKMeter',
    'D3Truck',
  ]);
  expect(marks()).toEqual(['Kiosk', 'KIOSK']);
});

test('a card on a phone shows a match that has no column', async () => {
  const { matchMedia } = window;
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => ({
    ...matchMedia(query),
    matches: query === phone,
  }));
  renderScreen(<Devices />);
  const [, second] = await screen.findAllByRole('listitem');
  expect(second).toHaveTextContent('D2NameMeterNotesnext to the KIOSK');
});
