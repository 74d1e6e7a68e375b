import type { SmsService } from '@simcube/contract/sms';
import { act, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen, useAddress } from '../../../testing/render-screen.tsx';
import { serviceSearch } from '../../settings/search.ts';
import { ServicesPanel } from './services.panel.tsx';

const gateway = stubGateway();
const path = '/cube/orgs/smsOperService';
const targets = '/job-service/rest/subscribe/group';

const own: SmsService = {
  org_code: 'acme',
  org_name: 'Acme Logistics',
  can_send: true,
  can_receive: true,
  sender: null,
  forward_to: ['7', '99'],
  editable: false,
};
const below: SmsService = {
  ...own,
  org_code: 'acme-es',
  org_name: 'Acme España',
  sender: '4900',
  forward_to: null,
  editable: true,
};

const Panel = () => <ServicesPanel {...useAddress(serviceSearch)} />;
const show = (role: 'admin' | 'user' = 'admin') => {
  signedInAs(role);
  gateway.respond(`GET ${path}`, () => success([own, below], { total_count: 2 }));
  gateway.respond(`GET ${targets}`, () => success([{ id: '7', name: 'Desk' }], { total_count: 1 }));
  gateway.respond(`GET ${targets}/api`, () => success([{ id: '5', name: 'Hook' }], { total_count: 1 }));
  return renderScreen(<Panel />, '/');
};
const writes = () => gateway.sent.filter(({ method }) => method === 'PUT');

test('a sub-organisation can be forbidden to send, or given a sender address', async () => {
  const { user } = show();
  await user.click(await screen.findByText('Acme España', { selector: 'a' }));
  await user.click(await screen.findByLabelText('May send messages to SIMs'));
  await user.clear(screen.getByLabelText('Sender address'));
  gateway.respond(`PUT ${path}/acme-es`, () => success({ ...below, can_send: false, sender: null }));
  await user.click(screen.getByText('Save', { selector: 'button span' }));
  await waitFor(() => expect(writes()).toHaveLength(1));
  expect(writes()[0]?.body).toEqual({ can_send: false, can_receive: true, sender: null });
  await waitFor(() => expect(screen.queryByLabelText('Sender address')).toBeNull());
});

test('a link opens the service of an organisation on another page, and reports a missing one', async () => {
  gateway.respond(`GET ${path}/far`, () => success({ ...below, org_code: 'far', org_name: 'Acme Far East' }));
  gateway.respond(`GET ${path}/gone`, () => errorResponse({ http: 404, code: 'CB-07-0029' }));
  const { history } = show();
  act(() => history.push('/?service=far'));
  expect(await screen.findByRole('dialog', { name: 'Acme Far East' })).toBeInTheDocument();
  act(() => history.push('/?service=gone'));
  expect(await screen.findByText('Not found')).toBeInTheDocument();
});

test('messages of one’s own SIMs are forwarded to targets by name, without a removed one', async () => {
  const { user } = show();
  const row = (await screen.findByText('Acme Logistics')).closest('tr');
  await waitFor(() => expect(row).toHaveTextContent('AllowedAllowedAddress of the connectionDesk'));
  await user.click(screen.getByText('Acme Logistics', { selector: 'a' }));
  await user.click(await screen.findByLabelText('Messages forwarded to'));
  await user.click(await screen.findByTitle('Hook'));
  gateway.respond(`PUT ${path}/acme`, () =>
    errorResponse({ http: 404, code: 'CB-09-0017', message: 'There is no such target.' }),
  );
  await user.click(screen.getByText('Save', { selector: 'button span' }));
  expect(await screen.findByText('There is no such target.')).toBeInTheDocument();
  expect(writes()[0]?.body).toEqual({ forward_to: ['7', '5'] });
});

test('targets that could not be fetched can be retried', async () => {
  const { user } = show();
  gateway.respond(`GET ${targets}/api`, () =>
    errorResponse({ http: 403, code: 'CB-99-0403', message: 'Permission denied' }),
  );
  await user.click(await screen.findByText('Acme Logistics', { selector: 'a' }));
  expect(await screen.findByText('Permission denied')).toBeInTheDocument();
  gateway.respond(`GET ${targets}/api`, () => success([], { total_count: 0 }));
  await user.click(screen.getByText('Try again', { selector: 'button span' }));
  expect(await screen.findByLabelText('Messages forwarded to')).toBeInTheDocument();
});

test('without permission to change accounts everything is read-only', async () => {
  const { user } = show('user');
  await user.click(await screen.findByText('Acme España', { selector: 'a' }));
  expect(await screen.findByRole('dialog')).toHaveTextContent('Sender address4900');
  expect(screen.queryByText('Save', { selector: 'button span' })).toBeNull();
});

test('while targets are unknown, messages are not said to be forwarded nowhere', async () => {
  signedInAs('admin');
  gateway.respond(`GET ${path}`, () =>
    success([own, { ...own, org_code: 'other', org_name: 'Other', forward_to: [] }], { total_count: 2 }),
  );
  for (const call of [`GET ${targets}`, `GET ${targets}/api`])
    gateway.respond(call, () => new Promise(() => undefined));
  renderScreen(<Panel />, '/');
  expect((await screen.findByText('Acme Logistics')).closest('tr')).toHaveTextContent(/—$/);
  expect(screen.getByText('Other').closest('tr')).toHaveTextContent(/Nowhere$/);
});
