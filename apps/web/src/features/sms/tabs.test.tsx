import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { stubGateway, success } from '../../testing/gateway.ts';
import { signedInAs } from '../../testing/people.ts';
import { renderScreen, useAddress } from '../../testing/render-screen.tsx';
import { searchOfTab, smsSearch } from './search.ts';
import { SmsScreen } from './sms.screen.tsx';

const gateway = stubGateway();
const Screen = () => <SmsScreen {...useAddress(smsSearch)} />;

beforeEach(() => {
  signedInAs('operator');
  for (const call of ['POST /cube/sms/list', 'POST /cube/sms/reply', 'POST /customer/sms/task/list'])
    gateway.respond(call, () => success([], { total_count: 0 }));
  gateway.respond('GET /cube/sms/org/remain_usage', () =>
    success({ month: '2026-11', limit: null, used: 1, remaining: null }),
  );
  gateway.respond('GET /cube/sms/auto/config/has_sms_config/ACME', () => success(true));
});

test('a tab is filtered only by its own filters, and clearing them keeps those of the others', () => {
  const { scheduled, replies, all } = searchOfTab;
  expect(scheduled.isFiltered({ last: '7d', status: ['failed'] })).toBe(false);
  expect(scheduled.withoutFilters({ last: '7d', state: 'ended' })).toMatchObject({
    last: '7d',
    state: undefined,
  });
  expect(replies.isFiltered({ kind: 'instant', status: ['failed'] })).toBe(false);
  expect(all.isFiltered({ mode: 'once' })).toBe(false);
  expect(all.isFiltered({ kind: 'instant' })).toBe(true);
});

test('an organisation without schedules is not told that no schedule matches the filters of messages', async () => {
  const { user, history } = renderScreen(<Screen />, '/?tab=scheduled&last=7d');
  expect(await screen.findByText('No scheduled SMS')).toBeInTheDocument();
  // Inside the console: the page is not loaded again.
  await user.click(screen.getByRole('link', { name: 'New schedule' }));
  expect(history.location.pathname).toBe('/en-US/scheduleSmsAdd');
});

test('the share delivered is that of the tab’s messages', async () => {
  renderScreen(<Screen />, '/?tab=instant');
  const counted = () =>
    gateway.sent.filter(({ path }) => path === '/cube/sms/list').map(({ body }) => body as object);
  await waitFor(() =>
    expect(counted()).toContainEqual(expect.objectContaining({ direction: 'mt', page_size: 1 })),
  );
  const rates = counted().filter((body) => 'direction' in body || 'status' in body);
  expect(rates.length).toBeGreaterThan(0);
  for (const body of rates) expect(body).toMatchObject({ kind: 'instant' });
});
