import type { BillVersion } from '@simcube/contract/finance';
import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { bill, line, version } from '../../../testing/bills.ts';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen, useAddress } from '../../../testing/render-screen.tsx';
import { billSearch } from '../search.ts';
import { BillScreen } from './bill.screen.tsx';

const gateway = stubGateway();
const base = '/cube/v2/api/customer';
const depot = { code: 'DEPOT', name: 'Acme Depots' };
const acme = line.organisation;

const BillAt = () => <BillScreen {...useAddress(billSearch)} />;
const respondWith = (shown: BillVersion) =>
  gateway.respond(`GET ${base}/bills/version`, () => success(shown));

beforeEach(() => {
  signedInAs('admin');
  respondWith({ ...version, replaces: null, bill: { ...bill, total_minor: 30_000 } });
  gateway.respond(`GET ${base}/bills/versions`, () => success([bill], { total_count: 1 }));
  gateway.respond(`GET ${base}/bills/details`, ({ query }) =>
    query.get('cursor') === 'after-1'
      ? success([{ ...line, line: 2, organisation: depot, amount_minor: 20_438 }], { total_count: 2 })
      : success([line], { total_count: 2, next_cursor: 'after-1' }),
  );
  gateway.respond(`GET ${base}/bills/7/extract`, () =>
    success([
      { organisation: acme, group: 'overage', lines: 1, amount_minor: 9562 },
      { organisation: depot, group: 'overage', lines: 1, amount_minor: 20_438 },
    ]),
  );
});

const linesCard = async () => within(await screen.findByRole('region', { name: 'Lines' }));

test('a section whose lines are not loaded yet can be chosen, and shows its sums', async () => {
  const { user } = renderScreen(<BillAt />, '/?id=7');
  const card = await linesCard();
  await user.click(await card.findByRole('combobox', { name: 'Section' }));
  await user.click(await screen.findByTitle('Acme Depots'));
  expect(await card.findAllByText('€204.38')).toHaveLength(2);
  expect(card.queryByText('€95.62')).toBeNull();
  expect(card.queryByText('This bill has no lines')).toBeNull();
  await user.click(card.getByRole('button', { name: 'Show more lines' }));
  expect(await card.findByRole('button', { name: /EU 8 GB Month/ })).toBeInTheDocument();
  expect(card.getAllByText('€204.38')).toHaveLength(3);
});

test('further lines that can’t be loaded are reported, and requested again on demand', async () => {
  const details = `GET ${base}/bills/details`;
  gateway.respond(details, ({ query }) =>
    query.has('cursor')
      ? errorResponse({ http: 400, code: 'CB-00-0400', message: 'Not now' })
      : success([line], { total_count: 2, next_cursor: 'after-1' }),
  );
  const { user } = renderScreen(<BillAt />, '/?id=7');
  const card = await linesCard();
  await user.click(await card.findByRole('button', { name: 'Show more lines' }));
  expect(await card.findByText('Not now')).toBeInTheDocument();
  gateway.respond(details, () => success([{ ...line, line: 2, organisation: depot }], { total_count: 2 }));
  await user.click(card.getByRole('button', { name: 'Try again' }));
  expect(await card.findByText('Acme Depots')).toBeInTheDocument();
  expect(card.queryByText('Not now')).toBeNull();
});

test('a bill whose lines are all loaded needs no sums of its sections', async () => {
  gateway.respond(`GET ${base}/bills/details`, () => success([line], { total_count: 1 }));
  renderScreen(<BillAt />, '/?id=7');
  expect(await (await linesCard()).findAllByText('€95.62')).toHaveLength(3);
  expect(gateway.sent.some(({ path }) => path.endsWith('/extract'))).toBe(false);
});

test('a bill on credit shows its own limit, and what is left of it', async () => {
  const credit = { type: 'credit', credit_limit_minor: 1_500_000, credit_left_minor: 1_244_698 } as const;
  respondWith({ ...version, replaces: null, bill: { ...bill, ...credit } });
  renderScreen(<BillAt />, '/?id=7');
  const payment = within(await screen.findByRole('region', { name: 'Payment' }));
  expect(payment.getByText('Credit limit').nextSibling).toHaveTextContent('€15,000.00');
  expect(payment.getByText('Credit left when issued').nextSibling).toHaveTextContent('€12,446.98');
});

test('a replaced version shows what changed in each line and group, and a click anywhere in a line opens it', async () => {
  respondWith(version);
  const dropped = { ...line, line: 2, group: 'bundles', kind: 'cycle', unit: 'each', amount_minor: 500 };
  gateway.respond(`GET ${base}/bills/details`, ({ query }) =>
    query.get('billId') === version.replaces?.id
      ? success(
          [
            { ...line, price_micros: 6000, amount_minor: 14_344, tariff: { ...line.tariff, name: 'Acme 2' } },
            dropped,
          ],
          { total_count: 2 },
        )
      : success([line], { total_count: 1 }),
  );
  const { user } = renderScreen(<BillAt />, '/?id=7');
  const card = await linesCard();
  const row = (await card.findByText('€0.006')).closest('tr') as HTMLElement;
  expect(row).toHaveTextContent('Acme 2 Acme 323,906 started MB€0.006 €0.004€143.44 €95.62−€47.82');
  expect(card.getByText('Overage').closest('tr')).toHaveTextContent('Overage€95.62−€47.82');
  expect(card.getByText('Bundles').closest('tr')).toHaveTextContent('Bundles€0.00−€5.00');
  await user.click(within(row).getByText('€95.62'));
  expect(await screen.findByRole('heading', { name: 'Why €95.62?' })).toBeVisible();
});
