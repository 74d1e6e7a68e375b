import { under } from './sims.ts';
import type { FieldDescriptions } from './types.ts';

const envelope: FieldDescriptions = {
  id: 'ID of the event, the same on every attempt and when it is resent',
  type: 'Event type, which determines the fields of `data`',
  time: 'Time (UTC) at which it happened',
  sequence: 'Number that grows with each event of the organisation; 0 for a test',
  organisation: 'Code of the organisation that it concerns',
  data: 'What happened',
};

/** Fields of `data`, by type where their meaning depends on it. */
const data: FieldDescriptions = {
  'sim.lifecycle-changed.data.from': 'Lifecycle status before the change',
  'sim.lifecycle-changed.data.to': 'Lifecycle status after the change',
  'sim.lifecycle-changed.data.reason': 'Why it changed',
  'sim.connection-changed.data.status': 'The new connection: `online`, `connected`, `offline` or `unknown`',
  'sim.imei-changed.data.from': 'IMEI of the former device, 14 to 16 digits',
  'sim.imei-changed.data.to': 'IMEI of the new device, 14 to 16 digits',
  'sim.usage-threshold.data.used_bytes': 'Usage of the current cycle in bytes, up + down',
  threshold_bytes: 'The threshold that usage reached, in bytes',
  'sim.usage-threshold.data.limit_bytes': 'Limit of the cycle in bytes; null: unlimited',
  percent: 'The threshold in percent of the limit; null if it is an amount',
  message_id: 'ID of the message',
  content: 'Text of the message; binary content in hexadecimal digits',
  encoding: 'Encoding of the text; `binary`: the content is in hexadecimal digits',
  reply_to: 'ID of the message that it replies to; null if it is not a reply',
  'sms.status.data.status':
    '`processing`; `sent` to the SMSC; `delivered`; `failed`; `unknown`: its outcome was not reported in time',
  'sms.status.data.reason': 'Why it failed, or its outcome is unknown; otherwise null',
  pool_id: 'ID of the shared pool',
  pool_name: 'Name of the shared pool',
  'pool.event.data.kind': 'What happened to the pool',
  limit_before_bytes: 'Limit in bytes before the event',
  limit_after_bytes: 'Limit in bytes after the event',
  'pool.event.data.used_bytes': 'Usage of the pool in the cycle in bytes',
  sims: 'Number of SIMs that it concerns',
  rule_id: 'Number of the rule',
  rule_name: 'Name of the rule',
  trigger: 'Trigger of the rule',
  value: 'Value of the SIM; null if no value was compared',
  threshold: 'Value that it is compared with; null if no value was compared',
  unit: 'Unit of both: bytes, messages, hours, sessions, or a currency’s minor units; null for texts',
  'bill.published.data.number': 'Number of the bill',
  'bill.published.data.version': 'Version of the bill, from 1',
  'bill.published.data.type': 'Type of the bill',
  due_on: 'Day on which the bill is due',
  'report.ready.data.month': 'Calendar month (`YYYY-MM`) in the reports’ time zone',
  kinds: 'Kinds of the reports',
  'task.finished.data.type': 'Kind of work',
  'task.finished.data.status': '`done`, or `issues`: not every item succeeded',
  'task.finished.data.done': 'Number of items that were processed',
};

/** Events that webhooks receive. */
export const event: FieldDescriptions = { ...envelope, ...data, message: 'Text that says that it is a test' };

/** Events of the change feed. */
export const feedEvents: FieldDescriptions = { ...under('events', envelope), ...data };

/** What was compared when a rule fired. */
export const firedFigures: FieldDescriptions = {
  value: 'Value of the SIM; null if no value was compared',
  threshold: 'Value that it is compared with; null if no value was compared',
  unit: 'Unit of both: `octets`, `SMS`, `hours`, `sessions`, or a currency’s code (minor units); null for texts',
};

/** Texts of firings for people. */
export const firedTexts: FieldDescriptions = {
  rule_name: 'Name of the rule',
  time: 'Time of the first firing as a text for people: use `firings`',
  comparison: 'Compared values of the first firing as a text for people: use `firings`',
};

/** Notifications that API targets receive. */
export const notification: FieldDescriptions = {
  type: 'Kind of the notification, which determines the fields of `data`',
  timestamp: 'Time (UTC) at which the notification was made',
  data: 'What it is about',
  target_id: 'Number of the target',
  target: 'Name of the target',
  rule_id: 'Number of the rule; null if it is only tried out',
  ...firedTexts,
  trigger: 'Trigger of the rule',
  sims: 'Number of firings, one for each SIM and event',
  firings: 'The first 100 firings; the run history of the rule has all of them',
  run_id: 'Number of the run; null if the rule is only tried out',
  happened_at: 'Time (UTC) of the event for which the rule fired',
  ...firedFigures,
  since: 'Time (UTC) since when the value counts; null if it has no beginning',
  rule: 'Name of the rule: use `rule_name`',
  'autoflow.fired.data.iccid': 'ICCIDs of the first SIMs as a text for people: use `firings`',
  'autoflow.tried.data.iccid': 'ICCID of the SIM: use `firings`',
  'autoflow.fired.data.id': 'Number of the rule: use `rule_id`',
  'sms.received.data.id': 'ID of the message: use `message_id`',
  message_id: 'ID of the message',
  to: 'Number to which the device sent it',
  content: 'Text of the message; binary content in hexadecimal digits',
  encoding: 'Encoding of the text; `binary`: the content is in hexadecimal digits',
  parts: 'Number of parts of the message',
  missing_parts: 'Number of parts that did not arrive',
  at: 'Time (UTC) at which it arrived',
};
