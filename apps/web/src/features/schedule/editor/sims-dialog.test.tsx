import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { stubGateway } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen, useAddress } from '../../../testing/render-screen.tsx';
import { respondWithSchedule } from '../../../testing/schedule-examples.ts';
import { LeaveGuard } from '../../../ui/unsaved/index.ts';
import { ScheduleScreen } from '../schedule.screen.tsx';
import { scheduleSearch } from '../search.ts';

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

test('closing the dialog with the SIMs of a schedule asks about entered ones', async () => {
  const { user } = renderScreen(<Screen />, '/?id=7');
  await user.click(await screen.findByRole('button', { name: /^Edit: / }));
  const dialog = await screen.findByRole('dialog', { name: 'SIMs of the schedule' });
  await user.type(await within(dialog).findByRole('textbox'), '1');
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  await user.click(await screen.findByText('Discard changes'));
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
});
