import type { ConnectionOptions } from 'node:tls';
import { encodePdu } from './encode.ts';
import type { Address, BindBody, DataBody, MessageBody } from './pdu.ts';
import type { BindKind, Closure, SessionOptions } from './session.ts';
import type { SubmitMessage, SubmitOutcome } from './submit.ts';

export interface SmppClientOptions {
  host: string;
  port: number;
  /** TLS with these options, at least `{}`; if omitted, plain TCP. */
  tls?: ConnectionOptions;
  bind: BindKind;
  /** At most 15 characters. */
  systemId: string;
  /** At most 8 characters. */
  password: string;
  /** At most 12 characters. */
  systemType?: string;
  /** The addresses served, if the SMSC requires them in the bind. */
  addressRange?: Address;
  /** Maximum submits without a response; others are queued. Default 50. */
  window?: number;
  /** Maximum submits in any second; by default limited only by the window. */
  rate?: number;
  /** Maximum queued submits; further ones are not sent (`queue-full`). Default 10,000. */
  maxQueue?: number;
  /** Messages handled at a time (and those read in the same chunk) before reading pauses. Default 1,000. */
  maxDeliveries?: number;
  /** Maximum time from connecting to bound. Default 30,000. */
  bindTimeoutMs?: number;
  /** Maximum time until the response to each PDU, ours and the SMSC's. Default 30,000. */
  responseTimeoutMs?: number;
  /** Silence of the SMSC after which an enquire_link is sent. Default 30,000. */
  enquireLinkMs?: number;
  /** How long a submit that is throttled or gets temporary errors is retried before it is `refused`. Default 300,000. */
  maxThrottledMs?: number;
  /** Initial and maximum pause between two attempts to connect. Default 1,000 and 60,000. */
  reconnectMs?: number;
  maxReconnectMs?: number;
  /** 0 ≤ x < 1, for the jitter of pauses. */
  random?: () => number;
  /**
   * Handles a message or receipt, which is acknowledged when the promise resolves: store it first. If it rejects, or takes
   * longer than `responseTimeoutMs`, the SMSC receives a temporary error and sends the message again, so it may arrive twice.
   */
  onMessage?: (message: MessageBody | DataBody) => Promise<void>;
  /**
   * The connection or `responseTimeoutMs` ended while `onMessage` was handling this object: the SMSC does not know whether it
   * was stored, and is likely to send it again.
   */
  onUnanswered?: (message: MessageBody | DataBody) => void;
  /** A response arrived for a submit whose outcome was `unknown`; `message` is the submitted object. */
  onLateOutcome?: (message: SubmitMessage, outcome: SubmitOutcome) => void;
  onState?: (state: ClientState, closure: Closure | undefined) => void;
}

/** `waiting`: until the next attempt to connect. */
export type ClientState = 'connecting' | 'bound' | 'waiting' | 'closing' | 'closed';

const anyAddress: Address = { ton: 0, npi: 0, address: '' };
/**
 * The options of a session, with defaults applied.
 * @throws SmppEncodeError if system id, password, type or range do not fit a bind
 */
export function sessionOptions(options: SmppClientOptions): SessionOptions {
  const bind: BindBody = {
    systemId: options.systemId,
    password: options.password,
    systemType: options.systemType ?? '',
    interfaceVersion: 0x34,
    range: options.addressRange ?? anyAddress,
  };
  encodePdu({ command: `bind_${options.bind}`, status: 0, sequence: 0, body: bind });
  const { bindTimeoutMs = 30_000, responseTimeoutMs = 30_000, enquireLinkMs = 30_000 } = options;
  return {
    host: options.host,
    port: options.port,
    tls: options.tls,
    bindKind: options.bind,
    bind,
    bindTimeoutMs,
    responseTimeoutMs,
    enquireLinkMs,
    maxDeliveries: options.maxDeliveries ?? 1_000,
  };
}
