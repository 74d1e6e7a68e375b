import type { SimRow } from '@simcube/contract/sim';
import { cleanup, screen } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen, useAddress } from '../../../testing/render-screen.tsx';
import { ListPanel, useList } from '../../../ui/list-screen/index.ts';
import { simSearch } from '../search.ts';
import { useSimColumns } from './sim-columns.tsx';
import { useSimMatches } from './use-sim-matches.ts';

const truck: SimRow = {
  iccid: '8986012300000000001',
  imsi: '262021234518823',
  msisdn: null,
  last_imei: null,
  device_name: 'Truck 2204',
  lifecycle: 'active',
  status: 23,
  connection: 'offline',
  network_overdue: null,
  data: { state: 'open', kbps: null, restrictions: [] },
  network: null,
  apn: null,
  ip: null,
  last_session_at: null,
  cycle_usage_bytes: 0,
  limit_bytes: null,
  uses_pool_limit: false,
  week_bytes: [0, 0, 0, 0, 0, 0, 0],
  bundle_name: null,
  cost: null,
  activated_at: '2026-03-01T08:30:00.000Z',
  expires_at: null,
  tags: [],
  notes: 'Behind the gate\nof the north yard',
  delivery_note_number: 'DN-20419',
  shipment_on: '2026-02-14',
  chip_grade: 'industrial',
  technology: 'multi IMSI',
  sms_suspended: true,
};

let row: SimRow;
beforeEach(() => {
  signedInAs('user');
  row = truck;
});

const Screen = () => {
  const response = {
    data: [row],
    totalCount: 1,
    totalRelation: 'eq' as const,
    nextCursor: null,
    asOf: null,
    traceId: null,
  };
  const query = { data: response, error: null, isPlaceholderData: false, refetch: () => undefined };
  const list = useList({
    name: 'sims',
    of: simSearch,
    address: useAddress(simSearch),
    query,
    columns: useSimColumns(),
  });
  return (
    <ListPanel
      empty={{ title: 'No SIMs yet' }}
      label="SIMs"
      list={list}
      matches={useSimMatches()}
      rowKey={({ iccid }) => iccid}
    />
  );
};
/** The text of each column's cell. */
const shownCells = async (address: string) => {
  renderScreen(<Screen />, `/${address}`);
  const headings = await screen.findAllByRole('columnheader');
  const cells = screen.getAllByRole('row').at(-1)?.querySelectorAll('td') ?? [];
  return new Map(headings.map(({ textContent }, index) => [textContent, cells[index]?.textContent]));
};

describe('what is stored about a card', () => {
  test('is hidden by default', async () => {
    expect([...(await shownCells('')).keys()]).toEqual([
      'ICCID',
      'Device',
      'Lifecycle',
      'Connection',
      'Network',
      'Cycle usage',
      'Used / limit',
      '7 days',
      'Tags',
    ]);
  });

  test.each([
    ['notes=yard', 'Notes', 'Behind the gate\nof the north yard'],
    ['delivery_note_number=20419', 'Delivery note number', 'DN-20419'],
    ['shipment_from=2026-01-01', 'Shipment date', 'Feb 14, 2026'],
    ['chip_grade=industrial', 'Chip grade', 'Industrial'],
    ['technology=multi+IMSI', 'SIM technology', 'Multi-IMSI'],
    ['activated_to=2026-04-01T00:00:00Z', 'Activated', 'Mar 1, 2026, 08:30'],
    ['sms=suspended', 'A2P MT SMS', 'suspended'],
  ])('is shown in a column of its own when filtered by %s', async (filter, heading, text) => {
    expect((await shownCells(`?${filter}`)).get(heading)).toBe(text);
  });

  test('is a dash where there is nothing', async () => {
    row = { ...truck, notes: null, delivery_note_number: null, shipment_on: null, chip_grade: null };
    row = { ...row, technology: null, activated_at: null, sms_suspended: false };
    const cells = await shownCells('?not_empty=notes&notes=x&chip_grade=consumer&technology=OTA&sms=open');
    expect(['Notes', 'Chip grade', 'SIM technology'].map((name) => cells.get(name))).toEqual(['—', '—', '—']);
    expect(cells.get('A2P MT SMS')).toBe('not suspended');
  });

  test('says whether data is open only for SIMs that may have data', async () => {
    expect((await shownCells('?data_state=stopped')).get('Data')).toBe('Open');
    cleanup();
    row = { ...truck, lifecycle: 'expired' };
    expect((await shownCells('?data_state=stopped')).get('Data')).toBe('—');
  });

  test('highlights what a search found in the notes, in their column', async () => {
    row = { ...truck, matched: [{ field: 'notes', text: '…the north yard', from: 5, to: 10 }] };
    await shownCells('?search=north&notes=yard');
    expect(screen.getByText('north', { selector: 'td mark' }).parentElement).toHaveTextContent(
      '…the north yard',
    );
  });
});

describe('the usage of a SIM beyond its limit', () => {
  test.each([
    [false, '120% of the limit used', 'red'],
    [true, '120% of its contribution to the pool used', 'amount'],
  ])('is a warning unless a shared pool’s limit applies: %s', async (isPooled, text, tone) => {
    row = { ...truck, cycle_usage_bytes: 1200, limit_bytes: 1000, uses_pool_limit: isPooled };
    renderScreen(<Screen />, '/');
    const bar = (await screen.findByText(text)).previousElementSibling;
    expect(bar?.getAttribute('style')).toContain(`var(--${tone})`);
  });
});
