import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { bill, line } from '../../../testing/bills.ts';
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

const charge = { line: 1, quantity: 1, bytes: null, amount_micros: 1_000_000 };
const october = { cycle_started_at: '2026-09-30T16:00:00.000Z', cycle_ends_at: '2026-10-31T16:00:00.000Z' };
const ofHours = { cycle_started_at: '2026-11-04T10:20:00.000Z', cycle_ends_at: '2026-11-05T10:20:00.000Z' };
const withoutEnd = { cycle_started_at: '2026-07-31T16:00:00.000Z', cycle_ends_at: undefined };
const dropped = { cycle_started_at: '2026-08-31T16:00:00.000Z', cycle_ends_at: null };
const dayOf = (day: number) => ({
  cycle_started_at: `2026-10-0${day - 1}T16:00:00.000Z`,
  cycle_ends_at: `2026-10-0${day}T16:00:00.000Z`,
});
const respondWith = (...cycles: object[]) =>
  gateway.respond(`POST ${base}/sim/bills`, () =>
    success(
      [
        {
          iccid: '8934070000023548827',
          device_name: null,
          amount_micros: 4_000_000,
          charges: cycles.map((one) => ({ ...charge, ...one })),
        },
      ],
      { total_count: 1 },
    ),
  );

test.each([
  [[october, { ...october, line: 2 }, dayOf(5)], 'Oct 1 – 31, 2026 · Oct 5, 2026'],
  [[withoutEnd, dropped], 'Aug 1, 2026 · Sep 1, 2026'],
  [[ofHours], 'Nov 4, 2026, 10:20 – Nov 5, 2026, 10:20'],
  [[dayOf(5), dayOf(2), dayOf(3)], '3 cycles, Oct 2 – 5, 2026'],
])('a SIM on a bill has its cycles, each once, many in short', async (cycles, text) => {
  respondWith(...cycles);
  renderScreen(<BillSimsAt />, '/?id=7');
  expect(await screen.findByText(text)).toBeInTheDocument();
  expect(screen.getByRole('columnheader', { name: 'Cycles' })).toBeInTheDocument();
  expect(screen.getByText('1 SIM')).toBeInTheDocument();
});

test('a line of messages has days, parts and its amount', async () => {
  gateway.respond(`GET ${base}/bills/details`, () =>
    success([{ ...line, kind: 'sms-mt', unit: 'part', bytes: null, bundle: null }], { total_count: 1 }),
  );
  respondWith(dayOf(2), dayOf(3), { ...dayOf(5), quantity: 2 });
  renderScreen(<BillSimsAt />, '/?id=7&line=1');
  expect(await screen.findByText('3 days, Oct 2 – 5, 2026')).toBeInTheDocument();
  expect(screen.getByRole('columnheader', { name: 'Days' })).toBeInTheDocument();
  expect(screen.getByText('4 parts')).toBeInTheDocument();
  expect(screen.getByText('Messages sent').parentElement).toHaveTextContent('Messages sent1 SIM€95.62');
});
