import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { bill } from '../../../testing/bills.ts';
import { stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen, useAddress } from '../../../testing/render-screen.tsx';
import { billSimsSearch } from '../search.ts';
import { BillSimsScreen } from './bill-sims.screen.tsx';

const gateway = stubGateway();
const base = '/cube/v2/api/customer';
const BillSimsAt = () => <BillSimsScreen {...useAddress(billSimsSearch)} />;

beforeEach(() => {
  signedInAs('admin');
  gateway.respond(`GET ${base}/bills/version`, () =>
    success({ bill, check: null, checking: null, payee: null, replaces: null, payments: [] }),
  );
});

test('a SIM on a bill has its cycles, each once, by first and last day', async () => {
  const charge = { line: 1, quantity: 1, bytes: null, amount_micros: 1_000_000 };
  const october = { cycle_started_at: '2026-09-30T16:00:00.000Z', cycle_ends_at: '2026-10-31T16:00:00.000Z' };
  const message = { cycle_started_at: '2026-10-04T16:00:00.000Z', cycle_ends_at: '2026-10-05T16:00:00.000Z' };
  const ofHours = { cycle_started_at: '2026-11-04T10:20:00.000Z', cycle_ends_at: '2026-11-05T10:20:00.000Z' };
  const withoutEnd = { cycle_started_at: '2026-07-31T16:00:00.000Z', cycle_ends_at: undefined };
  const dropped = { cycle_started_at: '2026-08-31T16:00:00.000Z', cycle_ends_at: null };
  gateway.respond(`POST ${base}/sim/bills`, () =>
    success(
      [
        {
          iccid: '8934070000023548827',
          device_name: null,
          amount_micros: 4_000_000,
          charges: [withoutEnd, dropped, october, { ...october, line: 2 }, message, ofHours].map((one) => ({
            ...charge,
            ...one,
          })),
        },
      ],
      { total_count: 1 },
    ),
  );
  renderScreen(<BillSimsAt />, '/?id=7');
  const cycles = [
    ...['Aug 1, 2026', 'Sep 1, 2026', 'Oct 1 – 31, 2026', 'Oct 5, 2026'],
    'Nov 4, 2026, 10:20 – Nov 5, 2026, 10:20',
  ];
  expect(await screen.findByText(cycles.join(' · '))).toBeInTheDocument();
  expect(screen.getByRole('columnheader', { name: 'Cycles' })).toBeInTheDocument();
});
