import type { Language } from '@simcube/contract';
import type { DeliveryFault } from '@simcube/contract/notify';
import type { Clock } from '../../../platform/clock/index.ts';
import { type Letters, MailRefused } from '../../../platform/mail/index.ts';
import { type Outbound, OutboundError } from '../../../platform/outbound/index.ts';
import { SealBroken, type Vault } from '../../../platform/secrets/index.ts';
import { webhookHeaders } from '../targets/webhook-signing.ts';
import type { ClaimedDelivery } from './deliveries.queries.ts';
import { retryAfterMs } from './deliveries.rules.ts';
import { letterOf, shortTextOf } from './texts.ts';

/** What came of an attempt. */
export type Outcome =
  | { delivered: true; status?: number }
  | {
      delivered: false;
      fault: DeliveryFault;
      status?: number;
      /** What is not tried again. */
      final?: true;
      /** Only this address is wrong: others on the same way are not. */
      alone?: true;
      /** The pause that the receiver asked for. */
      askedMs?: number | undefined;
    };

/** A way for deliveries; never throws for what a receiver does. */
export type SendDelivery = (delivery: ClaimedDelivery, signal: AbortSignal) => Promise<Outcome>;

/** Longer than any receiver should need; Standard Webhooks advises 15 to 30 s. */
const timeoutMs = 15_000;
/** Of an answer, which is not kept. */
const answerBytes = 64 * 1024;

export interface RequestOptions {
  vault: Vault;
  clock: Clock;
  outbound: Outbound;
}

/** Signed HTTPS requests (Standard Webhooks). */
export const byRequest =
  ({ vault, clock, outbound }: RequestOptions): SendDelivery =>
  async ({ notificationId, kind, fields, notifiedAt, address, secrets }, signal) => {
    const body = JSON.stringify({ type: kind, timestamp: notifiedAt.toISOString(), data: fields });
    try {
      const opened = secrets.map((secret) => vault.open(secret));
      const { status, headers } = await outbound({
        url: new URL(address),
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'SimCube',
          ...webhookHeaders({ id: notificationId, at: clock.now(), body }, opened),
        },
        body,
        timeoutMs,
        maxBytes: answerBytes,
        discardBody: true,
        signal,
      });
      if (status >= 200 && status < 300) return { delivered: true, status };
      if (status === 410) return { delivered: false, fault: 'gone', status, final: true };
      const askedMs = retryAfterMs(headers['retry-after'], clock.now());
      return { delivered: false, fault: 'status', status, askedMs };
    } catch (error) {
      if (signal.aborted) return { delivered: false, fault: 'interrupted', alone: true };
      if (error instanceof OutboundError) return { delivered: false, fault: faultOf(error) };
      if (error instanceof SealBroken) return { delivered: false, fault: 'secret' };
      throw error;
    }
  };

/** The size of an answer is nobody's fault: it is not read. */
const faultOf = ({ fault }: OutboundError): DeliveryFault => (fault === 'size' ? 'connection' : fault);

/** Mails, sent by the server of the settings. */
export const byMail =
  (letters: Letters): SendDelivery =>
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
      const { isAddress, isFinal } = error;
      return {
        delivered: false,
        fault: isAddress ? 'refused' : 'connection',
        ...(isAddress && { alone: true as const }),
        ...(isFinal && { final: true as const }),
      };
    }
  };

/** A connection that takes messages for phones. */
export type SendText = (message: {
  orgId: number;
  phone: string;
  text: string;
  /** The same for each attempt. */
  id: string;
  signal: AbortSignal;
}) => Promise<Outcome>;

/** Short messages, each in its receiver's language. */
export const byText =
  (sendText: SendText): SendDelivery =>
  ({ id, orgId, kind, fields, address, language }, signal) =>
    sendText({
      orgId,
      phone: address,
      text: shortTextOf(kind, fields, language as Language),
      id: String(id),
      signal,
    });
