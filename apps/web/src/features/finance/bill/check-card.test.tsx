import type { BillMismatch, BillVersion } from '@simcube/contract/finance';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { version } from '../../../testing/bills.ts';
import { stubGateway } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { CheckCard } from './check-card.tsx';

stubGateway();

const item: NonNullable<BillMismatch['item']> = {
  organisation: { code: 'north', name: 'North Branch' },
  zone: null,
  pool: null,
  ...({ kind: 'over-quota', unit: 'MB', price_micros: 4000 } as const),
  bundle: { code: 'EU8G', name: 'Europe 8 GB' },
  tariff: { code: 'standard', name: 'Standard', starts_on: '2026-01-01' },
};
const pool = { id: '5', name: 'Trucks', cycle_started_at: '2026-09-30T16:00:00.000Z' };

test('differences of a bill are named, with the values in their units', async () => {
  signedInAs('admin');
  const mismatches: BillMismatch[] = [
    { figure: 'quantity', item, what: 'a', billed: '23906', computed: '23905' },
    {
      figure: 'quantity',
      what: 'b',
      billed: '1',
      computed: '2',
      item: { ...item, kind: 'over-pool-limit', bundle: null, pool },
    },
    { figure: 'amount', item, what: 'c', billed: '9562', computed: '9561' },
    { figure: 'total', item: null, what: 'd', billed: '9562', computed: '9563' },
    { figure: 'sims', item: null, what: 'e', billed: '0', computed: '3' },
    { figure: 'quantity', item: null, what: 'of an earlier version', billed: '7', computed: '8' },
  ];
  const check = { checked_at: '2026-11-22T04:10:00.000Z', lines: 1, late: 0, mismatches };
  renderScreen(<CheckCard version={{ ...version, check }} />);
  const details = 'North Branch · Standard · €0.004';
  expect((await screen.findAllByRole('row')).map((row) => row.textContent)).toEqual([
    'FigureBilledComputed',
    `Europe 8 GB, over the quota${details}23,906 started MB23,905 started MB`,
    `Trucks, over the limitCycle that began on Oct 1, 2026 · ${details}1 started MB2 started MB`,
    `Amount of “Europe 8 GB, over the quota”, from its quantity and price${details}€95.62€95.61`,
    'Total, from the sum of the lines€95.62€95.63',
    'SIMs that are not the sum of their cycles03',
    'of an earlier version78',
  ]);
});

test('differences found by a server of the version before have its text', async () => {
  signedInAs('admin');
  const former = { what: 'north/Standard/over-quota: quantity', billed: '23906', computed: '23905' };
  const check = { checked_at: '2026-11-22T04:10:00.000Z', lines: 1, mismatches: [former] };
  renderScreen(<CheckCard version={{ ...version, check } as unknown as BillVersion} />);
  expect((await screen.findAllByRole('row')).map((row) => row.textContent)).toEqual([
    'FigureBilledComputed',
    'north/Standard/over-quota: quantity23,90623,905',
  ]);
});
