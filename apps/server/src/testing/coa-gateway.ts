import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import {
  AttributeWriter,
  attribute,
  decodePacket,
  encodeResponse,
  type RadiusPacket,
  radiusCode,
  verifyRequest,
} from '@simcube/radius';
import { radiusSecret } from './radius.ts';

export interface CoaGateway {
  port: number;
  /** Disconnect- and CoA-Requests with a right authenticator. */
  received: RadiusPacket[];
  close(): void;
}

const secret = Buffer.from(radiusSecret);

/** A gateway's port for orders (RFC 5176) that agrees to all of them, or refuses them with an Error-Cause. */
export const openCoaGateway = async (refuseWith?: number): Promise<CoaGateway> => {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const received: RadiusPacket[] = [];
  socket.on('message', (datagram, from) => {
    const decoded = decodePacket(Buffer.from(datagram));
    if (!decoded.ok || verifyRequest({ packet: decoded.packet, secret })) return;
    received.push(decoded.packet);
    const isDisconnect = decoded.packet.code === radiusCode.disconnectRequest;
    const agreed = isDisconnect ? radiusCode.disconnectAck : radiusCode.coaAck;
    const refused = isDisconnect ? radiusCode.disconnectNak : radiusCode.coaNak;
    const answer = encodeResponse({
      code: refuseWith === undefined ? agreed : refused,
      request: decoded.packet,
      secret,
      attributes: new AttributeWriter().addIfKnown(attribute.errorCause, refuseWith),
    });
    socket.send(answer, from.port, from.address);
  });
  return { port: socket.address().port, received, close: () => socket.close() };
};
