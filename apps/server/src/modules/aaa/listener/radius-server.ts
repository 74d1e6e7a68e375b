import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import {
  AttributeWriter,
  attribute,
  decodePacket,
  encodeResponse,
  HEADER_LENGTH,
  type RadiusCode,
  type RadiusPacket,
  radiusCode,
  readAccounting,
  readAttribute,
  readImsi,
  verifyRequest,
} from '@simcube/radius';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import type { DatabaseHealth } from '../../../platform/db/index.ts';
import { createRateLimitedLog, type Log, type RateLimitedLog } from '../../../platform/log/index.ts';
import type { Metrics } from '../../../platform/metrics/index.ts';
import { networkIdentifier } from '../aaa.rules.ts';
import type { AccessService } from '../access/access.service.ts';
import { replyAttributes } from '../access/reply-attributes.ts';
import { visitedPlmn } from '../access/visited-network.ts';
import type { GatewayClocks } from '../clocks/gateway-clocks.ts';
import type { Gateway, Gateways } from '../gateways/clients.ts';
import { identityOf } from '../identities.rules.ts';
import type { Intake } from '../intake/intake.ts';
import { nasOf, timeOf, updateOf } from '../intake/update.ts';
import type { RefusedPacketRecorder } from '../refused/refused-packets.ts';
import { closeGatewaySessions, type GatewayRestart } from '../sessions/close-sessions.service.ts';
import type { UnknownSimRecorder } from '../unknown/unknown-sims.ts';
import { DuplicateCache } from './duplicates.ts';
import { Exchange, sendReply } from './exchange.ts';
import { watchKernelDrops } from './kernel-drops.ts';
import { PacketCounts, type PacketKind } from './packet-counts.ts';

export interface RadiusServerOptions {
  pool: pg.Pool;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  gateways: Gateways;
  intake: Intake;
  access: AccessService;
  refused: RefusedPacketRecorder;
  unknown: UnknownSimRecorder;
  clocks: GatewayClocks;
  health: Pick<DatabaseHealth, 'trouble'>;
}

/** One of the two ports, bound. */
export interface RadiusPort {
  port: number;
  close(): Promise<void>;
}

/** What a port accepts, besides Status-Server, and how it handles it. */
interface PortProtocol {
  kind: PacketKind;
  code: RadiusCode;
  /** Code of the reply to Status-Server (RFC 5997, 4). */
  statusCode: RadiusCode;
  handle: (packet: RadiusPacket, exchange: Exchange) => void;
}

const receiveBufferOctets = 4 * 1024 * 1024;
const maxConcurrentAccess = 5_000;
/**
 * Maximum number of concurrent restarts. Each closes sessions one after the other; gateways retransmit what is left
 * unanswered.
 */
const maxConcurrentRestarts = 100;
const kernelDropsEveryMs = 5000;
const noAttributes = new AttributeWriter();

export class RadiusServer {
  readonly #options: RadiusServerOptions;
  readonly #counts: PacketCounts;
  readonly #logSeldom: RateLimitedLog;
  #accessInProgress = 0;
  #restartsInProgress = 0;

