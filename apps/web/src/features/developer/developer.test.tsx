import { limits } from '@simcube/contract';
import type { ApiCall, ApiKey } from '@simcube/contract/developer';
import type { Webhook, WebhookDeliveryDetail } from '@simcube/contract/webhook';
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { stringifySearch } from '../../lib/search-params/index.ts';
import { errorResponse, stubGateway, success } from '../../testing/gateway.ts';
import { signedInAs } from '../../testing/people.ts';
import { renderScreen, useAddress } from '../../testing/render-screen.tsx';
import { DeveloperScreen } from './developer.screen.tsx';
import { type DeveloperSearch, developerSearch } from './search.ts';

const gateway = stubGateway();
const keyCalls = '/cube/developer/key';
const logCalls = '/cube/developer/log';
const at = '2026-11-22T13:58:21.000Z';

const key: ApiKey = {
  id: '0b6f6a52-2f5a-4b5c-9c63-0d4f3c1f7a11',
  name: 'Billing',
  public_key: 'PUBLIC',
  bits: 1024,
  rights: { sim: ['read'] },
  created_at: at,
  expires_at: null,
  last_used_at: null,
};
const webhook: Webhook = {
  id: 'user-1',
  key: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw7f2c',
  key_created_at: at,
  former_key_until: null,
  url: 'https://hooks.acme.example/simcube',
  status: 'enabled',
  state: 'active',
  paused_for: null,
  failing_since: null,
  next_try_at: null,
  event_types: ['sim.imei-changed'],
};
const apiCall: ApiCall = {
  trace_id: '5b0f8b7e-52b1-4f0b-8f7d-2f8b3f0c9d10',
  requested_at: at,
  key: { id: key.id, name: key.name },
  ip: '203.0.113.9',
  method: 'POST',
  path: '/cube/sim/list?page_no=1',
  http_code: 200,
  code: 'CB-00-0000',
  duration_ms: 42,
  header: { signature: '***', 'content-type': 'application/json' },
  body: '{"iccid":"89340700000023553065"}',
  body_bytes: 32,
  response: '{"data":[]}',
  response_bytes: 11,
};
const attempt = {
  at,
  waited_ms: null,
  duration_ms: 181,
  fault: 'status' as const,
  status: 503,
  request: { url: 'https://hooks.acme.example/simcube', headers: { 'webhook-id': 'evt-1' } },
  response: { headers: { server: 'nginx' }, body: 'busy', bytes: 4, cut: false },
};
const delivery: WebhookDeliveryDetail = {
  id: '7',
  event_id: 'evt-1',
  type: 'sim.usage-threshold',
  created_at: at,
  about: { kind: 'sim', id: '89340700000023553065', name: 'Truck 2440' },
  state: 'delivered',
  attempts: 2,
  fault: null,
  status: 200,
  duration_ms: 92,
  last_attempt_at: at,
  next_attempt_at: null,
  body: '{"type":"sim.usage-threshold","data":{"percent":80}}',
  tries: [
    {
      ...attempt,
      number: 2,
      waited_ms: 5000,
      duration_ms: 92,
      fault: null,
      status: 200,
      response: { ...attempt.response, body: '{"ok":true}' },
    },
    { ...attempt, number: 1 },
  ],
};
const counts = { delivered: 9, waiting: 1, failed: 6 };

const Screen = () => <DeveloperScreen {...useAddress(developerSearch)} />;
const show = (search: DeveloperSearch = {}) => renderScreen(<Screen />, `/${stringifySearch(search)}`);
const sentTo = (method: string, path: string) =>
  gateway.sent.filter((one) => one.method === method && one.path === path);
const mine = (call: string): string => `${keyCalls}/notification/${call}user-1`;

afterEach(() => vi.useRealTimers());

let shownWebhook = webhook;
let keys = [key];
beforeEach(() => {
  [shownWebhook, keys] = [webhook, [key]];
  signedInAs('admin');
  gateway.respond(`GET ${keyCalls}/api`, () => success(keys, { total_count: keys.length }));
  gateway.respond(`GET ${mine('')}`, () => success(shownWebhook));
  gateway.respond(`GET ${logCalls}/notification/health`, () =>
    success({
      ...counts,
      from: at,
      to: at,
      first_try: 8,
      tried: 16,
      p95_ms: 118,
      slots: [{ ...counts, at, first_try: 8, tried: 16 }],
    }),
  );
  gateway.respond(`GET ${logCalls}/notification/type`, () =>
    success([
      { type: 'sim.imei-changed', usual: true, chosen: true, permitted: true },
      { type: 'sms.mo', usual: true, chosen: false, permitted: true },
      { type: 'pool.event', usual: true, chosen: false, permitted: false },
    ]),
  );
  gateway.respond(`POST ${logCalls}/notification`, () => success([delivery], { total_count: 16 }));
  gateway.respond(`POST ${logCalls}/notification/counts`, () => success(counts));
  gateway.respond(`POST ${logCalls}/notification/7`, () => success(delivery));
  gateway.respond(`POST ${logCalls}/api`, () => success([apiCall], { total_count: 1 }));
});

