import { isIPv4, isIPv6 } from 'node:net';
import type { ControlResult } from '@simcube/contract/sim';
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
import { findGateway } from '../aaa.queries.ts';
import { type Gateway, gatewayOf } from '../gateways/clients.ts';
import { addRate } from '../gateways/rate-attributes.ts';
import type { Enforcement } from './control.rules.ts';
import type { DueEnforcement } from './sessions.views.ts';
import type { RequestTiming, SilentGateways } from './silent-gateways.ts';

export interface ControlOutcome {
  sessionId: string;
  action: Enforcement['action'];
  result: ControlResult;
  /** RFC 5176, 3.5; null when the gateway gave none. */
  errorCause: number | null;
  /** The gateway's name and the address of its listener; undefined if it is no longer known. */
  gateway: { name: string; address: string } | undefined;
  /** Acknowledged, the gateway does not have the session, or the request is no longer due. */
  isDone: boolean;
  /** Why nothing could be sent; treated like a missing reply. */
  failure?: string;
  /** Not requested any further, because it is no longer due. */
  isWithdrawn?: boolean;
}

/**
 * Sends one request and waits for its reply; `isStillDue` is asked before each retransmission. A failure to send counts as no
 * reply and does not affect other requests.
 */
export const sendControlRequest = async (
  { pool, vault, clock }: { pool: pg.Pool; vault: Vault; clock: Clock },
  silentGateways: SilentGateways,
  { session, enforcement, isStillDue }: DueEnforcement & { isStillDue: () => Promise<boolean> },
): Promise<ControlOutcome> => {
  const { sessionId } = session;
  const { action } = enforcement;
  const row = await findGateway(pool, session.clientId);
  if (!row) {
    return {
      sessionId,
      action,
      result: 'gateway-unknown',
      errorCause: null,
      gateway: undefined,
      // A session that is open here could still be ended there; one that is closed would be retried for months.
      isDone: session.stoppedAt !== null,
    };
  }
  const host = row.coa_host ?? session.address;
  const gateway = {
    name: row.name,
    address: isIPv6(host) ? `[${host}]:${row.coa_port}` : `${host}:${row.coa_port}`,
  };
  const noReply = {
    sessionId,
    action,
    result: 'timeout',
    errorCause: null,
    gateway,
    isDone: false,
  } as const;
  let reply: RadiusReply;
  try {
    const timing = silentGateways.timingFor(row.id);
    const request = { gateway: gatewayOf(row, vault), host, timing, at: clock.now(), isStillDue };
    reply = await send(request, { session, enforcement });
    // A gateway that reported neither NAS attribute is known by the name that it has here, which it may not know itself.
    if (session.nas === row.name && isNasMismatch(reply))
      reply = await send({ ...request, isNasNamed: false }, { session, enforcement });
  } catch (error) {
    return { ...noReply, failure: error instanceof Error ? error.message : String(error) };
  }
  if (!reply.ok) {
    if (reply.reason === 'withdrawn') return { ...noReply, isDone: true, isWithdrawn: true };
    silentGateways.timedOut(row.id);
    return noReply;
  }
  silentGateways.replied(row.id);
  const { code } = reply.packet;
  const isAck = code === radiusCode.disconnectAck || code === radiusCode.coaAck;
  const cause = readAttribute(reply.packet, attribute.errorCause) ?? null;
  const isGone = cause === errorCause.sessionContextNotFound;
  return {
    sessionId,
    action,
    result: isAck ? 'ack' : 'nak',
    errorCause: cause,
    gateway,
    isDone: isAck || isGone,
  };
};

/**
 * Identifies the gateway as it identifies itself; it would reject a NAS attribute that it does not know (RFC 5176, 3
 * and 3.5).
 */
const nasAttributeOf = ({ nas }: { nas: string }) => {
  if (isIPv4(nas)) return attribute.nasIpAddress;
  return isIPv6(nas) ? attribute.nasIpv6Address : attribute.nasIdentifier;
};

const isNasMismatch = (reply: RadiusReply): boolean =>
  reply.ok && readAttribute(reply.packet, attribute.errorCause) === errorCause.nasIdentificationMismatch;

interface RequestOptions {
  gateway: Gateway;
  host: string;
  timing: RequestTiming;
  at: Date;
  isStillDue: () => Promise<boolean>;
  /** Whether the request has a NAS attribute. */
  isNasNamed?: boolean;
}

/**
 * Names the session only as its gateway itself does in accounting. Every attribute must match its session (RFC 5176, 3):
 * another User-Name than its own, such as the IMSI, would be answered with 503, as if the session were gone.
 */
const send = async (
  { gateway, host, timing, at, isStillDue, isNasNamed = true }: RequestOptions,
  { session, enforcement }: DueEnforcement,
): Promise<RadiusReply> => {
  const client = await openRadiusClient({ host, port: gateway.coaPort, secret: gateway.secret, ...timing });
  try {
    const attributes = new AttributeWriter()
      .add(attribute.acctSessionId, session.sessionId)
      // A gateway that is protected against replays discards requests without it (RFC 5176, 6.3).
      .add(attribute.eventTimestamp, Math.floor(at.getTime() / 1000));
    if (isNasNamed) attributes.add(nasAttributeOf(session), session.nas);
    if (session.ip !== null && !session.ip.includes(':'))
      attributes.add(attribute.framedIpAddress, session.ip);
    if (enforcement.action === 'rate') addRate(attributes, gateway.rateAttribute, enforcement.rateKbps);
    const code = enforcement.action === 'disconnect' ? radiusCode.disconnectRequest : radiusCode.coaRequest;
    return await client.send({ code, attributes, isWanted: isStillDue });
  } finally {
    await client.close();
  }
};

/** Describes a failure for the log and the operator: the gateway, the request and the outcome. */
export const describeFailure = ({
  sessionId,
  action,
  result,
  errorCause: cause,
  gateway,
  failure,
}: ControlOutcome): string => {
  const request = `${action === 'disconnect' ? 'Disconnect' : 'CoA'}-Request for session ${sessionId}`;
  if (!gateway) return `The gateway of session ${sessionId} is no longer known: no ${request}`;
  const gatewayName = `Gateway ${gateway.name} (${gateway.address})`;
  if (failure) return `${gatewayName} could not be sent a ${request}: ${failure}`;
  if (result === 'timeout') return `${gatewayName} did not answer a ${request}`;
  return `${gatewayName} refused a ${request}${cause === null ? '' : ` with Error-Cause ${cause}`}`;
};
