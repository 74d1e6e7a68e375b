import type { Sms } from '@simcube/contract/sms';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { errorResponse, stubGateway, success } from '../../testing/gateway.ts';
import { signedInAs } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { SimConversation } from './sim-conversation.tsx';

const gateway = stubGateway();
const iccid = '89860012300004518823';
const call = 'GET /cube/sim/sms';
const message: Sms = {
  id: `${iccid}-1-1`,
  at: '2026-11-20T14:27:29.000Z',
  direction: 'mt',
  iccid,
  msisdn: '4915112345678',
  device_name: 'Truck 2440',
  own: true,
  content: '#STATUS',
  encoding: 'gsm7',
  parts: 1,
  missing_parts: 0,
  kind: 'instant',
  status: 'delivered',
  reason: null,
  network_code: null,
  sent_at: '2026-11-20T14:27:29.400Z',
  settled_at: '2026-11-20T14:27:33.400Z',
  reply_to: null,
  replies: 0,
  task: null,
  sent_by: 'Ana',
};

const show = (
  permissions: Record<string, string[]> = { sim: ['read'], 'cube-schedule-sms': ['read', 'operate'] },
) => {
  signedInAs('operator', { permissionsInfo: { operator: permissions } });
  gateway.respond('GET /cube/sms/auto/config/has_sms_config/ACME', () => success(true));
  gateway.respond('GET /cube/sim/basic', () =>
    success({ iccid, device_name: 'Truck 2440', sms_suspended: false }),
  );
  return renderScreen(<SimConversation iccid={iccid} />);
};
const respondWith = (messages: readonly Sms[]) =>
  gateway.respond(call, () => success(messages, { total_count: messages.length }));
const tab = () => screen.findByRole('region', { name: 'Conversation' });

test('the conversation of a SIM is shown with message states, and continues live', async () => {
  respondWith([message]);
  show();
  expect(await within(await tab()).findByText('#STATUS')).toBeInTheDocument();
  expect(screen.getByText('delivered +4s')).toBeInTheDocument();
  expect(await screen.findByRole('button', { name: 'Send' })).toBeInTheDocument();
});

test('a loading state is shown while a conversation is fetched', async () => {
  gateway.respond(call, () => new Promise(() => undefined));
  show();
  expect((await tab()).querySelector('[aria-busy="true"]')).not.toBeNull();
  expect(screen.queryByText('No messages with this SIM')).not.toBeInTheDocument();
});

test('a SIM without messages shows an empty state, and one can be written', async () => {
  respondWith([]);
  show();
  expect(await screen.findByText('No messages with this SIM')).toBeInTheDocument();
  expect(await screen.findByRole('button', { name: 'Send' })).toBeInTheDocument();
});

test('nothing can be written to a SIM in a link that the organisation does not own', async () => {
  respondWith([]);
  show();
  gateway.respond('GET /cube/sim/basic', () =>
    errorResponse({ http: 404, code: 'CB-01-0001', message: 'SIM does not exist.' }),
  );
  expect(await screen.findByText('SIM does not exist.')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Send' })).toBeNull();
});

test('a conversation that could not be fetched can be retried', async () => {
  gateway.respond(call, () => errorResponse({ http: 400, code: 'CB-00-0400', message: 'Not now' }));
  const { user } = show();
  expect(await screen.findByRole('alert')).toHaveTextContent('Not now');
  respondWith([message]);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('#STATUS')).toBeInTheDocument();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

test('with permission for SIMs only, the conversation is shown without the option to send or a reason', async () => {
  respondWith([message]);
  show({ sim: ['read'] });
  expect(await screen.findByText('#STATUS')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Send' })).not.toBeInTheDocument();
  expect(gateway.sent.map(({ path }) => path)).not.toContain('/cube/sms/auto/config/has_sms_config/ACME');
});
