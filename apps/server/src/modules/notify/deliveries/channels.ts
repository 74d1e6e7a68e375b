import { type Language, limits } from '@simcube/contract';
import type { DeliveryFault } from '@simcube/contract/notify';
import { hourMs } from '@simcube/contract/time';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { type DirectMailer, MailRefused } from '../../../platform/mail/index.ts';
import { type Outbound, OutboundError, type OutboundResponse } from '../../../platform/outbound/index.ts';
import { UnsealError, type Vault } from '../../../platform/secrets/index.ts';
import { acceptText, type TextRefusal } from '../../sms/index.ts';
import { webhookHeaders } from '../targets/webhook-signing.ts';
import { type ClaimedDelivery, lockAttempt, markHandedOver } from './deliveries.queries.ts';
import { retryAfterMs, textReference } from './deliveries.rules.ts';
import { type Exchange, toStoredResponse } from './stored-exchanges.ts';
import { emailOf, shortTextOf } from './texts.ts';

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
      addressOnly?: true;
      /** The pause that the receiver requested. */
      requestedDelayMs?: number | undefined;
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
const maxResponseBytes = 64 * 1024;

export interface RequestOptions {
  vault: Vault;
  clock: Clock;
  outbound: Outbound;
}

/** Signed HTTPS requests (Standard Webhooks). Requests to webhooks and their responses are stored. */
export const createRequestSender = ({ vault, clock, outbound }: RequestOptions): SendDelivery => {
  const open = createSecretReader(vault);
  return async (delivery, signal) => {
    const { notificationId, address, secrets } = delivery;
    const body = delivery.body ?? bodyOf(delivery);
    let exchange: Exchange | undefined;
    try {
      const secretTexts = open(secrets);
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'SimCube',
        ...webhookHeaders({ id: notificationId, at: clock.now(), body }, secretTexts),
      };
      if (delivery.body !== null) exchange = { url: address, requestHeaders: headers, response: null };
      const response = await outbound({
        url: new URL(address),
        method: 'POST',
        headers,
        body,
        timeoutMs,
        maxBytes: maxResponseBytes,
        ...(exchange ? { excerptBytes: limits.webhooks.responseBytes } : { discardBody: true }),
        signal,
      });
      const stored = exchange && { exchange: { ...exchange, response: toStoredResponse(response) } };
      return { ...outcomeOfResponse(response, clock.now()), ...stored };
    } catch (error) {
      const stored = exchange && { exchange };
      if (signal.aborted) return { delivered: false, fault: 'interrupted', addressOnly: true };
      if (error instanceof OutboundError) return { delivered: false, fault: faultOf(error), ...stored };
      if (error instanceof UnsealError) return { delivered: false, fault: 'secret' };
      throw error;
    }
  };
};

const maxCachedSecrets = 1000;

/**
 * The secrets of a target, which has thousands of deliveries with them.
 * @returns without former ones that can't be opened, as after the loss of the sealing key: the new one then signs alone
 */
const createSecretReader = (vault: Vault): ((secrets: readonly Buffer[]) => string[]) => {
  const cache = new Map<string, string>();
  const open = (sealed: Buffer): string => {
    const key = sealed.toString('latin1');
    const plain = cache.get(key) ?? vault.open(sealed);
    if (cache.size >= maxCachedSecrets) cache.clear();
    cache.set(key, plain);
    return plain;
  };
  return (secrets) =>
    secrets.flatMap((sealed, index) => {
      try {
        return [open(sealed)];
      } catch (error) {
        if (index > 0 && error instanceof UnsealError) return [];
        throw error;
      }
    });
};

const bodyOf = ({ kind, fields, notifiedAt }: ClaimedDelivery): string =>
  JSON.stringify({ type: kind, timestamp: notifiedAt.toISOString(), data: fields });

const outcomeOfResponse = ({ status, headers }: OutboundResponse, now: Date): Outcome => {
  if (status >= 200 && status < 300) return { delivered: true, status };
  if (status === 410) return { delivered: false, fault: 'gone', status, final: true };
  return {
    delivered: false,
    fault: 'status',
    status,
    requestedDelayMs: retryAfterMs(headers['retry-after'], now),
  };
};

/** The size of a response is not an error: it is not read. */
const faultOf = ({ fault }: OutboundError): DeliveryFault => (fault === 'size' ? 'connection' : fault);

const mailFaults = { address: 'refused', mail: 'content', server: 'connection' } as const;

/** Mails, sent by the configured server. */
export const createMailSender =
  (mailer: DirectMailer): SendDelivery =>
  async ({ id, notificationId, kind, fields, address, language, createdAt }) => {
    try {
      await mailer.send({
        to: address,
        id: `${notificationId}.${id}`,
        queuedAt: createdAt,
        ...emailOf(kind, fields, language as Language),
      });
      return { delivered: true };
    } catch (error) {
      if (!(error instanceof MailRefused)) throw error;
      const { concerns, isFinal } = error;
      return {
        delivered: false,
        fault: mailFaults[concerns],
        ...(concerns !== 'server' && { addressOnly: true as const }),
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
  'CB-01-0012': { delivered: false, fault: 'sim', final: true, addressOnly: true },
  'CB-09-0028': { delivered: false, fault: 'unavailable', final: true, addressOnly: true },
  'CB-04-0001': { delivered: false, fault: 'forbidden', final: true, addressOnly: true },
  'CB-04-0002': { delivered: false, fault: 'quota', addressOnly: true, requestedDelayMs: hourMs },
};

/**
 * Short messages, each in its receiver's language. The message is accepted in the transaction that marks the
 * delivery as under way: even if a process dies, an attempt is one message. A delivery that another process has
 * claimed in the meantime is left to it.
 */
export const createTextSender =
  ({ pool, clock }: { pool: pg.Pool; clock: Clock }): SendDelivery =>
  ({ id, attempts, orgId, kind, fields, address, language }) =>
    inTransaction(pool, async (tx) => {
      if (!(await lockAttempt(tx, { id, attempts }))) return 'handed-over';
      const at = clock.now();
      const content = shortTextOf(kind, fields, language as Language);
      const reference = textReference({ id, attempts });
      const refusal = await acceptText(tx, { orgId, phone: address, content, reference, at });
      if (refusal) return refusals[refusal];
      await markHandedOver(tx, { id, until: new Date(at.getTime() + underWayMs) });
      return 'handed-over';
    });
