import type { ApiTarget, Delivery } from '@simcube/contract/notify';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { stringifySearch } from '../../../lib/search-params/index.ts';
import { stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen, useAddress } from '../../../testing/render-screen.tsx';
import { GroupsPanel, NewGroupButton } from '../index.ts';
import { type GroupSearch, groupSearch } from '../search.ts';

const gateway = stubGateway();
const path = '/job-service/rest/subscribe/group';

const hook: ApiTarget = {
  id: '5',
  version: 1,
  name: 'Hook',
  url: 'https://hooks.acme.example/simcube',
  state: 'active',
  paused_for: null,
  secret_created_at: '2026-11-20T10:00:00.000Z',
  former_secret_until: null,
  created_at: '2026-11-20T10:00:00.000Z',
  last_delivery: { at: '2026-11-20T11:00:00.000Z', state: 'failed' },
};
const sent: Delivery = {
  id: '70',
  notification_id: '7b3c1f1e-0000-4000-8000-000000000000',
  kind: 'test',
  address: hook.url,
  state: 'failed',
  attempts: 2,
  fault: 'status',
  status: 503,
  duration_ms: 41,
  created_at: '2026-11-20T11:00:00.000Z',
  last_attempt_at: '2026-11-20T11:00:06.000Z',
  next_attempt_at: null,
};

const Panel = () => {
  const address = useAddress(groupSearch);
  return (
    <>
      <NewGroupButton {...address} />
      <GroupsPanel {...address} />
    </>
  );
};
const show = (search: GroupSearch = {}, target: ApiTarget = hook) => {
  signedInAs('admin');
  gateway.respond(`GET ${path}/api`, () => success([target], { total_count: 1 }));
  gateway.respond(`GET ${path}/5/deliveries`, () => success([sent], { total_count: 1 }));
  return renderScreen(<Panel />, `/${stringifySearch({ kind: 'api', ...search })}`);
};
const button = (name: string) => screen.findByText(name, { selector: 'button span' });

test('API targets are listed with their state and the outcome of the last delivery', async () => {
  show();
  const row = (await screen.findByText('Hook')).closest('tr');
  expect(row).toHaveTextContent('Active');
  expect(row).toHaveTextContent(hook.url);
  expect(row).toHaveTextContent('Failed');
});

test('an API target is created with an address that begins with https, and its secret is shown once', async () => {
  const { user } = show({ group: 'new' });
  await user.type(await screen.findByLabelText('Name'), 'New');
  await user.click(screen.getByLabelText('URL'));
  await user.paste('http://hooks.acme.example/');
  await user.click(await button('Create'));
  expect(await screen.findByText(/^Enter an address that begins with https/)).toBeInTheDocument();
  await user.clear(screen.getByLabelText('URL'));
  await user.paste('https://hooks.acme.example/');
  gateway.respond(`POST ${path}/api`, () => success({ target: hook, secret: 'whsec_c2VjcmV0' }));
  await user.click(await button('Create'));
  expect(await screen.findByLabelText('Secret')).toHaveValue('whsec_c2VjcmV0');
  expect(gateway.sent.find(({ method }) => method === 'POST')?.body).toEqual({
    name: 'New',
    url: 'https://hooks.acme.example/',
  });
  // It would be lost.
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await user.click(await screen.findByText('Keep editing'));
  await user.click(await button('I have stored it'));
  await waitFor(() => expect(screen.queryByDisplayValue('whsec_c2VjcmV0')).toBeNull());
});

test('a test that ends after another target was opened leaves that one open', async () => {
  const { user, history } = show();
  let answer = (): void => undefined;
  gateway.respond(
    `POST ${path}/5/try`,
    () => new Promise((resolve) => (answer = () => resolve(success(sent)))),
  );
  await user.click(await screen.findByRole('button', { name: 'Actions for Hook' }));
  await user.click(await screen.findByText('Send a test'));
  const tests = () => gateway.sent.filter(({ method }) => method === 'POST').length;
  await waitFor(() => expect(tests()).toBe(1));
  history.push('/?kind=api&group=5');
  expect(await screen.findByRole('dialog')).toBeInTheDocument();
  const requests = gateway.sent.length;
  answer();
  // The targets are requested again after the test.
  await waitFor(() => expect(gateway.sent.length).toBeGreaterThan(requests));
  expect(history.location.href).toBe('/?kind=api&group=5');
});

test('failed deliveries show the reason, and each delivery expands to its attempts', async () => {
  const { user } = show({ deliveries: '5' });
  const deliveries = within(await screen.findByLabelText('Last deliveries'));
  const why = 'The receiver responded with an error · HTTP status 503 · in 41 ms';
  expect(await deliveries.findByText(why)).toBeInTheDocument();
  gateway.respond('GET /job-service/rest/subscribe/delivery/70', () =>
    success({
      ...sent,
      tries: [
        { number: 2, at: '2026-11-20T11:00:06.000Z', duration_ms: 41, fault: 'status', status: 503 },
        { number: 1, at: '2026-11-20T11:00:00.000Z', duration_ms: 15000, fault: 'time', status: null },
      ],
    }),
  );
  await user.click(deliveries.getByText('2 attempts'));
  expect(
    await deliveries.findByText('The receiver did not respond in time · in 15,000 ms'),
  ).toBeInTheDocument();
});

test('a test is sent from the drawer, and the deliveries are refetched', async () => {
  const { user } = show({ deliveries: '5' });
  gateway.respond(`POST ${path}/5/try`, () => success({ notification_id: sent.notification_id }));
  await user.click(await button('Send a test'));
  await waitFor(() => expect(gateway.sent.at(-1)?.method).toBe('GET'));
  expect(gateway.sent.some((one) => one.path === `${path}/5/try`)).toBe(true);
});

test('a paused target shows the reason, and is resumed in its drawer', async () => {
  const { user } = show({ deliveries: '5' }, { ...hook, state: 'paused', paused_for: 'gone' });
  expect(await screen.findByText(/no longer exists \(410\)/)).toBeInTheDocument();
  gateway.respond(`POST ${path}/5/resume`, () => success(hook));
  await user.click(await button('Resume'));
  await waitFor(() => expect(gateway.sent.some((one) => one.path === `${path}/5/resume`)).toBe(true));
});
