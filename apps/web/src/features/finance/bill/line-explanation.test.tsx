import type { BillLine } from '@simcube/contract/finance';
import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { bill, line, version } from '../../../testing/bills.ts';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen, useAddress } from '../../../testing/render-screen.tsx';
import { billSearch } from '../search.ts';
import { BillScreen } from './bill.screen.tsx';

const gateway = stubGateway();
const base = '/cube/v2/api/customer';
const BillAt = () => <BillScreen {...useAddress(billSearch)} />;

beforeEach(() => {
  signedInAs('admin');
  gateway.respond(`GET ${base}/bills/version`, () => success({ ...version, replaces: null }));
  gateway.respond(`GET ${base}/bills/versions`, () => success([bill], { total_count: 1 }));
});

test('a line for a zone expands to its usage, and links to its records', async () => {
  const zone = { code: 'asia', name: 'Asia' };
  const ofZone: BillLine = { ...line, kind: 'out-of-coverage', bundle: null, zone, before_minor: null };
  gateway.respond(`GET ${base}/bills/details`, () => success([ofZone], { total_count: 1 }));
  const iccid = '8934070000023548827';
  const charge = { line: 1, cycle_started_at: '2026-09-30T16:00:00.000Z', quantity: 6, bytes: 6 * 2 ** 20 };
  gateway.respond(`POST ${base}/sim/bills`, () =>
    success([
      { iccid, device_name: null, amount_micros: 24_000, charges: [{ ...charge, amount_micros: 24_000 }] },
    ]),
  );
  gateway.respond(`GET ${base}/sim/bills/cycle`, () =>
    success({
      started_at: '2026-09-30T16:00:00.000Z',
      ends_at: '2026-10-31T16:00:00.000Z',
      limit_bytes: 1,
      records_since: null,
      used_bytes: 6 * 2 ** 20,
      countries: ['JP', 'IN'],
      used_up_at: null,
      records: { within: 2, beyond: 0 },
      days: [{ day: '2026-10-03', bytes: 6 * 2 ** 20, beyond_bytes: 0 }],
      charged: [
        { bill_id: '5', month: '2026-10', line: 3, correction: false, quantity: 4 },
        { bill_id: '7', month: '2026-11', line: 1, correction: true, quantity: 2 },
      ],
    }),
  );
  const { user } = renderScreen(<BillAt />, '/?id=7');
  await user.click(await screen.findByRole('button', { name: 'Out of coverage, Asia' }));
  await user.click(await screen.findByRole('button', { name: new RegExp(iccid), expanded: false }));
  const part = (await screen.findByText('6 MB used · 2 CDRs')).previousElementSibling;
  expect(part).toHaveTextContent('Out of coverage, Asia');
  expect(screen.getByText('Total charged for this cycle').closest('dl')).toHaveTextContent(
    'October 20264 started MBNovember 2026 · correction2 started MBTotal charged for this cycle6 started MB',
  );
  expect(screen.getByRole('link', { name: 'October 2026' })).toHaveAttribute(
    'href',
    '/en-US/financeDetailsPage?id=5&line=3',
  );
  const records = screen.getByRole('link', { name: 'CDRs of these days' }).getAttribute('href') ?? '';
  expect(new URL(records, 'http://x').searchParams.getAll('country').join()).toBe('JP,IN');
});

test('a cycle whose records are no longer retained has only its charges', async () => {
  gateway.respond(`GET ${base}/bills/details`, () =>
    success([{ ...line, kind: 'over-quota', before_minor: null }], { total_count: 1 }),
  );
  const iccid = '8934070000023548827';
  const charge = { line: 1, cycle_started_at: '2026-09-30T16:00:00.000Z', quantity: 6, bytes: 6 * 2 ** 20 };
  gateway.respond(`POST ${base}/sim/bills`, () =>
    success([
      { iccid, device_name: null, amount_micros: 24_000, charges: [{ ...charge, amount_micros: 24_000 }] },
    ]),
  );
  gateway.respond(`GET ${base}/sim/bills/cycle`, () =>
    success({
      started_at: '2026-09-30T16:00:00.000Z',
      ends_at: '2026-10-31T16:00:00.000Z',
      limit_bytes: 1,
      records_since: '2026-11-01T00:00:00.000Z',
      used_bytes: 0,
      countries: null,
      used_up_at: null,
      records: { within: 0, beyond: 0 },
      days: [],
      charged: [{ bill_id: '7', month: '2026-10', line: 1, correction: false, quantity: 6 }],
    }),
  );
  const { user } = renderScreen(<BillAt />, '/?id=7');
  await user.click(await screen.findByRole('button', { name: 'EU 8 GB Month, over the quota' }));
  await user.click(await screen.findByRole('button', { name: new RegExp(iccid), expanded: false }));
  expect(await screen.findByText(/^CDRs from before Nov 1, 2026 are no longer retained/)).toBeVisible();
  expect(screen.getByText('Total charged for this cycle').closest('dl')).toHaveTextContent('6 started MB');
  expect(screen.queryByText(/ CDRs?$/)).not.toBeInTheDocument();
});