type User = ReturnType<typeof show>['user'];
const press = async (user: User, name: string, within_: HTMLElement = document.body) =>
  user.click(await within(within_).findByText(name, { selector: 'button, button *' }));

/** The confirmation with this title. */
const asked = async (title: string): Promise<HTMLElement> =>
  (await screen.findByText(title, { selector: '.ant-modal-confirm-title' })).closest(
    '.ant-modal',
  ) as HTMLElement;

describe('API keys', () => {
  test('are created with selected permissions and an expiry; closing asks until the private key is copied', async () => {
    gateway.respond(`POST ${keyCalls}/api`, () => success({ key, private_key: 'PRIVATE' }));
    const { user } = show();
    expect(await screen.findByText('1 API key')).toBeInTheDocument();
    await press(user, 'New API key');
    const dialog = await screen.findByRole('dialog');
    await user.type(within(dialog).getByLabelText('Name'), 'Billing');
    await user.click(within(dialog).getByText('30 days'));
    await user.click(within(dialog).getByText('Only some'));
    await press(user, 'Create', dialog);
    expect(await within(dialog).findByText('This field is required')).toBeInTheDocument();
    await user.click(within(dialog).getByLabelText('Read on SIMs'));
    await press(user, 'Create', dialog);
    expect(await screen.findByDisplayValue('PRIVATE')).toBeInTheDocument();
    const [sent] = sentTo('POST', `${keyCalls}/api`);
    expect(sent?.body).toEqual({
      name: 'Billing',
      expires_at: expect.any(String),
      rights: { sim: ['read'] },
    });
    await press(user, 'I have stored it');
    await press(user, 'Keep editing');
    await press(user, 'Copy');
    await press(user, 'I have stored it');
    await waitFor(() => expect(screen.queryByDisplayValue('PRIVATE')).not.toBeInTheDocument());
  });

  test('are removed after confirmation', async () => {
    gateway.respond(`DELETE ${keyCalls}/api/${key.id}`, () => success(null));
    const { user } = show();
    await user.click(await screen.findByLabelText('Actions for Billing'));
    await user.click(await screen.findByText('Remove'));
    await press(user, 'Remove', await asked('Remove Billing?'));
    await waitFor(() => expect(sentTo('DELETE', `${keyCalls}/api/${key.id}`)).toHaveLength(1));
  });

  test('with selected permissions can’t have those to change accounts', async () => {
    const { user } = show();
    await press(user, 'New API key');
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByText('Only some'));
    expect(await dialog.findByLabelText('Read on Accounts and settings')).toBeEnabled();
    for (const action of ['Operate', 'Manage'])
      expect(dialog.getByLabelText(`${action} on Accounts and settings`)).toBeDisabled();
    expect(
      dialog.getByText('Only keys with all of your permissions may change accounts and settings.'),
    ).toBeInTheDocument();
  });

  test('have a public key that people without write permission can copy too', async () => {
    signedInAs('user', { permissionsInfo: { user: { 'cube-developer-key': ['read'] } } });
    const { user } = show();
    await user.click(await screen.findByLabelText('Actions for Billing'));
    const names = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
    expect(names).toEqual(['Copy Public key (PEM)']);
    await user.click(screen.getByRole('menuitem', { name: 'Copy Public key (PEM)' }));
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe(key.public_key));
  });

  test('expire while the page is open', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const expires_at = new Date(Date.now() + 60_000).toISOString();
    keys = [{ ...key, expires_at }];
    show();
    await screen.findByText('Billing');
    expect(screen.queryByText('Expired')).not.toBeInTheDocument();
    act(() => void vi.advanceTimersByTime(61_000));
    expect(await screen.findByText('Expired')).toBeInTheDocument();
  });

  test('disappear when another window has removed them', async () => {
    gateway.respond(`DELETE ${keyCalls}/api/${key.id}`, () =>
      errorResponse({ code: 'CB-00-0404', http: 404 }),
    );
    const { user } = show();
    await user.click(await screen.findByLabelText('Actions for Billing'));
    await user.click(await screen.findByText('Remove'));
    gateway.respond(`GET ${keyCalls}/api`, () => success([], { total_count: 0 }));
    await press(user, 'Remove', await asked('Remove Billing?'));
    await waitFor(() => expect(screen.queryByText('Billing')).not.toBeInTheDocument());
  });

  test.each([
    ['permission is missing', 'Your role has no permission to create API keys: ask an administrator.'],
    ['the maximum is reached', 'You have 20 API keys, the most allowed. Remove one first.'],
  ])('can not be created while %s, and the button shows why', async (why, words) => {
    if (why.includes('permission'))
      signedInAs('operator', { permissionsInfo: { operator: { 'cube-developer-key': ['read'] } } });
    else
      keys = Array.from({ length: limits.apiKeys.perAccount }, (_, one) => ({
        ...key,
        id: `${key.id}${one}`,
      }));
    const { user } = show();
    const button = (await screen.findByText('New API key')).closest('button');
    await waitFor(() => expect(button).toHaveAccessibleDescription(words));
    expect(button).toBeDisabled();
    await user.hover(button?.parentElement as HTMLElement);
    expect(await screen.findByText(words)).toBeInTheDocument();
  });
});

