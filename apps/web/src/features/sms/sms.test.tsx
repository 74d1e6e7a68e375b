import { limits, type Role } from '@simcube/contract';
import type { Sms } from '@simcube/contract/sms';
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { errorResponse, stubGateway, success } from '../../testing/gateway.ts';
import { signedInAs } from '../../testing/people.ts';
import { renderScreen, useAddress } from '../../testing/render-screen.tsx';
import { LeaveGuard } from '../../ui/unsaved/index.ts';
import { smsSearch } from './search.ts';
import { SmsScreen } from './sms.screen.tsx';

const gateway = stubGateway();
const iccid = '89860012300004518823';
const at = '2026-11-20T14:27:29.000Z';
const sentMessage = { id: `${iccid}-${Date.parse(at)}-1`, at };

const message = (changes: Partial<Sms> = {}): Sms => ({
  ...sentMessage,
  direction: 'mt',
  iccid,
  msisdn: '4915112345678',
  device_name: 'Truck 2440',
  own: true,
  content: '#PROFILE;B',
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
  replies: 1,
  task: null,
  sent_by: 'Ana',
  ...changes,
});
const reply = message({
  id: `${iccid}-${Date.parse(at) + 38_000}-2`,
  at: '2026-11-20T14:28:07.000Z',
  direction: 'mo',
  content: 'OK \u0007B',
  kind: null,
  status: null,
  sent_at: null,
  settled_at: null,
  reply_to: sentMessage.id,
});

interface Refused {
  code: string;
  message: string;
  count: number;
  iccids: string[];
}

interface Situation {
  refused?: Refused[];
  role?: Role;
  remaining?: number | null;
  canSend?: boolean;
  suspended?: boolean;
  messages?: readonly Sms[];
}

const Screen = () => (
  <>
    <LeaveGuard />
    <SmsScreen {...useAddress(smsSearch)} />
  </>
);

const show = (
  address: string,
  { role = 'operator', remaining = 31_726, canSend = true, suspended = false, messages }: Situation = {},
) => {
  signedInAs(role);
  const rows = messages ?? [reply, message()];
  const list = () => success(rows, { total_count: rows.length, as_of: '2026-11-20T15:00:00.000Z' });
  gateway.respond('POST /cube/sms/list', list);
  gateway.respond('POST /cube/sms/reply', list);
  gateway.respond('POST /customer/sms/task/list', () => success([], { total_count: 0 }));
  gateway.respond('GET /cube/sms/org/remain_usage', () =>
    success({ month: '2026-11', limit: remaining === null ? null : 50_000, used: 18_274, remaining }),
  );
  gateway.respond('GET /cube/sms/auto/config/has_sms_config/ACME', () => success(canSend));
  gateway.respond('GET /cube/sim/basic', () =>
    success({ iccid, device_name: 'Truck 2440', sms_suspended: suspended }),
  );
  gateway.respond('GET /cube/sim/connection', () => success({ iccid, connection: 'online' }));
  return renderScreen(<Screen />, address);
};

const sendCalls = () =>
  gateway.sent.filter(
    ({ path, body }) => path === '/cube/sms/send' && !(body as { preview: boolean }).preview,
  );
const write = async (user: ReturnType<typeof show>['user'], text: string) =>
  user.type(await screen.findByRole('textbox', { name: 'Message to Truck 2440' }), text);

afterEach(() => vi.useRealTimers());

