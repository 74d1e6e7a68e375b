import type { ConnectionOptions } from 'node:tls';
import { encodePdu } from './encode.ts';
import type { Address, BindBody, DataBody, MessageBody } from './pdu.ts';
import type { BindKind, Closure, SessionOptions } from './session.ts';
import type { SubmitMessage, SubmitOutcome } from './submit.ts';

export interface SmppClientOptions {
  host: string;
  port: number;
  /** TLS with these options, at least `{}`; none: plain TCP. */
  tls?: ConnectionOptions;
  bind: BindKind;
  /** At most 15 characters. */
  systemId: string;
  /** At most 8 characters. */
  password: string;
  /** At most 12 characters. */
  systemType?: string;
  /** The addresses served, where the SMSC wants them in the bind. */
  addressRange?: Address;
  /** Most submits on their way at once; others wait their turn. Default 50. */
  window?: number;
  /** Most submits in any second; default: as the window allows. */
  rate?: number;
  /** Most submits waiting; one more is not sent: `queue-full`. Default 10,000. */
  maxQueue?: number;
  /** As many messages are being handled at once, and what was read with them; then nothing is read. Default 1,000. */
  maxDeliveries?: number;
  /** From connecting to bound. Default 30,000. */
  bindTimeoutMs?: number;
  /** For each PDU, ours and the SMSC's. Default 30,000. */
  responseTimeoutMs?: number;
  /** Silence of the SMSC after which it is asked whether it is there. Default 30,000. */
  enquireLinkMs?: number;
  /** How long a submit is repeated that the SMSC throttles, before it is `refused`. Default 300,000. */
  maxThrottledMs?: number;
  /** First and longest pause between two attempts to connect. Default 1,000 and 60,000. */
  reconnectMs?: number;
  maxReconnectMs?: number;
  /** 0 ≤ x < 1, for the spread of pauses. */
  random?: () => number;
  /**
   * A message or receipt came: acknowledged when this resolves, so store it before. When it rejects, or takes longer than
   * `responseTimeoutMs`, the SMSC gets a temporary error and sends again: the same message may come more than once.
   */
  onMessage?: (message: MessageBody | DataBody) => Promise<void>;
  /**
   * The connection ended, or `responseTimeoutMs` did, while `onMessage` had this object: whether it was stored the SMSC does
   * not know, and is likely to send it again.
   */
  onUnanswered?: (message: MessageBody | DataBody) => void;
  /** A submit whose outcome was `unknown` is answered after all: `message` is the object that was submitted. */
  onLateOutcome?: (message: SubmitMessage, outcome: SubmitOutcome) => void;
  onState?: (state: ClientState, closure: Closure | undefined) => void;
}

/** `waiting`: for the next attempt to connect. */
export type ClientState = 'connecting' | 'bound' | 'waiting' | 'closing' | 'closed';

const anyAddress: Address = { ton: 0, npi: 0, address: '' };
/**
 * The options with their defaults, as a session takes them.
 * @throws SmppEncodeError when system id, password, type or range do not fit a bind
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
