import type { Role } from '@simcube/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { SmsOfMonth } from './sms-of-month.tsx';

const gateway = stubGateway();
const call = 'GET /cube/sms/usage';
const usage = {
  quota: {
    month: '2026-11',
    limit: 50_000,
    used: 18_274,
    used_below: 0,
    used_above: 0,
    remaining: 31_726,
  },
  mt: 17_020,
  mt_parts: 18_274,
  mo: 4_211,
  days: [],
};
const show = (role: Role = 'operator') => {
  signedInAs(role);
  return renderScreen(<SmsOfMonth />);
};
const panel = () => screen.findByRole('region', { name: 'SMS this month' });

test('the SMS panel shows remaining parts and messages in each direction, and links to the messages', async () => {
  gateway.respond(call, () => success(usage));
  show();
  const shown = within(await panel());
  expect(await shown.findAllByText('Parts left: 31,726 of 50,000')).not.toHaveLength(0);
  expect(shown.getByText('17,020 sent, 4,211 received')).toBeInTheDocument();
  expect(shown.queryByText(/used here/)).not.toBeInTheDocument();
  expect(shown.getByRole('link', { name: 'SMS this month' })).toHaveAttribute('href', '/en-US/message');
});

test('the SMS panel shows parts of a shared quota that others used as used, and that they did', async () => {
  const quota = { ...usage.quota, used: 4, used_below: 4, used_above: 4_996, remaining: 45_000 };
  gateway.respond(call, () => success({ ...usage, quota, mt: 0, mt_parts: 0, mo: 0 }));
  show();
  const bar = await screen.findByTitle('Parts left: 45,000 of 50,000');
  expect(bar.firstElementChild).toHaveStyle({ width: '10%' });
  expect(screen.getByText('0 sent, 0 received')).toBeInTheDocument();
  const parts = '0 parts used here, 4 by organisations below, 4,996 by others with the same quota';
  expect(screen.getByText(parts)).toBeInTheDocument();
});

test('the SMS panel leaves out organisations that used nothing of the quota', async () => {
  const quota = { ...usage.quota, used: 10, used_below: 4, used_above: 0, remaining: 49_990 };
  gateway.respond(call, () => success({ ...usage, quota }));
  show();
  expect(await screen.findByText('6 parts used here, 4 by organisations below')).toBeInTheDocument();
});

test('the SMS panel without its own limit shows the remaining parts, without a bar', async () => {
  gateway.respond(call, () => success({ ...usage, quota: { ...usage.quota, limit: null, remaining: 900 } }));
  show();
  expect(await screen.findByText('Parts left: 900')).toBeInTheDocument();
  expect(screen.queryByTitle(/left/)).not.toBeInTheDocument();
});

test('the SMS panel without messages and limit shows zeros, without a bar', async () => {
  const quota = { ...usage.quota, limit: null, used: 0, remaining: null };
  gateway.respond(call, () => success({ ...usage, quota, mt: 0, mt_parts: 0, mo: 0 }));
  show();
  expect(await screen.findByText('0 parts, no limit')).toBeInTheDocument();
  expect(screen.getByText('0 sent, 0 received')).toBeInTheDocument();
  expect(screen.queryByTitle(/limit/)).not.toBeInTheDocument();
});

test('the SMS panel is busy while it loads', async () => {
  gateway.respond(call, () => new Promise(() => undefined));
  show();
  expect(await panel()).toHaveAttribute('aria-busy', 'true');
  expect(screen.queryByText(/sent/)).not.toBeInTheDocument();
});

test('the SMS panel shows a failure, and retries on demand', async () => {
  gateway.respond(call, () => errorResponse({ http: 400, code: 'CB-00-0400', message: 'Not now' }));
  const { user } = show();
  expect(await screen.findByRole('alert')).toHaveTextContent('Not now');
  expect(await panel()).toHaveAttribute('aria-busy', 'false');
  gateway.respond(call, () => success(usage));
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findAllByText('Parts left: 31,726 of 50,000')).not.toHaveLength(0);
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

test('the SMS panel has no link without permission for messages', async () => {
  gateway.respond(call, () => success(usage));
  signedInAs('operator', { permissionsInfo: { operator: { sim: ['read'] } } });
  renderScreen(<SmsOfMonth />);
  expect(await screen.findAllByText('Parts left: 31,726 of 50,000')).not.toHaveLength(0);
  expect(screen.queryByRole('link')).not.toBeInTheDocument();
});

test('the SMS panel is absent without permission for SIMs, and requests nothing', async () => {
  signedInAs('operator', { permissionsInfo: { operator: { 'cube-schedule-sms': ['read'] } } });
  renderScreen(
    <>
      <SmsOfMonth />
      <hr />
    </>,
  );
  expect(await screen.findByRole('separator')).toBeInTheDocument();
  expect(screen.queryByRole('region')).not.toBeInTheDocument();
  expect(gateway.sent).toEqual([]);
});
