import { createHmac, timingSafeEqual } from 'node:crypto';
import type { NotificationRequest } from '@simcube/contract/notify';
import { minuteMs, secondMs } from '@simcube/contract/time';
import type { WebhookEvent, WebhookTest } from '@simcube/contract/webhook';

/** Of Node's `http` or of `fetch`; names in lower case. */
export type ReceivedHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Why a request was refused: it lacks a header, its time is more than five minutes from the receiver's, it was not
 * signed with the secret, or its body is not JSON.
 */
export type WebhookFault = 'headers' | 'time' | 'signature' | 'body';

/** Respond with 401, or for `body` with 400. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused';
  readonly fault: WebhookFault;

  constructor(fault: WebhookFault) {
    super(messages[fault]);
    this.fault = fault;
  }
}

const messages: Record<WebhookFault, string> = {
  headers: 'webhook-id, webhook-timestamp or webhook-signature is missing or malformed',
  time: 'webhook-timestamp is more than five minutes from the current time',
  signature: 'webhook-signature has no signature made with the secret',
  body: 'The body is not JSON',
};

export interface VerifyOptions {
  now?: Date;
}

const toleranceMs = 5 * minuteMs;
const prefix = 'whsec_';
const version = 'v1,';

/**
 * Verifies a request to a webhook (Standard Webhooks 1.0).
 * @param body as received, before it is parsed
 * @param secret the notification key, or several: after a new one was made, the former one is used for 24 hours
 * @returns the event, typed by its `type`; its shape is not checked, and a newer server may send other types
 * @throws WebhookRefused
 */
export const verifyWebhook = (
  headers: ReceivedHeaders,
  body: string | Uint8Array,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): WebhookEvent | WebhookTest => verified(headers, body, secret, options) as WebhookEvent | WebhookTest;

/** The same for a request to an API target, with the target's secret. */
export const verifyNotification = (
  headers: ReceivedHeaders,
  body: string | Uint8Array,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): NotificationRequest => verified(headers, body, secret, options) as NotificationRequest;

const verified = (
  headers: ReceivedHeaders,
  body: string | Uint8Array,
  secret: string | readonly string[],
  { now = new Date() }: VerifyOptions,
): unknown => {
  const keys = [secret].flat().map(keyOf);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (!id || !signatures || !/^\d{1,12}$/.test(timestamp)) throw new WebhookRefused('headers');
  if (Math.abs(now.getTime() - secondMs * Number(timestamp)) > toleranceMs) throw new WebhookRefused('time');
  const given = signatures
    .split(' ')
    .filter((one) => one.startsWith(version))
    .map((one) => Buffer.from(one.slice(version.length), 'base64'));
  const expected = keys.map((key) =>
    createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest(),
  );
  if (!expected.some((one) => given.some((other) => isEqual(one, other))))
    throw new WebhookRefused('signature');
  return parse(body);
};

/** @throws TypeError for a text that is not a secret: with an empty key, anybody could sign */
const keyOf = (secret: string): Buffer => {
  const key = Buffer.from(secret.replace(prefix, ''), 'base64');
  if (!secret.startsWith(prefix) || key.length === 0)
    throw new TypeError(`A secret begins with ${prefix}, followed by the key in base64`);
  return key;
};

const headerOf = (headers: ReceivedHeaders, name: string): string => {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return typeof value === 'string' ? value : '';
};

const isEqual = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other);

const parse = (body: string | Uint8Array): unknown => {
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
  } catch {
    throw new WebhookRefused('body');
  }
};
