import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import {
  AttributeWriter,
  attribute,
  decodePacket,
  encodeResponse,
  type RadiusCode,
  type RadiusPacket,
  radiusCode,
  readAccounting,
  readAttribute,
  verifyRequest,
} from '@simcube/radius';
import type pg from 'pg';
import type { Clock } from '../../platform/clock/index.ts';
import type { Log } from '../../platform/log/index.ts';
import type { Metrics } from '../../platform/metrics/index.ts';
import type { Gateway, Gateways } from './aaa.clients.ts';
import { PacketCounts, type PacketKind } from './aaa.counts.ts';
import { DuplicateCache } from './aaa.duplicates.ts';
import { type Decision, rejectMessages } from './aaa.rules.ts';
import type { AccessService } from './access/access.service.ts';
import { addRate } from './access/rate-attributes.ts';
import type { Intake } from './intake/intake.ts';
import { identityOf, nasOf, updateOf } from './intake/update.ts';
import { closeGatewaySessions } from './sessions/close-sessions.ts';

export interface RadiusServerOptions {
  pool: pg.Pool;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  gateways: Gateways;
  intake: Intake;
  access: AccessService;
}

/** One of the two ports, bound. */
export interface RadiusPort {
  port: number;
  close(): Promise<void>;
}

/** A datagram that passed the door: known gateway, well-formed, signed right, not seen before. */
interface Request {
  packet: RadiusPacket;
  gateway: Gateway;
  address: string;
  kind: PacketKind;
  respond: (code: RadiusCode, attributes?: AttributeWriter) => void;
  /** Leaves it unanswered: the gateway will send it again, and then it is taken up anew. */
  shed: (outcome: string) => void;
}

const receiveBufferOctets = 4 * 1024 * 1024;
const accessAtOnce = 5_000;
const noAttributes = new AttributeWriter();

export class RadiusServer {
  readonly #options: RadiusServerOptions;
  readonly #counts: PacketCounts;
  #accessInProgress = 0;

  constructor(options: RadiusServerOptions) {
    this.#options = options;
    this.#counts = new PacketCounts(options.metrics);
  }