describe('the messages', () => {
  test('of today change to the next day at midnight, with their counts', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-20T23:59:40.000Z') });
    show('/?last=today');
    await within(await screen.findByRole('table', { name: 'Messages' })).findByText('Delivered');
    // The page's last response has arrived, so none of its requests re-renders it.
    await screen.findByText('31,726 of 50,000 left in November 2026');
    await screen.findByText(/100% delivered/);
    await waitFor(() => expect(document.querySelector('[aria-busy="true"]')).toBeNull());
    gateway.sent.length = 0;
    act(() => void vi.advanceTimersByTime(60_000));
    const days = () =>
      gateway.sent
        .filter(({ path }) => path === '/cube/sms/list')
        .map(({ body }) => (body as { from: string; page_size: number }).from);
    // The rows, the counts of two tabs, and the number delivered.
    await waitFor(() => expect(days().length).toBeGreaterThanOrEqual(3));
    expect(new Set(days())).toEqual(new Set(['2026-11-21T00:00:00.000Z']));
  });

  test('show the text with invisible characters made visible, and the remaining quota of the month', async () => {
    show('/');
    const table = await screen.findByRole('table', { name: 'Messages' });
    expect(await within(table).findByText('U+0007')).toBeInTheDocument();
    expect(within(table).getByText('Delivered')).toBeInTheDocument();
    expect(await screen.findByText('31,726 of 50,000 left in November 2026')).toBeInTheDocument();
  });

  test('that are replies are requested by their own call, and counted as replies', async () => {
    show('/?tab=replies');
    await screen.findByRole('table', { name: 'Replies of SIMs' });
    expect(gateway.sent.some(({ path }) => path === '/cube/sms/reply')).toBe(true);
    const counted = gateway.sent.filter(({ path }) => path === '/cube/sms/list').map(({ body }) => body);
    expect(counted).toContainEqual(expect.objectContaining({ kind: 'reply', page_size: 1 }));
  });

  test('sending is not offered without the permission', async () => {
    show(`/?message=${sentMessage.id}`, { role: 'user' });
    await screen.findByText('delivered +4s');
    expect(screen.queryByRole('button', { name: 'New message' })).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Send' })).not.toBeInTheDocument();
  });
});

test('only lists of messages are exported, not that of schedules', async () => {
  const { user } = show('/?tab=scheduled');
  await screen.findByRole('tab', { name: /Scheduled/, selected: true });
  expect(screen.queryByRole('button', { name: 'Export' })).not.toBeInTheDocument();
  await user.click(screen.getByText('Instant', { selector: '[role=tab]' }));
  expect(await screen.findByRole('button', { name: 'Export' })).toBeInTheDocument();
});