  constructor(options: RadiusServerOptions) {
    this.#options = options;
    this.#logSeldom = createRateLimitedLog(options.log, () => options.clock.now().getTime());
    this.#counts = new PacketCounts(options.metrics, () => {
      options.metrics.radiusQueue.set(options.intake.waiting());
    });
  }

  /** @throws Error (EADDRINUSE, EACCES) when the port is not free */
  listenAuthentication(host: string, port: number): Promise<RadiusPort> {
    return this.#listen(host, port, {
      kind: 'access',
      code: radiusCode.accessRequest,
      statusCode: radiusCode.accessAccept,
      handle: (packet, exchange) => this.#authorise(packet, exchange),
    });
  }

  /** @throws Error (EADDRINUSE, EACCES) when the port is not free */
  listenAccounting(host: string, port: number): Promise<RadiusPort> {
    return this.#listen(host, port, {
      kind: 'accounting',
      code: radiusCode.accountingRequest,
      statusCode: radiusCode.accountingResponse,
      handle: (packet, exchange) => this.#account(packet, exchange),
    });
  }

  stop(): void {
    this.#counts.stop();
  }

  async #listen(host: string, port: number, protocol: PortProtocol): Promise<RadiusPort> {
    const { log } = this.#options;
    const socket = createSocket({
      type: isIPv6(host) ? 'udp6' : 'udp4',
      recvBufferSize: receiveBufferOctets,
      sendBufferSize: receiveBufferOctets,
      // Replies are sent to IP addresses, so there is nothing to look up; a real lookup would cost as much as the
      // reply.
      lookup: (address, _, callback) => callback(null, address, isIPv6(address) ? 6 : 4),
    });
    const duplicates = new DuplicateCache();
    // With the synchronous lookup above, the socket may be bound before `bind` returns.
    const listening = once(socket, 'listening');
    socket.bind(port, host);
    await listening;
    socket.on('error', (error) => log.warn({ err: error, port }, 'RADIUS socket error'));
    socket.on('message', (datagram, from) => this.#receive({ socket, duplicates, protocol }, datagram, from));
    const stopCounting = await this.#countKernelDrops(protocol.kind, socket.address().port);
    return {
      port: socket.address().port,
      close: () => {
        stopCounting();
        return new Promise((resolve) => socket.close(() => resolve()));
      },
    };
  }

  async #countKernelDrops(kind: PacketKind, port: number): Promise<() => void> {
    const { metrics, log } = this.#options;
    const read = await watchKernelDrops(port);
    if (!read) return () => undefined;
    let counted = 0;
    const count = async (): Promise<void> => {
      const drops = await read();
      metrics.radiusKernelDropped.inc({ kind }, Math.max(0, drops - counted));
      counted = Math.max(counted, drops);
    };
    await count();
    const timer = setInterval(() => {
      count().catch((error: unknown) =>
        log.warn({ err: error, port }, 'the number of dropped datagrams is unknown'),
      );
    }, kernelDropsEveryMs);
    timer.unref();
    return () => clearInterval(timer);
  }

  #receive(
    { socket, duplicates, protocol }: { socket: Socket; duplicates: DuplicateCache; protocol: PortProtocol },
    datagram: Buffer,
    { address, port }: RemoteInfo,
  ): void {
    const gateway = this.#options.gateways.find(address);
    if (!gateway) {
      this.#refuse(protocol.kind, 'unknown-client', address);
      return;
    }
    const decoded = decodePacket(datagram);
    if (!decoded.ok) {
      this.#refuse(protocol.kind, decoded.reason, address);
      return;
    }
    const { packet } = decoded;
    const isStatus = packet.code === radiusCode.statusServer;
    if (packet.code !== protocol.code && !isStatus) {
      this.#refuse('other', 'code-unexpected', address);
      return;
    }
    const kind = isStatus ? 'status' : protocol.kind;
    const failure = verifyRequest({
      packet,
      secret: gateway.secret,
      // RFC 2869, 5.14 defines it for Access packets; an accounting packet is signed as a whole by its authenticator.
      requireMessageAuthenticator: protocol.kind === 'access' && gateway.requireMessageAuthenticator,
    });
    if (failure) {
      this.#refuse(kind, failure, address);
      return;
    }
    const request = duplicates.admit({
      source: `${address}:${port}`,
      identifier: packet.identifier,
      authenticator: packet.raw.toString('latin1', 4, HEADER_LENGTH),
      now: this.#options.clock.now().getTime(),
    });
    if (request === 'in-progress') {
      this.#counts.add(kind, 'in-progress');
      return;
    }
    if (Buffer.isBuffer(request)) {
      this.#counts.add(kind, 'answered-again');
      sendReply(socket, request, { address, port });
      return;
    }
    const exchange = new Exchange({ socket, request, counts: this.#counts, gateway, kind, address, port });
    if (isStatus) this.#replyToStatus(exchange, responseTo(packet, gateway, protocol.statusCode));
    else protocol.handle(packet, exchange);
  }

  /** Counts and records the packet for the operator; the sender gets no reply. */
  #refuse(kind: PacketKind, reason: string, address: string): void {
    this.#counts.add(kind, reason);
    this.#options.refused.add(address, reason);
  }

  /** RFC 5997, 4.2: a server replies only if it can process requests, so that proxies otherwise choose another one. */
  #replyToStatus(exchange: Exchange, response: Buffer): void {
    if (this.#options.health.trouble()) exchange.shed('not-ready');
    else exchange.reply(response);
  }

  #account(packet: RadiusPacket, exchange: Exchange): void {
    const { intake } = this.#options;
    const { gateway, at: now } = exchange;
    const read = readAccounting(packet);
    if (!read.ok) {
      exchange.shed(read.reason);
      this.#options.refused.add(exchange.address, read.reason);
      return;
    }
    const { record } = read;
    // The reply is signed now, so that nothing of the datagram needs to be retained until it is sent.
    const response = responseTo(packet, gateway, radiusCode.accountingResponse);
    if (record.status === 'on' || record.status === 'off') {
      const time = timeOf(record, { now, oldest: intake.oldest() });
      // Accepted however old: a report that is days late does not end sessions that began since.
      const at = time.hasEventTime ? time.at : now - (record.delaySeconds ?? 0) * 1000;
      const restart = {
        nas: nasOf(record, gateway),
        // A gateway with a RADIUS server for each APN restarts its accounting APN by APN (3GPP TS 29.061, 16.4.5).
        apn: record.calledStationId ? networkIdentifier(record.calledStationId) : undefined,
        status: record.status,
        at: new Date(at),
      };
      this.#restart(exchange, restart, response);
      return;
    }
    const identity = identityOf(record, packet);
    if (identity === undefined) {
      // Its SIM can never be found. It is acknowledged, so that the gateway stops retransmitting it.
      this.#countUnknown(gateway, '', 'identity-missing');
      exchange.reply(response);
      return;
    }
    const update = updateOf(
      record,
      { identity, gateway, address: exchange.address },
      { now, oldest: intake.oldest() },
    );
    this.#options.clocks.measure({ gateway: gateway.name, nas: update.nas }, record, now);
    const isQueued = intake.add({
      update,
      done: (outcome) => {
        if (outcome === 'refused') {
          exchange.shed('refused');
          return;
        }
        if (outcome === 'unknown-sim') {
          this.#countUnknown(gateway, identity, 'unknown-sim');
        }
        exchange.reply(response);
      },
    });
    if (!isQueued) exchange.shed('overload');
  }

  /** Accounting-On and -Off: processed after the records before it, and answered when its sessions are closed. */
  #restart(exchange: Exchange, restart: GatewayRestart, response: Buffer): void {
    if (this.#restartsInProgress >= maxConcurrentRestarts) {
      exchange.shed('overload');
      return;
    }
    const { pool, intake, log } = this.#options;
    const { nas, apn } = restart;
    this.#restartsInProgress += 1;
    intake
      .settled()
      .then(() => closeGatewaySessions(pool, restart))
      .then(
        (closed) => {
          const restarted = { gateway: exchange.gateway.name, nas, apn, closed };
          if (closed > 0) log.info(restarted, 'a gateway restarted');
          else this.#logSeldom('info', 'a gateway restarted', restarted);
          exchange.reply(response);
        },
        (error: Error) => {
          this.#logSeldom('warn', 'the sessions of a restarted gateway could not be closed', {
            err: error,
            nas,
          });
          exchange.shed('failed');
        },
      )
      .finally(() => {
        this.#restartsInProgress -= 1;
      });
  }

  #authorise(packet: RadiusPacket, exchange: Exchange): void {
    if (this.#accessInProgress >= maxConcurrentAccess) {
      exchange.shed('overload');
      return;
    }
    const { access } = this.#options;
    const { gateway } = exchange;
    const names = {
      imsi: readImsi(packet),
      userName: readAttribute(packet, attribute.userName),
      callingStationId: readAttribute(packet, attribute.callingStationId),
    };
    const identity = identityOf(names, packet);
    const apn = readAttribute(packet, attribute.calledStationId);
    const plmn = visitedPlmn(packet);
    this.#accessInProgress += 1;
    access
      .decide({ identity, apn, plmn, gateway })
      .then(
        (decision) => {
          this.#counts.add('access', decision.accept ? 'accepted' : decision.reason);
          const code = decision.accept ? radiusCode.accessAccept : radiusCode.accessReject;
          exchange.reply(responseTo(packet, gateway, code, replyAttributes(decision, gateway)));
        },
        (error: Error) => {
          this.#logSeldom('warn', 'an access request failed', { err: error });
          exchange.shed('failed');
        },
      )
      .finally(() => {
        this.#accessInProgress -= 1;
      });
  }

  /** Counts and records accounting that belongs to no SIM, for the operator. */
  #countUnknown({ name }: Gateway, identity: string, reason: string): void {
    this.#counts.add('accounting', reason);
    this.#options.unknown.add({ identity, gateway: name, reason: `accounting: ${reason}` });
  }
}

const responseTo = (
  request: RadiusPacket,
  gateway: Gateway,
  code: RadiusCode,
  attributes: AttributeWriter = noAttributes,
): Buffer => encodeResponse({ code, request, secret: gateway.secret, attributes });
