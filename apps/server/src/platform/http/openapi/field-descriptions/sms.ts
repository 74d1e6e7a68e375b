import { under } from './sims.ts';
import type { FieldDescriptions } from './types.ts';

const filter: FieldDescriptions = {
  from: 'Start (UTC) of the period, inclusive',
  to: 'End (UTC) of the period, exclusive',
  iccids: 'Messages of any of these SIMs; an empty list matches none',
  search: 'Part of the ICCID, MSISDN or device name of a SIM of the organisation, or of the text',
};
const kinds =
  '`instant` and `scheduled`: to SIMs; `reply`: from SIMs, within 24 hours after a message to them';
const statuses = 'Messages to SIMs in any of these states';
const directions = '`mt`: to SIMs; `mo`: from SIMs';
const replyTo = 'Only replies to the message with this ID';

export const sms: FieldDescriptions = {
  ...under('body', filter),
  ...under('body.filter', filter),
  'list.body.kind': kinds,
  'list.body.status': statuses,
  'list.body.direction': directions,
  'listReplies.body.reply_to': replyTo,
  'body.filter': 'Messages that match every given field',
  'download.body.filter.kind': kinds,
  'download.body.filter.status': statuses,
  'filter.direction': directions,
  'reportMt.body.filter.kind': 'How the messages were sent',
  'reportMt.body.filter.status': statuses,
  'reportMo.body.filter.kind': 'Only messages that are replies',
  'reportMo.body.filter.reply_to': replyTo,
  'query.direction': directions,
  'query.search': 'Part of the text',
  id: 'ID of the message: ICCID, milliseconds since 1970 and a number',
  direction: '`mt`: to the SIM; `mo`: from the SIM',
  'data.at': 'Time (UTC) at which it was accepted for sending, or received',
  'message.at': 'Time (UTC) at which it was accepted for sending',
  msisdn: 'Phone number of the SIM at that time, ITU-T E.164 without `+`',
  device_name: 'Name of the device; null if it has none, or the SIM now belongs to another organisation',
  content:
    'Text; `[…]` stands for missing parts and for the end of a very long text. Binary content in hexadecimal digits',
  'send.body.content': 'Text, at most 140 characters',
  encoding: 'Encoding of the text; `binary`: the content is in hexadecimal digits',
  parts: 'Number of its parts, which quota and prices count',
  missing_parts: 'Number of parts of a long message from the SIM that did not arrive within ten minutes',
  kind: 'How it was sent; null for messages from SIMs',
  status:
    '`processing`; `sent` to the SMSC; `delivered`; `failed`; `unknown`: its outcome was not reported in time. Null for messages from SIMs',
  reason: 'Why it failed, or its outcome is unknown; otherwise null',
  network_code: 'Result code of the network, verbatim; null if it reported none',
  sent_at: 'Time (UTC) at which the SMSC accepted it; null if it did not',
  settled_at: 'Time (UTC) at which its last state became known; null until then',
  'data.reply_to':
    'ID of the message that it replies to: the last one to the SIM in the 24 hours before; null if there is none',
  'message.reply_to': 'Null: it is not a reply',
  replies: 'Number of messages from the SIM that reply to it',
  'suspendMt.response.data.task': 'The task that does the work; null for a preview',
  'resumeMt.response.data.task': 'The task that does the work; null for a preview',
  task: 'Reference of the task that sent it; null if none did',
  sent_by: 'Name of the person or program that sent it; null for messages from SIMs',
  measure: 'Encoding and size of the text, for a preview; otherwise null',
  'measure.parts': 'Number of parts of one message',
  total_parts: 'Number of parts of all messages together',
  'measure.remaining': 'Parts that are left of the month’s quota before sending; null: no limit',
  'send.response.data.message':
    'The message, if it was sent to a single listed SIM without a task; otherwise null',
  'send.response.data.task': 'The task that sends; null for a preview, and for a single message',
  quota: 'The month’s quota',
  limit: 'Quota of the month in parts; null: no limit',
  used: 'Parts that the organisation and those below it that inherit its quota used in the month',
  used_below: 'The part of `used` that organisations below used',
  used_above:
    'Parts that others used of an inherited quota: those above and their other organisations; `used`, this and what is left make up the limit',
  remaining: 'Parts that are left, also of the organisations whose quota is inherited; null: no limit',
  mt: 'Number of messages to SIMs',
  mt_parts: 'Number of their parts',
  mo: 'Number of messages from SIMs',
  days: 'The last 31 business days, oldest first',
  day: 'Business day',
  org_code: 'Code of the organisation',
  org_name: 'Name of the organisation',
  can_send: 'Whether it may send messages',
  can_receive: 'Whether messages from its SIMs are accepted',
  sender:
    'Sender address of its messages: up to 15 digits, or a name of up to 11 characters; null: that of the connection to the SMSC',
  'data.forward_to':
    'Numbers of notification targets to which messages from its SIMs are forwarded; null for other organisations than the caller’s',
  'body.forward_to':
    'Numbers of notification targets to which messages from its SIMs are forwarded; only for the caller’s own organisation',
  editable: 'Whether the caller may set the other fields: those of organisations below its own',
};
