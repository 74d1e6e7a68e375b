import { renderHook, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { useToasts } from '../../lib/toast/index.ts';
import { errorResponse, stubGateway, success } from '../../testing/gateway.ts';
import { signedInAs } from '../../testing/people.ts';
import { renderScreen, useAddress } from '../../testing/render-screen.tsx';
import { allDrafts, LeaveGuard } from '../../ui/unsaved/index.ts';
import { smsSearch } from './search.ts';
import { SmsScreen } from './sms.screen.tsx';

const gateway = stubGateway();
const [iccid, other] = ['89860012300004518823', '89860012300004518831'];
const Screen = () => (
  <>
    <LeaveGuard />
    <SmsScreen {...useAddress(smsSearch)} />
  </>
);

beforeEach(() => {
  signedInAs('operator');
  const nothing = () => success([], { total_count: 0 });
  for (const list of ['POST /cube/sms/list', 'POST /cube/sms/reply', 'GET /cube/sim/sms'])
    gateway.respond(list, nothing);
  gateway.respond('GET /cube/sms/auto/config/has_sms_config/ACME', () => success(true));
  gateway.respond('GET /cube/sim/basic', ({ query }) =>
    success({ iccid: query.get('iccid'), device_name: null, sms_suspended: false }),
  );
});
const field = (of: string) => screen.findByRole('textbox', { name: `Message to ${of}` });

test('closing an empty composer leaves an unsent reply next to it, without a question', async () => {
  const { user, history } = renderScreen(<Screen />, `/?compose=open&message=${iccid}-1764547200000-1`);
  await user.type(await field(iccid), 'Hello');
  await user.click(screen.getByRole('button', { name: 'Close the new message' }));
  await waitFor(() => expect(history.location.search).not.toContain('compose'));
  expect(await field(iccid)).toHaveValue('Hello');
  expect(allDrafts.isChanged()).toBe(true);
});

test('a reply that is refused after another conversation was opened is reported', async () => {
  let refuse = (): void => undefined;
  gateway.respond(
    'POST /cube/sms/send',
    () =>
      new Promise((resolve) => {
        refuse = () => resolve(errorResponse({ http: 400, code: 'CB-02-0001', message: 'Quota used up.' }));
      }),
  );
  const { user, history } = renderScreen(<Screen />, `/?message=${iccid}-1764547200000-1`);
  await user.type(await field(iccid), 'Hello');
  await user.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(gateway.sent.some(({ path }) => path === '/cube/sms/send')).toBe(true));
  history.push(`/?message=${other}-1764547200000-1`);
  expect(await field(other)).toHaveValue('');
  refuse();
  await waitFor(() =>
    expect(renderHook(() => useToasts()).result.current.map(({ text }) => text)).toEqual(['Quota used up.']),
  );
});