test('a line for a shared pool expands to its calculation, and to each SIM’s usage and contribution', async () => {
  const ofPool: BillLine = {
    ...line,
    kind: 'over-pool-limit',
    bundle: null,
    pool: { id: '3', name: 'Kiosks' },
    before_minor: null,
  };
  gateway.respond(`GET ${base}/bills/details`, () => success([ofPool], { total_count: 1 }));
  gateway.respond(`GET ${base}/sim/bills/pool`, () =>
    success({
      started_at: '2026-09-30T16:00:00.000Z',
      ends_at: '2026-10-31T16:00:00.000Z',
      used_bytes: 9 * 2 ** 20,
      zoned_bytes: 2 ** 20,
      limit_bytes: 3 * 2 ** 20,
      beyond_bytes: 5 * 2 ** 20,
    }),
  );
  const member = (iccid: string, used: number) => ({
    iccid,
    device_name: null,
    used_bytes: used * 2 ** 20,
    own_bytes: 2 * 2 ** 20,
  });
  const [first, second] = ['8934070000023548827', '8934070000023548835'];
  const members = `POST ${base}/sim/bills/pool`;
  const respond = (body: unknown) =>
    (body as { cursor?: string }).cursor === 'after-1'
      ? success([member(second, 3)], { total_count: 2 })
      : success([member(first, 6)], { total_count: 2, next_cursor: 'after-1' });
  gateway.respond(members, ({ body }) => respond(body));
  const { user } = renderScreen(<BillAt />, '/?id=7');
  await user.click(await screen.findByRole('button', { name: 'Kiosks, over the limit' }));
  expect(
    await screen.findByText('9 MB used − 1 MB charged by zone − 3 MB limit = 5 MB beyond it'),
  ).toBeVisible();
  expect(screen.getByText(/is not charged again/)).toBeVisible();
  expect(screen.getByText('2 SIMs in the cycle from Oct 1')).toBeVisible();
  expect(screen.getByText('6 MB used').closest('li')).toHaveTextContent('2 MB contributed');
  expect(screen.getByRole('link', { name: first })).toHaveAttribute('href', `/en-US/simCard/${first}`);
  const failure = errorResponse({ http: 400, code: 'CB-00-0400', message: 'Not now' });
  gateway.respond(members, ({ body }) => ((body as { cursor?: string }).cursor ? failure : respond(body)));
  await user.click(screen.getByRole('button', { name: 'Show more SIMs' }));
  expect(await screen.findByText('Not now')).toBeVisible();
  gateway.respond(members, ({ body }) => respond(body));
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('3 MB used')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Show more SIMs' })).toBeNull();
});

test('amounts of SIMs have equally many decimals, and cycles are counted as such', async () => {
  const fee: BillLine = { ...line, kind: 'cycle', unit: 'each', quantity: 7072, bytes: null };
  gateway.respond(`GET ${base}/bills/details`, () => success([fee], { total_count: 1 }));
  const charge = { line: 1, cycle_started_at: '2026-11-30T16:00:00.000Z', quantity: 1, bytes: null };
  gateway.respond(`POST ${base}/sim/bills`, () =>
    success(
      [18_856_500, 2_874_000].map((micros, index) => ({
        iccid: `893407000002354882${index}`,
        device_name: null,
        amount_micros: micros,
        charges: [{ ...charge, amount_micros: micros }],
      })),
      { total_count: 2 },
    ),
  );
  renderScreen(<BillAt />, '/?id=7&line=1');
  expect(await screen.findByText('€18.8565')).toBeVisible();
  expect(screen.getByText('€2.8740').closest('button')).toHaveTextContent('1 cycle');
  expect(screen.getByText('7,072 cycles × €0.004 = €28.288')).toBeVisible();
});

test.each([
  ['of a fee is named by the business day on which it began', null, 'Cycle that began on Dec 1, 2026'],
  ['without stored usage says so', 1024, 'There is no stored usage for this cycle.'],
])('a cycle %s', async (_, bytes, text) => {
  const charged: BillLine = { ...line, kind: bytes === null ? 'cycle' : 'over-quota', bytes };
  gateway.respond(`GET ${base}/bills/details`, () => success([charged], { total_count: 1 }));
  const iccid = '8934070000023548827';
  const charge = { line: 1, cycle_started_at: '2026-11-30T16:00:00.000Z', quantity: 1, bytes };
  gateway.respond(`POST ${base}/sim/bills`, () =>
    success([
      { iccid, device_name: null, amount_micros: 4000, charges: [{ ...charge, amount_micros: 4000 }] },
    ]),
  );
  gateway.respond(`GET ${base}/sim/bills/cycle`, () => success(null));
  const { user } = renderScreen(<BillAt />, '/?id=7&line=1');
  await user.click(await screen.findByRole('button', { name: new RegExp(iccid), expanded: false }));
  expect(await screen.findByText(text)).toBeVisible();
});

test('a line of messages expands to their days, with parts and amounts that add up', async () => {
  const messages: BillLine = { ...line, kind: 'sms-mt', unit: 'part', bundle: null, bytes: null };
  gateway.respond(`GET ${base}/bills/details`, () => success([messages], { total_count: 1 }));
  const iccid = '8934070000023548827';
  const charges = [1, 2].map((quantity) => ({
    line: 1,
    cycle_started_at: `2026-10-0${quantity}T16:00:00.000Z`,
    quantity,
    bytes: null,
    amount_micros: quantity * 30_000,
  }));
  gateway.respond(`POST ${base}/sim/bills`, () =>
    success([{ iccid, device_name: null, amount_micros: 90_000, charges }]),
  );
  const { user } = renderScreen(<BillAt />, '/?id=7&line=1');
  await user.click(await screen.findByRole('button', { name: new RegExp(iccid), expanded: false }));
  expect(screen.getByRole('button', { name: new RegExp(iccid) })).toHaveTextContent('3 parts€0.09');
  expect(screen.getByText('Oct 2, 2026').parentElement).toHaveTextContent('Oct 2, 20261 part€0.03');
  expect(screen.getByText('Oct 3, 2026').parentElement).toHaveTextContent('Oct 3, 20262 parts€0.06');
});
