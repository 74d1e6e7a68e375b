import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import {
  AttributeWriter,
  attribute,
  decodePacket,
  encodeResponse,
  errorCause,
  type RadiusCode,
  type RadiusPacket,
  radiusCode,
  readAttribute,
  verifyRequest,
} from '@simcube/radius';
import { type Rates, readRates } from './rates.ts';

/** Attributes by which a request identifies a session; all that are present must match (RFC 5176 §3). */
export interface SessionSelector {
  sessionId: string | undefined;
  imsi: string | undefined;
  userName: string | undefined;
  callingStationId: string | undefined;
  framedIpAddress: string | undefined;
}

export interface CoaListenerOptions {
  host: string;
  port: number;
  secret: Uint8Array;
  nasIdentifier: string;
  /** Returns false if there is no such session. */
  disconnect: (selector: SessionSelector) => boolean;
  changeRates: (selector: SessionSelector, rates: Rates) => boolean;
}

export interface CoaListener {
  readonly port: number;
  close(): Promise<void>;
}

/** Number of recent replies kept for retransmitted requests, which must not take effect twice (RFC 5176 §2.3). */
const MAX_REMEMBERED = 512;

/** Listens for the server's Disconnect-Requests and CoA-Requests. */
export async function openCoaListener(options: CoaListenerOptions): Promise<CoaListener> {
  const socket = createSocket(options.host.includes(':') ? 'udp6' : 'udp4');
  const responses = new Map<string, Buffer>();
  socket.on('message', (datagram, from) => {
    const response = respondTo({ datagram, from, responses, options });
    if (response !== undefined) send(socket, response, from);
  });
  socket.bind(options.port, options.host);
  await once(socket, 'listening');
  // After a successful start, an error concerns a single datagram.
  socket.on('error', () => undefined);
  return {
    port: socket.address().port,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function send(socket: Socket, response: Buffer, to: RemoteInfo): void {
  socket.send(response, to.port, to.address, () => undefined);
}

interface ReceivedDatagram {
  datagram: Buffer;
  from: RemoteInfo;
  responses: Map<string, Buffer>;
  options: CoaListenerOptions;
}

function respondTo({ datagram, from, responses, options }: ReceivedDatagram): Buffer | undefined {
  const decoded = decodePacket(datagram);
  const { secret } = options;
  if (!decoded.ok || verifyRequest({ packet: decoded.packet, secret }) !== undefined) return undefined;
  const { packet } = decoded;
  const key = `${from.address} ${from.port} ${packet.identifier} ${packet.authenticator.toString('hex')}`;
  const remembered = responses.get(key);
  if (remembered !== undefined) return remembered;
  const decision = decide(packet, options);
  if (decision === undefined) return undefined;
  const attributes = new AttributeWriter().addIfKnown(attribute.errorCause, decision.errorCause);
  const response = encodeResponse({ code: decision.code, request: packet, secret, attributes });
  responses.set(key, response);
  const [oldest] = responses.keys();
  if (responses.size > MAX_REMEMBERED && oldest !== undefined) responses.delete(oldest);
  return response;
}

function decide(
  packet: RadiusPacket,
  options: CoaListenerOptions,
): { code: RadiusCode; errorCause?: number } | undefined {
  const isDisconnect = packet.code === radiusCode.disconnectRequest;
  if (!isDisconnect && packet.code !== radiusCode.coaRequest) return undefined;
  const nak = (cause: number) => ({
    code: isDisconnect ? radiusCode.disconnectNak : radiusCode.coaNak,
    errorCause: cause,
  });
  const nasIdentifier = readAttribute(packet, attribute.nasIdentifier);
  if (nasIdentifier !== undefined && nasIdentifier !== options.nasIdentifier) {
    return nak(errorCause.nasIdentificationMismatch);
  }
  const selector = selectorOf(packet);
  if (Object.values(selector).every((value) => value === undefined)) return nak(errorCause.missingAttribute);
  if (isDisconnect) {
    return options.disconnect(selector)
      ? { code: radiusCode.disconnectAck }
      : nak(errorCause.sessionContextNotFound);
  }
  const rates = readRates(packet);
  if (rates === undefined) return nak(errorCause.missingAttribute);
  return options.changeRates(selector, rates)
    ? { code: radiusCode.coaAck }
    : nak(errorCause.sessionContextNotFound);
}

const selectorOf = (packet: RadiusPacket): SessionSelector => ({
  sessionId: readAttribute(packet, attribute.acctSessionId),
  imsi: readAttribute(packet, attribute.imsi),
  userName: readAttribute(packet, attribute.userName),
  callingStationId: readAttribute(packet, attribute.callingStationId),
  framedIpAddress: readAttribute(packet, attribute.framedIpAddress),
});
