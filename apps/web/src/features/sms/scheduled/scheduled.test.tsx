import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { stringifySearch } from '../../../lib/search-params/index.ts';
import { stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen, useAddress } from '../../../testing/render-screen.tsx';
import { schedule, schedulesPath } from '../../../testing/schedule-examples.ts';
import { type SmsSearch, smsSearch } from '../search.ts';
import { ScheduledPanel } from './scheduled.panel.tsx';

const gateway = stubGateway();
const list = `${schedulesPath}/list`;
const Panel = () => <ScheduledPanel {...useAddress(smsSearch)} />;
const show = (search: SmsSearch = {}) => renderScreen(<Panel />, `/${stringifySearch(search)}`);
const asked = () => gateway.sent.filter(({ path }) => path === list).map(({ body }) => body);

beforeEach(() => {
  signedInAs('operator');
  const { when } = schedule;
  gateway.respond(`POST ${list}`, () =>
    success(
      [
        schedule,
        { ...schedule, id: '8', name: 'Winter', when: { ...when, until: '2027-03-31' } },
        { ...schedule, id: '9', name: 'Update', when: { mode: 'once', at: '2026-12-24T18:00' } },
      ],
      { total_count: 3 },
    ),
  );
});

test('weekly schedules show their first and last day', async () => {
  show();
  const rowOf = async (name: string) => (await screen.findByText(name)).closest('tr');
  expect(await rowOf('Meter clock sync')).toHaveTextContent('from Nov 9, 2026, no end');
  expect(await rowOf('Winter')).toHaveTextContent('from Nov 9, 2026 until Mar 31, 2027');
  expect(await rowOf('Update')).not.toHaveTextContent('no end');
});

test('schedules are filtered by state and repetition at the server', async () => {
  const { user, history } = show();
  await screen.findByText('Winter');
  await user.click(screen.getByRole('button', { name: '+ Filter' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Repeats' }));
  await user.click(await screen.findByText('Once'));
  await waitFor(() => expect(asked().at(-1)).toMatchObject({ mode: 'once' }));
  expect(history.location.search).toContain('mode=once');
});

test('filters in the address are sent', async () => {
  show({ state: 'disabled', mode: 'weekly' });
  await waitFor(() => expect(asked()[0]).toMatchObject({ state: 'disabled', mode: 'weekly' }));
});
