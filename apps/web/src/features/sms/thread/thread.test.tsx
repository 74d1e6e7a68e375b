import type { Sms } from '@simcube/contract/sms';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { Conversation } from './conversation.tsx';

const gateway = stubGateway();
const iccid = '89860012300004518823';
const firstMs = Date.parse('2026-11-20T12:00:00.000Z');

/** The message of a minute after the first. */
const messageAt = (minute: number, changes: Partial<Sms> = {}): Sms => ({
  id: `${iccid}-${firstMs + minute * 60_000}-1`,
  at: new Date(firstMs + minute * 60_000).toISOString(),
  direction: 'mt',
  iccid,
  msisdn: '4915112345678',
  device_name: 'Truck',
  own: true,
  content: `#${minute}`,
  encoding: 'gsm7',
  parts: 1,
  missing_parts: 0,
  kind: 'instant',
  status: 'delivered',
  reason: null,
  network_code: null,
  sent_at: null,
  settled_at: null,
  reply_to: null,
  replies: 0,
  task: null,
  sent_by: 'Ana',
  ...changes,
});

/** Responds with short pages, newest first; the cursor is the page's number. */
const pageSize = 3;
const respondWith = (messages: readonly Sms[]) =>
  gateway.respond('POST /cube/sms/list', ({ body }) => {
    const page = Number((body as { cursor?: string }).cursor ?? 0);
    const rows = messages.toReversed().slice(page * pageSize, (page + 1) * pageSize);
    const hasMore = messages.length > (page + 1) * pageSize;
    return success(rows, { total_count: messages.length, next_cursor: hasMore ? String(page + 1) : null });
  });

const show = (message?: string) => {
  signedInAs('operator');
  gateway.respond('GET /cube/sms/auto/config/has_sms_config/ACME', () => success(true));
  gateway.respond('GET /cube/sim/basic', () => success({ iccid, sms_suspended: false }));
  gateway.respond('GET /cube/sms/org/remain_usage', () =>
    success({ month: '2026-11', limit: null, used: 1, remaining: null }),
  );
  return renderScreen(<Conversation iccid={iccid} message={message} scope="messages" />);
};
const minutes = (count: number): Sms[] => Array.from({ length: count }, (_, minute) => messageAt(minute));

test('a conversation opens at the opened message, even if many newer ones follow', async () => {
  respondWith(minutes(12));
  show(messageAt(3).id);
  expect((await screen.findByText('#3')).closest('li')).toHaveAttribute('aria-current', 'true');
});

test('a message that is too far up is said to be, instead of loading the whole conversation', async () => {
  respondWith(minutes(40));
  show(messageAt(3).id);
  expect(await screen.findByText('The message that you opened is further up.')).toBeInTheDocument();
  // The first page, and five more.
  expect(screen.getByText('#22')).toBeInTheDocument();
  expect(screen.queryByText('#21')).not.toBeInTheDocument();
});

test('earlier messages that could not be loaded are reported, and can be requested again', async () => {
  respondWith(minutes(5));
  const { user } = show();
  const earlier = await screen.findByRole('button', { name: 'Show earlier messages' });
  gateway.respond('POST /cube/sms/list', () =>
    errorResponse({ http: 403, code: 'CB-00-0403', message: 'No' }),
  );
  await user.click(earlier);
  const retry = await screen.findByRole('button', { name: 'Try again' });
  expect(screen.getByText('#4')).toBeInTheDocument();
  respondWith(minutes(5));
  await user.click(retry);
  expect(await screen.findByText('#0')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
});

test('a message that arrives does not move the earlier ones away from the person who reads them', async () => {
  respondWith(minutes(2));
  show();
  const thread = await screen.findByRole('region', { name: 'Messages of this SIM' });
  Object.defineProperties(thread, { scrollHeight: { value: 900 }, clientHeight: { value: 300 } });
  const arrive = async (count: number) => {
    respondWith(minutes(count));
    window.dispatchEvent(new Event('visibilitychange'));
    await screen.findByText(`#${count - 1}`);
  };
  fireEvent.scroll(thread, { target: { scrollTop: 100 } });
  await arrive(3);
  expect(thread.scrollTop).toBe(100);
  fireEvent.scroll(thread, { target: { scrollTop: 590 } });
  await arrive(4);
  await waitFor(() => expect(thread.scrollTop).toBe(900));
});

test('the text of a message that is sent again replaces a written one only after confirmation', async () => {
  respondWith([messageAt(0, { status: 'failed', content: '#PROFILE;B' })]);
  const { user } = show();
  const field = await screen.findByRole('textbox', { name: 'Message to Truck' });
  const again = screen.getByRole('button', { name: 'Send again' });
  await user.type(field, 'Half a');
  await user.click(again);
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }));
  expect(field).toHaveValue('Half a');
  await user.clear(field);
  await user.click(again);
  expect(field).toHaveValue('#PROFILE;B');
  expect(field).toHaveFocus();
});

test('where a message comes from is not one of its steps', async () => {
  respondWith([messageAt(0, { kind: 'scheduled', task: 'T00000017' })]);
  show();
  const link = await screen.findByRole('link', { name: 'T00000017' });
  const parts = [...(link.closest('p')?.children ?? [])];
  expect(parts.map((part) => part.getAttribute('data-origin'))).toEqual([null, null, 'true', 'true']);
});
