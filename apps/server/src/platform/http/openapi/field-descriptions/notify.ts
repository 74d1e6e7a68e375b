import type { FieldDescriptions } from './types.ts';

const faults =
  'Why the newest attempt failed, or why no more are made; null if it succeeded, and before the first';

/** Deliveries to notification targets and webhooks. */
export const deliveries: FieldDescriptions = {
  attempts: 'Number of attempts so far',
  fault: faults,
  duration_ms: 'Milliseconds of the newest attempt; null before the first and while one runs',
  last_attempt_at: 'Time (UTC) of the newest attempt; null before the first',
  next_attempt_at: 'Time (UTC) of the next attempt; null if no more are made',
  tries: 'Its attempts, newest first',
  'tries.number': 'Number of the attempt, from 1',
  'tries.at': 'Time (UTC) at which it began',
  'tries.duration_ms': 'Milliseconds that it took; null while it runs',
  'tries.fault': 'Why it failed; null if it succeeded, and while it runs',
  'tries.status': 'HTTP status of the response; null without one',
  paused_for:
    '`failing`: every delivery failed for too long; `gone`: it responded with 410; null unless it is paused',
};

export const notify: FieldDescriptions = {
  ...deliveries,
  status: 'HTTP status of the response to the newest attempt; null without one',
  search: 'Part of the name or of an address',
  groupId: 'Number of the target',
  'query.groupId': 'Only the target with this number',
  id: 'Number of the target',
  'listDeliveries.response.data.id': 'Number of the delivery',
  'delivery.response.data.id': 'Number of the delivery',
  deliveryId: 'Number of the delivery',
  name: 'Name of the target, unique in its kind',
  emails: 'Email addresses, each at most once',
  phones: 'Phone numbers in international format (ITU-T E.164) without `+`, each at most once',
  url: 'Address to which requests are sent: HTTPS, without user name, password and fragment',
  last_delivery: 'The newest delivery; null if there was none',
  'last_delivery.at': 'Time (UTC) of the notification',
  'last_delivery.state': '`waiting` for another attempt, `delivered`, or `failed`: given up',
  state:
    '`active`; `failing`: one delivery at a time is attempted; `paused`: none is attempted until the target is resumed',
  'listDeliveries.response.data.state': '`waiting` for another attempt, `delivered`, or `failed`: given up',
  'delivery.response.data.state': '`waiting` for another attempt, `delivered`, or `failed`: given up',
  secret_created_at: 'Time (UTC) at which the newest secret was created',
  former_secret_until:
    'Time (UTC) until which requests are also signed with the former secret; null if they are not',
  target: 'The target',
  secret: 'Signing secret: `whsec_` and 32 octets in base64 (Standard Webhooks); returned only here',
  notification_id: 'ID of the notification, the same for each address and attempt: `webhook-id` of requests',
  kind: 'What the notification is about',
  address: 'Email address, phone number or URL to which it is delivered',
};
