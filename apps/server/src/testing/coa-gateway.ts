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
import type { Clock } from '../platform/clock/index.ts';
import type { Database } from '../platform/db/index.ts';
import { testDatabase } from './database.ts';
import { radiusInventory, radiusSecret, type TestRadius, testRadius } from './radius.ts';

/**
 * How a gateway responds to a request: it acknowledges, stays silent, or refuses with an Error-Cause (null:
 * without one).
 */
export type GatewayReaction = 'ack' | 'silent' | { nak: number | null };

export interface CoaGateway {
  port: number;
  /** Disconnect- and CoA-Requests with a valid authenticator. */
  received: RadiusPacket[];
  /** Acknowledges all until a test changes it. */
  react: (packet: RadiusPacket) => GatewayReaction;
  close(): void;
}

const secret = Buffer.from(radiusSecret);

/** A gateway's port for requests (RFC 5176). */
export const openCoaGateway = async (): Promise<CoaGateway> => {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const gateway: CoaGateway = {
    port: socket.address().port,
    received: [],
    react: () => 'ack',
    close: () => socket.close(),
  };
  socket.on('message', (datagram, from) => {
    const decoded = decodePacket(Buffer.from(datagram));
    if (!decoded.ok || verifyRequest({ packet: decoded.packet, secret })) return;
    gateway.received.push(decoded.packet);
    const reaction = gateway.react(decoded.packet);
    if (reaction === 'silent') return;
    const isDisconnect = decoded.packet.code === radiusCode.disconnectRequest;
    const ack = isDisconnect ? radiusCode.disconnectAck : radiusCode.coaAck;
    const nak = isDisconnect ? radiusCode.disconnectNak : radiusCode.coaNak;
    const response = encodeResponse({
      code: reaction === 'ack' ? ack : nak,
      request: decoded.packet,
      secret,
      attributes: new AttributeWriter().addIfKnown(
        attribute.errorCause,
        reaction === 'ack' ? undefined : (reaction.nak ?? undefined),
      ),
    });
    socket.send(response, from.port, from.address);
  });
  return gateway;
};

export interface ControlFixture {
  database: Database;
  server: TestRadius;
  gateway: CoaGateway;
  close(): Promise<void>;
}

/** A RADIUS server on a separate database, and a gateway that receives its requests. */
export const openControlFixture = async (clock: Clock): Promise<ControlFixture> => {
  const database = await testDatabase({ max: 12 });
  await radiusInventory(database, 1);
  const server = await testRadius(database, clock);
  const gateway = await openCoaGateway();
  const close = async () => {
    gateway.close();
    await server.stop();
    await database.close();
  };
  return { database, server, gateway, close };
};
