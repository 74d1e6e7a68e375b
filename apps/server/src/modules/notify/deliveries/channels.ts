import { type Language, limits } from '@simcube/contract';
import type { DeliveryFault } from '@simcube/contract/notify';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { type DirectMailer, MailRefused } from '../../../platform/mail/index.ts';
import { type Outbound, OutboundError, type OutboundResponse } from '../../../platform/outbound/index.ts';
import { UnsealError, type Vault } from '../../../platform/secrets/index.ts';
import { acceptText, type TextRefusal } from '../../sms/index.ts';
import { webhookHeaders } from '../targets/webhook-signing.ts';
import { type ClaimedDelivery, handOver, lockAttempt } from './deliveries.queries.ts';
import { hourMs, retryAfterMs, textReference } from './deliveries.rules.ts';
import { type Exchange, keptResponse } from './kept-exchanges.ts';
import { letterOf, shortTextOf } from './texts.ts';

/** The result of an attempt. */
export type Outcome = (
  | { delivered: true; status?: number }
  | {
      delivered: false;
      fault: DeliveryFault;
      status?: number;
      /** There will be no further attempt. */
      final?: true;
      /** Only this address is at fault, not the whole lane. */
      alone?: true;
      /** The pause that the receiver requested. */
      askedMs?: number | undefined;
    }
) & { exchange?: Exchange };

/**
 * Sends a delivery; never throws for a receiver's behaviour. A delivery that was handed over may be under way
 * for hours: its result is reported later.
 */
export type SendDelivery = (
  delivery: ClaimedDelivery,
  signal: AbortSignal,
) => Promise<Outcome | 'handed-over'>;

/** Longer than any receiver should need; Standard Webhooks recommends 15 to 30 s. */
const timeoutMs = 15_000;
/** Maximum size of a response that is not stored. */
const answerBytes = 64 * 1024;

export interface RequestOptions {
  vault: Vault;
  clock: Clock;
  outbound: Outbound;
}

/** Signed HTTPS requests (Standard Webhooks). Requests to webhooks and their responses are stored. */
export const byRequest = ({ vault, clock, outbound }: RequestOptions): SendDelivery => {
  const open = openedOnce(vault);
  return async (delivery, signal) => {
    const { notificationId, address, secrets } = delivery;
    const body = delivery.body ?? bodyOf(delivery);
    let exchange: Exchange | undefined;
    try {
      const opened = secrets.map(open);
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'SimCube',
        ...webhookHeaders({ id: notificationId, at: clock.now(), body }, opened),
      };
      if (delivery.body !== null) exchange = { url: address, requestHeaders: headers, response: null };
      const answer = await outbound({
        url: new URL(address),
        method: 'POST',
        headers,
        body,
        timeoutMs,
        maxBytes: answerBytes,
        ...(exchange ? { excerptBytes: limits.webhooks.responseBytes } : { discardBody: true }),
        signal,
      });
      const kept = exchange && { exchange: { ...exchange, response: keptResponse(answer) } };
      return { ...judged(answer, clock.now()), ...kept };
    } catch (error) {
      const kept = exchange && { exchange };
      if (signal.aborted) return { delivered: false, fault: 'interrupted', alone: true };
      if (error instanceof OutboundError) return { delivered: false, fault: faultOf(error), ...kept };
      if (error instanceof UnsealError) return { delivered: false, fault: 'secret' };
      throw error;
    }
  };
};

const openedMost = 1000;

/** A target has thousands of deliveries with one secret. */
const openedOnce = (vault: Vault): ((sealed: Buffer) => string) => {
  const known = new Map<string, string>();
  return (sealed) => {
    const key = sealed.toString('latin1');
    const plain = known.get(key) ?? vault.open(sealed);
    if (known.size >= openedMost) known.clear();
    known.set(key, plain);
    return plain;
  };
};

const bodyOf = ({ kind, fields, notifiedAt }: ClaimedDelivery): string =>
  JSON.stringify({ type: kind, timestamp: notifiedAt.toISOString(), data: fields });

const judged = ({ status, headers }: OutboundResponse, now: Date): Outcome => {
  if (status >= 200 && status < 300) return { delivered: true, status };
  if (status === 410) return { delivered: false, fault: 'gone', status, final: true };
  return { delivered: false, fault: 'status', status, askedMs: retryAfterMs(headers['retry-after'], now) };
};

/** The size of a response is not an error: it is not read. */
const faultOf = ({ fault }: OutboundError): DeliveryFault => (fault === 'size' ? 'connection' : fault);

const mailFaults = { address: 'refused', mail: 'content', server: 'connection' } as const;

/** Mails, sent by the configured server. */
export const byMail =
  (letters: DirectMailer): SendDelivery =>
  async ({ id, notificationId, kind, fields, address, language, createdAt }) => {
    try {
      await letters.send({
        to: address,
        id: `${notificationId}.${id}`,
        queuedAt: createdAt,
        ...letterOf(kind, fields, language as Language),
      });
      return { delivered: true };
    } catch (error) {
      if (!(error instanceof MailRefused)) throw error;
      const { concerns, isFinal } = error;
      return {
        delivered: false,
        fault: mailFaults[concerns],
        ...(concerns !== 'server' && { alone: true as const }),
        ...(isFinal && { final: true as const }),
      };
    }
  };

/** While the attempt is under way, the delivery can't be claimed: it is given up before this time is over. */
const underWayMs = 2 * limits.notifications.hours * hourMs;

/**
 * Short messages that were not accepted; only those that an operator or the next month's quota can change are
 * retried.
 */
const refusals: Record<TextRefusal, Outcome> = {
  'CB-09-0028': { delivered: false, fault: 'unavailable', final: true, alone: true },
  'CB-04-0001': { delivered: false, fault: 'forbidden', final: true, alone: true },
  'CB-04-0002': { delivered: false, fault: 'quota', alone: true, askedMs: hourMs },
};

/**
 * Short messages, each in its receiver's language. The message is accepted in the transaction that marks the
 * delivery as under way: even if a process dies, an attempt is one message. A delivery that another process has
 * claimed in the meantime is left to it.
 */
export const byText =
  ({ pool, clock }: { pool: pg.Pool; clock: Clock }): SendDelivery =>
  ({ id, attempts, orgId, kind, fields, address, language }) =>
    inTransaction(pool, async (tx) => {
      if (!(await lockAttempt(tx, { id, attempts }))) return 'handed-over';
      const at = clock.now();
      const content = shortTextOf(kind, fields, language as Language);
      const reference = textReference({ id, attempts });
      const refusal = await acceptText(tx, { orgId, phone: address, content, reference, at });
      if (refusal) return refusals[refusal];
      await handOver(tx, { id, until: new Date(at.getTime() + underWayMs) });
      return 'handed-over';
    });