describe('a conversation', () => {
  test('shows that a received message is truncated, and how many parts are missing', async () => {
    const most = limits.sms.received;
    const cut = { ...reply, content: `${'x'.repeat(most)}[…]`, parts: 2, missing_parts: 1 };
    show(`/?message=${sentMessage.id}`, { messages: [cut, message()] });
    expect(await screen.findByText('cut after 10,000 characters')).toBeInTheDocument();
    expect(screen.getByText('1 part is missing')).toBeInTheDocument();
  });

  test('shows each step of a message, and how soon the reply came', async () => {
    show(`/?message=${sentMessage.id}`);
    expect(await screen.findByText('sent +0.4s')).toBeInTheDocument();
    expect(screen.getByText('delivered +4s')).toBeInTheDocument();
    expect(screen.getByText('reply after 38s')).toBeInTheDocument();
  });

  test('shows why a message failed, and reuses its text without sending it', async () => {
    const failed = message({ status: 'failed', reason: 'expired', settled_at: at });
    const { user } = show(`/?message=${sentMessage.id}`, { messages: [failed] });
    expect(await screen.findByText('failed: the device was not reached in time')).toBeInTheDocument();
    await user.click(await screen.findByRole('button', { name: 'Send again' }));
    expect(screen.getByRole('textbox', { name: 'Message to Truck 2440' })).toHaveValue('#PROFILE;B');
    expect(sendCalls()).toEqual([]);
  });

  test.each([
    [{ suspended: true }, 'A2P MT SMS is suspended for this SIM: nothing is sent to it.'],
    [
      { messages: [message({ own: false, device_name: null })] },
      'The SIM now belongs to another organisation: nothing can be sent to it.',
    ],
  ] as const)('that does not accept messages shows why (%#)', async (situation, words) => {
    show(`/?message=${sentMessage.id}`, situation);
    expect(await screen.findByText(words)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Send' })).not.toBeInTheDocument();
  });

  test('sends once, however often the button is pressed, and with the same key after a lost response', async () => {
    const { user } = show(`/?message=${sentMessage.id}`);
    await write(user, '#STAT');
    await user.dblClick(screen.getByRole('button', { name: 'Send' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Network Error');
    const tries = sendCalls().length;
    gateway.respond('POST /cube/sms/send', () =>
      success({ preview: null, task: null, measure: null, message: message({ content: '#STAT' }) }),
    );
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await waitFor(() =>
      expect(screen.getByRole('textbox', { name: 'Message to Truck 2440' })).toHaveValue(''),
    );
    expect(sendCalls()).toHaveLength(tries + 1);
    expect(new Set(sendCalls().map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    await write(user, '#STAT');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await waitFor(() =>
      expect(new Set(sendCalls().map(({ headers }) => headers.get('idempotency-key'))).size).toBe(2),
    );
  });
});

describe('a new message', () => {
  const other = '89860012300004511077';
  const compose = async (situation: Situation = {}) => {
    const { user } = show('/?compose=open', situation);
    gateway.respond('POST /cube/sim/list/identifiers', () =>
      success({ iccids: [iccid, other], not_found: ['123'], duplicates: 0 }),
    );
    gateway.respond('POST /cube/sms/send', ({ body }) => {
      const { preview } = body as { preview: boolean };
      if (!preview) return errorResponse({ http: 409, code: 'CB-04-0002', message: 'The quota is used up' });
      const measure = {
        encoding: 'ucs2',
        parts: 2,
        total_parts: 4,
        remaining: situation.remaining ?? 31_726,
      };
      return success({
        preview: { selected: 2, changing: 2, digest: 'd', refused: situation.refused ?? [] },
        task: null,
        message: null,
        measure,
      });
    });
    await user.click(await screen.findByRole('textbox', { name: 'ICCIDs of the recipients' }));
    await user.paste(`${iccid} ${other} ${other} 123`);
    await screen.findByText('1 not yours');
    return user;
  };
  const text = `23 – 24 ${'x'.repeat(70)}`;
  const type = async (user: Awaited<ReturnType<typeof compose>>) => {
    await user.click(screen.getByRole('textbox', { name: 'Text' }));
    await user.paste(text);
  };

  test('that is closed restores the focus to the button that opened it', async () => {
    const { user } = show('/');
    (await screen.findByRole('button', { name: 'New message' })).focus();
    await user.keyboard('{Enter}');
    (await screen.findByRole('button', { name: 'Close the new message' })).focus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.getByRole('button', { name: 'New message' })).toHaveFocus());
  });

  test('compares recipients and parts with the remaining quota, and lists unknown SIMs', async () => {
    const user = await compose();
    await type(user);
    expect(screen.getByText('1 not yours')).toBeInTheDocument();
    expect(await screen.findByText(/2 SIMs × 2 parts =/)).toHaveTextContent('4 of 31,726 left');
    expect(screen.getByText(/1 duplicate, left out/)).toHaveTextContent('3 of 1,000');
  });

  test('to more SIMs than may be listed can not be sent', async () => {
    const user = await compose();
    await type(user);
    const iccids = screen.getByRole('textbox', { name: 'ICCIDs of the recipients' });
    await screen.findByRole('button', { name: 'Send to 2 SIMs' });
    await user.clear(iccids);
    await user.paste(
      Array.from({ length: 1001 }, (_, n) => String(8_934_070_000_023_550_000n + BigInt(n))).join('\n'),
    );
    expect(await screen.findByText('1,001 of 1,000')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Send' })).toBeDisabled();
    expect(screen.getByRole('button', { name: 'Schedule…' })).toBeDisabled();
  });

  test('replaces the character that makes it longer with one click', async () => {
    const user = await compose();
    await type(user);
    expect(screen.getByText('UCS-2, 2 parts')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Use “-”: GSM-7, 1 part' }));
    expect(screen.getByRole('textbox', { name: 'Text' })).toHaveValue(text.replace('–', '-'));
    expect(screen.getByText('GSM-7, 1 part')).toBeInTheDocument();
  });

  test('reports why a character can not be sent, and removes one that only lengthens it', async () => {
    const user = await compose();
    const field = screen.getByRole('textbox', { name: 'Text' });
    const send = await screen.findByRole('button', { name: 'Send to 2 SIMs' });
    await user.click(field);
    await user.paste('您好\uFFFD');
    expect(await screen.findByRole('alert')).toHaveTextContent(/damaged/i);
    expect(send).toBeDisabled();
    await user.clear(field);
    await user.paste('REBOOT\u202E now');
    expect(await screen.findByRole('alert')).toHaveTextContent(/control/i);
    await user.click(screen.getByRole('button', { name: 'Remove it: GSM-7, 1 part' }));
    expect(field).toHaveValue('REBOOT now');
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    expect(send).toBeEnabled();
  });

  test('shows recipients, parts and the remaining quota before it is sent, and why sending failed', async () => {
    const user = await compose();
    await type(user);
    await user.click(await screen.findByRole('button', { name: 'Send to 2 SIMs' }));
    const dialog = await screen.findByRole('dialog');
    expect(await within(dialog).findByText(`${iccid} and ${other}`)).toBeInTheDocument();
    expect(dialog).toHaveTextContent('4 parts: 2 × 2 in UCS-2');
    expect(dialog).toHaveTextContent('31,726 left before, 31,722 after');
    await user.click(within(dialog).getByRole('button', { name: 'Send to 2 SIMs' }));
    expect(await within(dialog).findByText('The quota is used up')).toBeInTheDocument();
    const orders = gateway.sent.flatMap(({ path, body }) => (path === '/cube/sms/send' ? [body] : []));
    expect(orders.at(-1)).toEqual({
      selection: { iccids: [iccid, other] },
      content: text,
      preview: false,
      preview_digest: 'd',
    });
  });

  test('names recipients only if all that are left out are known', async () => {
    const left = { code: 'CB-04-0003', message: 'No number', iccids: ['89860012300004510001'] };
    const user = await compose({ refused: [{ ...left, count: 21 }] });
    await type(user);
    await user.click(await screen.findByRole('button', { name: 'Send to 2 SIMs' }));
    const dialog = await screen.findByRole('dialog');
    expect(await within(dialog).findByText('2 SIMs')).toBeInTheDocument();
    expect(dialog).not.toHaveTextContent(iccid);
  });

  test('survives changes of the list, and asks for confirmation only before its text would be lost', async () => {
    const user = await compose();
    await type(user);
    const textbox = () => screen.getByRole('textbox', { name: 'Text' });
    await user.click(screen.getByText('Instant', { selector: '[role=tab]' }));
    await screen.findByRole('table', { name: 'Instant messages' });
    await user.type(screen.getByPlaceholderText('Search by ICCID, MSISDN, device or text'), 'Truck');
    await user.click((await screen.findAllByText('#PROFILE;B'))[0] as HTMLElement);
    await write(user, 'A');
    expect(textbox()).toHaveValue(text);
    expect(screen.queryByText('Discard the unsent message?')).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Close the conversation' }));
    await user.click(await screen.findByRole('button', { name: 'Discard message' }));
    await waitFor(() => expect(screen.queryByText('Conversation')).not.toBeInTheDocument());
    await user.click(screen.getByRole('button', { name: 'Close the new message' }));
    await user.click(await screen.findByRole('button', { name: 'Keep editing' }));
    expect(textbox()).toHaveValue(text);
  });

  test('can not exceed the remaining quota', async () => {
    const user = await compose({ remaining: 3 });
    await type(user);
    await user.click(await screen.findByRole('button', { name: 'Send to 2 SIMs' }));
    const dialog = await screen.findByRole('dialog');
    expect(await within(dialog).findByText('Only 3 left: not enough')).toBeInTheDocument();
    expect(within(dialog).getByRole('button', { name: 'Send to 2 SIMs' })).toBeDisabled();
  });

  test('continues as a schedule with its text and recipients, without a confirmation', async () => {
    const user = await compose();
    await type(user);
    await user.click(await screen.findByText('Schedule…'));
    await waitFor(() => expect(screen.queryByText('ICCIDs of the recipients')).not.toBeInTheDocument());
    expect(screen.queryByText('Discard the unsent message?')).not.toBeInTheDocument();
    const [kept] = Object.keys(sessionStorage).filter((key) => key.startsWith('simcube.schedule.'));
    expect(JSON.parse(sessionStorage.getItem(kept ?? '') ?? 'null')).toMatchObject({
      content: text,
      selection: { iccids: [iccid, other] },
    });
  });

  test('closes once it was sent, without a confirmation', async () => {
    const user = await compose();
    await type(user);
    await user.click(await screen.findByRole('button', { name: 'Send to 2 SIMs' }));
    const dialog = await screen.findByRole('dialog');
    await within(dialog).findByText(`${iccid} and ${other}`);
    gateway.respond('POST /cube/sms/send', () =>
      success({
        preview: null,
        measure: null,
        message: null,
        task: { reference_id: 'T00000001', quantity: 2 },
      }),
    );
    await user.click(within(dialog).getByRole('button', { name: 'Send to 2 SIMs' }));
    await waitFor(() => expect(screen.queryByText('ICCIDs of the recipients')).not.toBeInTheDocument());
    expect(screen.queryByText('Discard the unsent message?')).not.toBeInTheDocument();
  });
});
