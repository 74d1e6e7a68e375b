import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { EventTypes } from './event-types.tsx';

const gateway = stubGateway();
const list = 'GET /cube/developer/log/notification/type';
const save = 'PUT /cube/developer/key/notification/eventTypes/user-1';

const show = () => {
  signedInAs('admin');
  gateway.respond(list, () =>
    success([
      { type: 'sim.imei-changed', usual: true, chosen: true, permitted: true },
      { type: 'sms.mo', usual: true, chosen: false, permitted: true },
    ]),
  );
  gateway.respond(save, () => success({}));
  return renderScreen(<EventTypes />);
};
const box = (name: string) => screen.findByRole('checkbox', { name });
const button = () => screen.getByText('Save').closest('button');

test('a saved choice of event types stays on screen while it is refetched', async () => {
  const { user } = show();
  await user.click(await box('sms.mo'));
  let refetched = false;
  gateway.respond(list, () => {
    refetched = true;
    return new Promise(() => undefined);
  });
  await user.click(screen.getByText('Save'));
  await waitFor(() => expect(refetched).toBe(true));
  await waitFor(() => expect(button()).toBeDisabled());
  expect(await box('sms.mo')).toBeChecked();
  await user.click(await box('sim.imei-changed'));
  await user.click(screen.getByText('Save'));
  await waitFor(() =>
    expect(gateway.sent.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([
      { event_types: ['sim.imei-changed', 'sms.mo'] },
      { event_types: ['sms.mo'] },
    ]),
  );
});

test('a choice of event types that is back to what is stored is not unsaved', async () => {
  const { user } = show();
  await user.click(await box('sms.mo'));
  expect(button()).toBeEnabled();
  await user.click(await box('sms.mo'));
  expect(button()).toBeDisabled();
});
