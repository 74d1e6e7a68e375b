import type { BillVersion } from '@simcube/contract/finance';
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bill, version } from '../../../testing/bills.ts';
import { stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { BillHistory } from './bill-history.tsx';

const gateway = stubGateway();

beforeEach(() => {
  signedInAs('admin');
  gateway.respond('GET /cube/v2/api/customer/bills/versions', () => success([bill], { total_count: 1 }));
});
afterEach(() => vi.useRealTimers());

/** The steps of the history at a given time, in order. */
const stepsAt = async (now: string, shown: BillVersion): Promise<(string | null)[]> => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(now) });
  renderScreen(<BillHistory version={shown} />);
  await screen.findByText(/^Version 2/);
  return within(screen.getByRole('list'))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
};

// The bill was issued on Nov 18 at 01:30 UTC and is due on Nov 28; business days end at 16:00 UTC.
const paid = (on: string): BillVersion => ({
  ...version,
  payments: [{ reference: 'T-1', amount_minor: 9562, paid_on: on }],
  bill: { ...bill, state: 'paid', paid_minor: 9562, to_pay_minor: 0, paid_on: on },
});

test.each([
  ['later that day', '2026-11-18T14:00:00.000Z'],
  ['before the day has ended', '2026-11-18T02:00:00.000Z'],
])('a bill that was paid on the day of its issue was first issued, then paid: %s', async (_, now) => {
  expect(await stepsAt(now, paid('2026-11-18'))).toEqual([
    'Version 2 issuedNov 18, 2026',
    '€95.62 paidNov 18, 2026',
    'TodayNov 18, 2026 (UTC+8)',
  ]);
});

test('the day of issue and today are business days, as the due date is', async () => {
  // 00:25 on Nov 18, and 00:30 on Nov 29.
  const issued = { ...bill, issued_at: '2026-11-17T16:25:00.000Z' };
  gateway.respond('GET /cube/v2/api/customer/bills/versions', () => success([issued], { total_count: 1 }));
  expect(await stepsAt('2026-11-28T16:30:00.000Z', { ...version, bill: issued })).toEqual([
    'Version 2 issuedNov 18, 2026',
    'DueNov 28, 2026',
    'TodayNov 29, 2026 (UTC+8)',
  ]);
});

test.each([
  ['2026-11-28T15:59:00.000Z', ['Version 2', 'Today', 'Due']],
  ['2026-11-28T16:01:00.000Z', ['Version 2', 'Due', 'Today']],
])('a bill is due until the end of the business day: %s', async (now, order) => {
  const steps = await stepsAt(now, version);
  expect(steps.map((step) => order.find((name) => step?.startsWith(name)))).toEqual(order);
});
