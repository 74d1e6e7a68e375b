import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { stubGateway } from '../../testing/gateway.ts';
import { signedInAs } from '../../testing/people.ts';
import { renderScreen, useAddress } from '../../testing/render-screen.tsx';
import { respondWithSchedule } from '../../testing/schedule-examples.ts';
import { allDrafts, LeaveGuard } from '../../ui/unsaved/index.ts';
import { ScheduleScreen } from './schedule.screen.tsx';
import { scheduleSearch } from './search.ts';

const gateway = stubGateway();
const Screen = () => (
  <>
    <LeaveGuard />
    <ScheduleScreen {...useAddress(scheduleSearch)} />
  </>
);

beforeEach(() => {
  signedInAs('admin');
  respondWithSchedule(gateway);
});

test('changes of a schedule stay while its other tabs are shown, and leaving it asks about them', async () => {
  const { user, history } = renderScreen(<Screen />, '/?id=7');
  await user.type(await screen.findByDisplayValue('Meter clock sync'), ' 2');
  await user.click(screen.getByRole('tab', { name: 'Runs' }));
  expect(await screen.findByRole('tab', { name: 'Runs', selected: true })).toBeInTheDocument();
  expect(allDrafts.isChanged()).toBe(true);
  history.push('/?id=8');
  await user.click(await screen.findByText('Keep editing'));
  await user.click(screen.getByRole('tab', { name: 'Schedule' }));
  expect(await screen.findByDisplayValue('Meter clock sync 2')).toBeInTheDocument();
});
