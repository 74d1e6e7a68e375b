import {
  AttributeWriter,
  attribute,
  errorCause,
  openRadiusClient,
  type RadiusReply,
  radiusCode,
  readAttribute,
} from '@simcube/radius';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Vault } from '../../../platform/secrets/index.ts';
import { type Gateway, gatewayOf } from '../aaa.clients.ts';
import { findGateway } from '../aaa.queries.ts';
import { addRate } from '../access/rate-attributes.ts';
import { closeLostSession } from '../sessions/close-sessions.queries.ts';
import { type ControlledSession, findSessions, insertControlEvent } from './control.queries.ts';

/** What the gateways are told about a SIM's open sessions. */
export type ControlOrder =
  | {
      action: 'disconnect';
      simId: number;
      reason: string;
      /** These sessions, even if they are closed here already; the open ones when undefined. */
      sessionKeys?: readonly number[] | undefined;
    }
  /** `rateKbps` null lifts the rate. */
  | { action: 'rate'; simId: number; rateKbps: number | null; reason: string };

export interface ControlOutcome {
  sessionId: string;
  result: 'ack' | 'nak' | 'timeout' | 'gateway-unknown';
  /** RFC 5176, 3.5; null when the gateway gave none. */
  errorCause: number | null;
}

/** RFC 5176 leaves the timing to the sender: a second, doubling, four times, is what gateways expect. */
const timing = { initialTimeoutMs: 1_000, maxRetransmissions: 3, maxDurationMs: 12_000 };

export interface ControlOptions {
  pool: pg.Pool;
  vault: Vault;
  clock: Clock;
}

/**
 * Sends Disconnect- or CoA-Requests for every open session of a SIM and records each answer as an event of the SIM.
 * Sent again it does no harm: a session that is gone already answers 503.
 */
export const controlSessions = async (
  options: ControlOptions,
  order: ControlOrder,
): Promise<ControlOutcome[]> => {
  const keys = order.action === 'disconnect' ? order.sessionKeys : undefined;
  const sessions = await findSessions(options.pool, order.simId, keys);
  return Promise.all(sessions.map((session) => controlSession(options, order, session)));
};

const controlSession = async (
  { pool, vault, clock }: ControlOptions,
  order: ControlOrder,
  session: ControlledSession,
): Promise<ControlOutcome> => {
  const row = await findGateway(pool, session.clientId);
  const outcome: ControlOutcome = row
    ? outcomeOf(session, await send(gatewayOf(row, vault), order, session))
    : { sessionId: session.sessionId, result: 'gateway-unknown', errorCause: null };
  const isDisconnect = order.action === 'disconnect';
  await insertControlEvent(pool, {
    simId: session.simId,
    orgId: session.orgId,
    at: clock.now(),
    kind: isDisconnect ? 'network-disconnect' : 'network-coa',
    facts: {
      session: session.sessionId,
      result: outcome.result,
      error_cause: outcome.errorCause,
      reason: order.reason,
      ...(order.action === 'rate' && { rate_kbps: order.rateKbps }),
    },
  });
  const isGone = outcome.errorCause === errorCause.sessionContextNotFound;
  if (isDisconnect && isGone) await closeLostSession(pool, session);
  return outcome;
};

const send = async (
  gateway: Gateway,
  order: ControlOrder,
  session: ControlledSession,
): Promise<RadiusReply> => {
  const client = await openRadiusClient({
    host: gateway.coaHost ?? session.address,
    port: gateway.coaPort,
    secret: gateway.secret,
    ...timing,
  });
  try {
    const attributes = new AttributeWriter()
      .add(attribute.nasIdentifier, session.nas)
      .add(attribute.acctSessionId, session.sessionId)
      .add(attribute.userName, session.imsi)
      .add(attribute.imsi, session.imsi);
    if (session.ip !== null && !session.ip.includes(':'))
      attributes.add(attribute.framedIpAddress, session.ip);
    if (order.action === 'rate') addRate(attributes, gateway.rateAttribute, order.rateKbps);
    const code = order.action === 'disconnect' ? radiusCode.disconnectRequest : radiusCode.coaRequest;
    return await client.send({ code, attributes });
  } finally {
    await client.close();
  }
};

const outcomeOf = ({ sessionId }: ControlledSession, reply: RadiusReply): ControlOutcome => {
  if (!reply.ok) return { sessionId, result: 'timeout', errorCause: null };
  const { code } = reply.packet;
  const isAck = code === radiusCode.disconnectAck || code === radiusCode.coaAck;
  const cause = readAttribute(reply.packet, attribute.errorCause) ?? null;
  return { sessionId, result: isAck ? 'ack' : 'nak', errorCause: cause };
};