describe('the webhook', () => {
  test('accepts an HTTPS URL, and event types that the account may see', async () => {
    gateway.respond(`PUT ${mine('callbackUrl/')}`, () => success(webhook));
    gateway.respond(`PUT ${mine('eventTypes/')}`, () => success(webhook));
    const { user } = show({ tab: 'webhook' });
    const url = await screen.findByLabelText('URL');
    await user.clear(url);
    await user.type(url, 'http://hooks.acme.example');
    await user.click(screen.getAllByText('Save')[0] as HTMLElement);
    expect(sentTo('PUT', mine('callbackUrl/'))).toEqual([]);
    await user.clear(url);
    await user.type(url, 'https://hooks.acme.example/in');
    await user.click(screen.getAllByText('Save')[0] as HTMLElement);
    await waitFor(() =>
      expect(sentTo('PUT', mine('callbackUrl/'))[0]?.body).toEqual({ url: 'https://hooks.acme.example/in' }),
    );
    expect(await screen.findByRole('checkbox', { name: 'pool.event' })).toBeDisabled();
    await user.click(screen.getByRole('checkbox', { name: 'sms.mo' }));
    await user.click(screen.getAllByText('Save').at(-1) as HTMLElement);
    await waitFor(() =>
      expect(sentTo('PUT', mine('eventTypes/'))[0]?.body).toEqual({
        event_types: ['sim.imei-changed', 'sms.mo'],
      }),
    );
  });

  test('keeps unsaved input when it is changed elsewhere', async () => {
    const { user } = show({ tab: 'webhook' });
    await user.type(await screen.findByLabelText('URL'), '/mine');
    await user.click(await screen.findByRole('checkbox', { name: 'sms.mo' }));
    shownWebhook = { ...webhook, url: 'https://other.example/in', event_types: [], status: 'disabled' };
    window.dispatchEvent(new Event('visibilitychange'));
    await waitFor(() => expect(screen.getByRole('switch')).not.toBeChecked());
    expect(screen.getByLabelText('URL')).toHaveValue(`${webhook.url}/mine`);
    expect(screen.getByRole('checkbox', { name: 'sms.mo' })).toBeChecked();
  });

  test('shows why it is paused, and resumes; its key is hidden, and renewed after confirmation', async () => {
    shownWebhook = { ...webhook, state: 'paused', paused_for: 'gone' };
    gateway.respond(`POST ${mine('resume/')}`, () => success(webhook));
    gateway.respond(`PUT ${mine('')}`, () => success(webhook));
    const { user } = show({ tab: 'webhook' });
    expect(await screen.findByText(/no longer exists \(410\)/)).toBeInTheDocument();
    expect(screen.getByText('Send a test').closest('button')).toBeDisabled();
    await press(user, 'Try again');
    await waitFor(() => expect(sentTo('POST', mine('resume/'))).toHaveLength(1));
    expect(screen.getByText('whsec_…7f2c')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Copy Key ID' }));
    expect(await navigator.clipboard.readText()).toBe(webhook.id);
    await press(user, 'Show');
    expect(screen.getByText(webhook.key ?? '')).toBeInTheDocument();
    await press(user, 'New key');
    const question = await asked('Create a new notification key?');
    expect(sentTo('PUT', mine(''))).toEqual([]);
    await press(user, 'New key', question);
    await waitFor(() => expect(sentTo('PUT', mine(''))).toHaveLength(1));
  });
});

describe('the API call log', () => {
  test('sends its filters to the server, opens a call with its content, and copies it as curl', async () => {
    const { user } = show({ tab: 'calls', code: ['4xx'], method: ['POST', 'BREW'], search: 'sim' });
    await user.click(await screen.findByText('42 ms'));
    expect(sentTo('POST', `${logCalls}/api`)[0]?.body).toMatchObject({
      http_code: ['4xx'],
      method: ['POST'],
      path: 'sim',
      content: false,
    });
    const open = await screen.findByRole('complementary', { name: 'API call' });
    expect(await within(open).findByText('"iccid":')).toBeInTheDocument();
    await press(user, 'Copy as curl', open);
    expect(await navigator.clipboard.readText()).toContain(`--data-raw '${apiCall.body ?? ''}'`);
  });
});

describe('the API call log by code and trace ID', () => {
  const asked = () => sentTo('POST', `${logCalls}/api`).at(-1)?.body;

  test('a trace ID in the search finds its call, anything else a part of the path', async () => {
    const { user } = show({ tab: 'calls', search: apiCall.trace_id });
    expect(await screen.findByText('Nov 22, 13:58:21')).toBeInTheDocument();
    expect(asked()).toMatchObject({ trace_id: apiCall.trace_id });
    expect(asked()).not.toHaveProperty('path');
    const field = screen.getByLabelText('Search by part of the path, or by trace ID');
    await user.clear(field);
    await user.type(field, 'sim/list{Enter}');
    await waitFor(() => expect(asked()).toMatchObject({ path: 'sim/list' }));
    expect(asked()).not.toHaveProperty('trace_id');
  });

  test('filters by single codes as well as by classes', async () => {
    show({ tab: 'calls', code: ['404', '5xx', '999', 'teapot'] });
    await screen.findByText('42 ms');
    expect(asked()).toMatchObject({ http_code: ['404', '5xx'] });
  });
});

describe('the notification log', () => {
  test('shows request and response of each attempt, and resends the notification', async () => {
    gateway.respond(`POST ${logCalls}/notification/resend/7`, () => success(delivery));
    const { user } = show({ tab: 'deliveries', delivery: '7' });
    const open = await screen.findByRole('complementary', { name: 'Notification' });
    expect(await within(open).findByText('waited 5 s')).toBeInTheDocument();
    expect((await screen.findByText('First attempt')).nextSibling).toHaveTextContent('50%');
    expect(within(open).getByText('"percent":')).toBeInTheDocument();
    expect(within(open).getByText('"ok":')).toBeInTheDocument();
    await user.click(within(open).getByText('503').closest('button') as HTMLElement);
    expect(within(open).getByText('busy')).toBeInTheDocument();
    expect(within(open).getByText('Open Truck 2440').closest('a')).toHaveAttribute(
      'href',
      '/en-US/simCard/89340700000023553065',
    );
    expect(within(open).getByText('How to verify')).toHaveAttribute(
      'href',
      '/en-US/guide/developer?section=verifying-events',
    );
    await press(user, 'Resend', open);
    await waitFor(() => expect(sentTo('POST', `${logCalls}/notification/resend/7`)).toHaveLength(1));
  });

  test('hides columns that an open notification shows itself', async () => {
    const { user } = show({ tab: 'deliveries', delivery: '7' });
    const open = await screen.findByRole('complementary', { name: 'Notification' });
    expect(await screen.findByRole('columnheader', { name: /Status/ })).toBeInTheDocument();
    expect(screen.queryByRole('columnheader', { name: /Last response/ })).toBeNull();
    await user.click(within(open).getByRole('button', { name: 'Close' }));
    expect(await screen.findByRole('columnheader', { name: /Last response/ })).toBeInTheDocument();
  });

  test('resends failed notifications that match the filter, after confirmation', async () => {
    gateway.respond(`POST ${logCalls}/notification/resend`, () => success({ count: 6 }));
    const { user } = show({ tab: 'deliveries', type: ['sms.mo'], from: at });
    await press(user, 'Resend 6 given up…');
    await press(user, 'Resend', await asked('Send 6 notifications again?'));
    await waitFor(() =>
      expect(sentTo('POST', `${logCalls}/notification/resend`)[0]?.body).toEqual({
        type: ['sms.mo'],
        from: at,
        state: ['failed'],
      }),
    );
  });

  test('offers no resending without write permission', async () => {
    signedInAs('operator', { permissionsInfo: { operator: { 'cube-developer-key': ['read'] } } });
    show({ tab: 'deliveries', delivery: '7' });
    await screen.findByText('waited 5 s');
    expect(screen.queryByText(/^Resend/)).not.toBeInTheDocument();
    expect(screen.queryByText('Send a test')).not.toBeInTheDocument();
  });
});