  /** @throws Error (EADDRINUSE, EACCES) when the port is not free */
  listenAuthentication(host: string, port: number): Promise<RadiusPort> {
    return this.#listen({ host, port, code: radiusCode.accessRequest, kind: 'access' }, (request) =>
      this.#authorise(request),
    );
  }

  /** @throws Error (EADDRINUSE, EACCES) when the port is not free */
  listenAccounting(host: string, port: number): Promise<RadiusPort> {
    return this.#listen({ host, port, code: radiusCode.accountingRequest, kind: 'accounting' }, (request) =>
      this.#account(request),
    );
  }

  stop(): void {
    this.#counts.stop();
  }

  async #listen(
    door: { host: string; port: number; code: RadiusCode; kind: PacketKind },
    handle: (request: Request) => void,
  ): Promise<RadiusPort> {
    const { host, port, log } = { ...door, log: this.#options.log };
    const socket = createSocket({
      type: isIPv6(host) ? 'udp6' : 'udp4',
      recvBufferSize: receiveBufferOctets,
      sendBufferSize: receiveBufferOctets,
    });
    const duplicates = new DuplicateCache();
    socket.bind(port, host);
    await once(socket, 'listening');
    socket.on('error', (error) => log.warn({ err: error, port }, 'a RADIUS socket failed'));
    socket.on('message', (datagram, from) => {
      const request = this.#admit({ socket, datagram, from, duplicates, code: door.code, kind: door.kind });
      if (!request) return;
      if (request.kind === 'status') {
        const isAccess = door.kind === 'access';
        request.respond(isAccess ? radiusCode.accessAccept : radiusCode.accountingResponse);
      } else handle(request);
    });
    return {
      port: socket.address().port,
      close: () => new Promise((resolve) => socket.close(() => resolve())),
    };
  }

  #admit(received: {
    socket: Socket;
    datagram: Buffer;
    from: RemoteInfo;
    duplicates: DuplicateCache;
    code: RadiusCode;
    kind: PacketKind;
  }): Request | undefined {
    const { socket, datagram, from, duplicates, code } = received;
    const gateway = this.#options.gateways.find(from.address);
    if (!gateway) return this.#drop(received.kind, 'unknown-client');
    const decoded = decodePacket(datagram);
    if (!decoded.ok) return this.#drop(received.kind, decoded.reason);
    const { packet } = decoded;
    const isStatus = packet.code === radiusCode.statusServer;
    if (packet.code !== code && !isStatus) return this.#drop('other', 'code-unexpected');
    const kind = isStatus ? 'status' : received.kind;
    const failure = verifyRequest({
      packet,
      secret: gateway.secret,
      // RFC 2869, 5.14 knows it in Access packets; accounting is signed whole by its own authenticator.
      requireMessageAuthenticator: received.kind === 'access' && gateway.requireMessageAuthenticator,
    });
    if (failure) return this.#drop(kind, failure);
    const entry = {
      source: `${from.address}:${from.port}`,
      identifier: packet.identifier,
      authenticator: packet.authenticator.toString('latin1'),
    };
    const seen = duplicates.admit({ ...entry, now: this.#options.clock.now().getTime() });
    if (seen === 'in-progress') return this.#drop(kind, 'in-progress');
    if (seen !== 'new') {
      this.#counts.add(kind, 'answered-again');
      socket.send(seen, from.port, from.address, noMatter);
      return undefined;
    }
    return {
      packet,
      gateway,
      address: from.address,
      kind,
      respond: (answerCode, attributes = noAttributes) => {
        const answer = encodeResponse({
          code: answerCode,
          request: packet,
          secret: gateway.secret,
          attributes,
        });
        duplicates.settle({ ...entry, answer });
        this.#counts.add(kind, 'answered');
        sendIfOpen(socket, answer, from);
      },
      shed: (outcome) => {
        duplicates.settle({ ...entry, answer: undefined });
        this.#counts.add(kind, outcome);
      },
    };
  }

  #drop(kind: PacketKind, outcome: string): undefined {
    this.#counts.add(kind, outcome);
    return undefined;
  }

  #account(request: Request): void {
    const { intake, clock, metrics } = this.#options;
    const { packet, gateway } = request;
    const read = readAccounting(packet);
    if (!read.ok) {
      request.shed(read.reason);
      return;
    }
    const { record } = read;
    const now = clock.now().getTime();
    if (record.status === 'on' || record.status === 'off') {
      this.#restart(request, nasOf(record, gateway), now - (record.delaySeconds ?? 0) * 1000);
      return;
    }
    const update = updateOf(record, request, { now, oldest: intake.oldest() });
    if (!update) {
      // Nothing will ever tell whose it was: taken off the gateway's hands, and shown to the operator.
      this.#counts.add('accounting', 'identity-missing');
      this.#note(gateway, null, 'accounting: identity-missing');
      request.respond(radiusCode.accountingResponse);
      return;
    }
    const taken = intake.add({
      update,
      done: (outcome) => {
        if (outcome === 'refused') {
          request.shed('refused');
          return;
        }
        if (outcome === 'unknown-sim') {
          this.#counts.add('accounting', 'unknown-sim');
          this.#note(gateway, update.identity, 'accounting: unknown-sim');
        }
        request.respond(radiusCode.accountingResponse);
      },
    });
    if (!taken) request.shed('overload');
    metrics.radiusQueue.set(intake.waiting());
  }

  /** Accounting-On and -Off: after what came before it, and answered when its sessions are closed. */
  #restart(request: Request, nas: string, at: number): void {
    const { pool, intake, log } = this.#options;
    intake
      .settled()
      .then(() => closeGatewaySessions(pool, { nas, before: new Date(at) }))
      .then(
        (closed) => {
          log.info({ gateway: request.gateway.name, nas, closed }, 'a gateway restarted');
          request.respond(radiusCode.accountingResponse);
        },
        (error: Error) => {
          log.warn({ err: error, nas }, 'the sessions of a restarted gateway could not be closed');
          request.shed('failed');
        },
      );
  }

  #authorise(request: Request): void {
    if (this.#accessInProgress >= accessAtOnce) {
      request.shed('overload');
      return;
    }
    const { access, log } = this.#options;
    const { packet, gateway } = request;
    const identity = identityOf({
      imsi: readAttribute(packet, attribute.imsi),
      userName: readAttribute(packet, attribute.userName),
      callingStationId: readAttribute(packet, attribute.callingStationId),
    });
    const apn = readAttribute(packet, attribute.calledStationId);
    this.#accessInProgress += 1;
    access
      .decide({ identity, apn, clientId: gateway.id })
      .then(
        (decision) => {
          this.#counts.add('access', decision.accept ? 'accepted' : decision.reason);
          request.respond(
            decision.accept ? radiusCode.accessAccept : radiusCode.accessReject,
            answerTo(decision, gateway, identity),
          );
        },
        (error: Error) => {
          log.warn({ err: error }, 'an access request could not be decided');
          request.shed('failed');
        },
      )
      .finally(() => {
        this.#accessInProgress -= 1;
      });
  }

  #note(gateway: Gateway, identity: string | null, reason: string): void {
    this.#options.access.note({ clientId: gateway.id, simId: null, identity, reason });
  }
}

/** No Session-Timeout: a session ends by Disconnect, not by the clock. */
const answerTo = (decision: Decision, gateway: Gateway, identity: string | undefined): AttributeWriter => {
  const writer = new AttributeWriter();
  if (!decision.accept) return writer.add(attribute.replyMessage, rejectMessages[decision.reason]);
  // Without an address of its own the SIM gets one from the gateway's pool.
  if (decision.ip !== null) {
    if (isIPv6(decision.ip)) writer.add(attribute.framedIpv6Address, decision.ip);
    else writer.add(attribute.framedIpAddress, decision.ip);
  }
  writer.add(attribute.class, Buffer.from(identity ?? '', 'utf8'));
  writer.add(attribute.acctInterimInterval, gateway.interimSeconds);
  if (decision.rateKbps !== null) addRate(writer, gateway.rateAttribute, decision.rateKbps);
  return writer;
};

const noMatter = (): void => undefined;

/** An answer that is ready after the socket was closed has nowhere to go; the gateway will ask the next server. */
const sendIfOpen = (socket: Socket, answer: Buffer, to: RemoteInfo): void => {
  try {
    socket.send(answer, to.port, to.address, noMatter);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SOCKET_DGRAM_NOT_RUNNING') throw error;
  }
};
