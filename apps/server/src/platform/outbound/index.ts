import { lookup as resolveName } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import tls from 'node:tls';
import { SpanKind, traced } from '../tracing/index.ts';
import { addressRule, hostOf, isPublicPort, portOf } from './addresses.ts';

export { isBlockedUrl, isPortBlocked, publicPorts } from './addresses.ts';

/** Why a request was not made, or its response not accepted. */
export type OutboundFault =
  | 'address'
  | 'port'
  | 'scheme'
  | 'redirect'
  | 'size'
  | 'time'
  | 'connection'
  | 'certificate';

export class OutboundError extends Error {
  readonly fault: OutboundFault;

  constructor(fault: OutboundFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OutboundError';
    this.fault = fault;
  }
}

export interface OutboundRequest {
  url: URL;
  method?: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** From name resolution to the last octet. */
  timeoutMs: number;
  /** Maximum size of the response's body. */
  maxBytes: number;
  /** Only status and headers are needed: the body is read and discarded up to `maxBytes`, without waiting for it. */
  discardBody?: boolean;
  /** Octets of the body that suffice, and only what arrives within a second: nothing more is waited for. */
  excerptBytes?: number;
  /** Aborts the request. */
  signal?: AbortSignal;
}

export interface OutboundResponse {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
  /** The body is longer, or may be: only an excerpt was requested. */
  isCut?: boolean;
}

/** All addresses of a host name. */
type Resolve = (name: string) => Promise<readonly { address: string; family: number }[]>;

export interface OutboundOptions {
  /** Private networks (CIDR) that requests may nevertheless reach, on any port. */
  allowedNetworks?: readonly string[];
  resolve?: Resolve;
  /** Whether connections stay open briefly for the next request to the same host. */
  keepAlive?: boolean;
  /** Certificates (PEM) to trust in addition to the system's. */
  ca?: string;
}

export type Outbound = (request: OutboundRequest) => Promise<OutboundResponse>;

const resolveAll: Resolve = (name) => resolveName(name, { all: true });

/**
 * How long an idle connection is kept: shorter than usual for servers (5 s), so that few are closed during a
 * request.
 */
const idleMs = 4000;
/**
 * Idle connections per host: as many as concurrent requests, otherwise each wave of requests would reopen most
 * of them.
 */
const maxIdleSockets = 512;

/**
 * The only way to make HTTP requests to others: to no private address (unless allowed), to exactly the address
 * that was checked, without following redirects, and within limits of time and size. A name is resolved once
 * per connection, which then leads to the checked address.
 * @throws OutboundError in every call without a complete response
 */
export const createOutbound = ({
  allowedNetworks = [],
  resolve = resolveAll,
  keepAlive = false,
  ca,
}: OutboundOptions = {}): Outbound => {
  const ruleFor = addressRule(allowedNetworks);
  const agents = keepAlive ? keepAliveAgents(ca) : freshAgents(ca);

  /** @throws OutboundError unless every address is allowed: any of them could be the target of an attack */
  const requireAllowed = (url: URL, addresses: readonly string[]): void => {
    const rules = addresses.map(ruleFor);
    if (rules.length === 0 || rules.includes('blocked')) {
      throw new OutboundError('address', 'The host is inside the own network, or has no address');
    }
    const port = portOf(url);
    if (rules.includes('public') && !isPublicPort(port)) {
      throw new OutboundError('port', `Requests to port ${port} are not allowed`);
    }
  };

  /** The resolver of each new connection; the connection uses the address that it returns. */
  const lookupFor =
    (url: URL): LookupFunction =>
    (name, { all }, done) => {
      resolve(name).then(
        (found) => {
          try {
            requireAllowed(
              url,
              found.map(({ address }) => address),
            );
          } catch (error) {
            done(error as Error, '');
            return;
          }
          const [first] = found;
          if (all) done(null, first ? [first] : []);
          else done(null, first?.address ?? '', first?.family ?? 0);
        },
        (error: Error) => done(error, ''),
      );
    };

  const execute = async (request: OutboundRequest): Promise<OutboundResponse> => {
    const { url, timeoutMs } = request;
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw new OutboundError('scheme', 'Only http and https are allowed');
    }
    let isTimedOut = false;
    let clientRequest: http.ClientRequest | undefined;
    let incomingResponse: http.IncomingMessage | undefined;
    let isEnded = false;
    let reject: (reason: Error) => void = () => undefined;
    // Connections are not notified when resolving a name never ends; without this the request would hang
    // forever.
    const ended = new Promise<never>((_, rejected) => {
      reject = rejected;
    });
    const end = () => {
      isEnded = true;
      const reason = new Error('The request was ended');
      reject(reason);
      clientRequest?.destroy(reason);
    };
    request.signal?.addEventListener('abort', end, { once: true });
    const timer = setTimeout(() => {
      isTimedOut = true;
      end();
    }, timeoutMs);
    const host = hostOf(url);
    const sendOptions: SendOptions = {
      agent: url.protocol === 'https:' ? agents.https : agents.http,
      lookup: lookupFor(url),
      onRequest: (one) => {
        clientRequest = one;
      },
      onResponse: (response) => {
        incomingResponse = response;
      },
    };
    const done = () => {
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', end);
    };
    try {
      request.signal?.throwIfAborted();
      // An IP address is not resolved by the connection, so it is checked here.
      if (isIP(host)) requireAllowed(url, [host]);
      const answer = send(request, sendOptions).catch((error: Error) => {
        // The host closed an idle connection just when it was reused (Node's advice for `reusedSocket`).
        if (error instanceof StaleConnection && !isEnded) return send(request, sendOptions);
        throw error;
      });
      return await Promise.race([answer, ended]);
    } catch (error) {
      if (error instanceof OutboundError) throw error;
      if (isTimedOut) {
        throw new OutboundError('time', `No response within ${timeoutMs} ms`, { cause: error });
      }
      if (invalidCertificate.test(String((error as NodeJS.ErrnoException).code)))
        throw new OutboundError('certificate', 'The certificate of the host is not valid', { cause: error });
      throw new OutboundError('connection', 'The host could not be reached', { cause: error });
    } finally {
      // The time limit also applies to a body that is not read.
      if (incomingResponse && !incomingResponse.complete && !incomingResponse.destroyed)
        incomingResponse.once('close', done);
      else done();
    }
  };

  // Host and port only: path or query may contain credentials.
  return (request) =>
    traced(
      {
        name: request.method ?? 'GET',
        kind: SpanKind.CLIENT,
        attributes: { 'server.address': request.url.hostname, 'server.port': portOf(request.url) },
      },
      async (set) => {
        const response = await execute(request);
        set({ 'http.response.status_code': response.status });
        return response;
      },
    );
};

/** Codes of Node.js and OpenSSL. */
const invalidCertificate = /CERT|UNABLE_TO_VERIFY|INVALID_CA|HOSTNAME_MISMATCH/;

interface Agents {
  http: http.Agent;
  https: https.Agent;
}

const caOptions = (ca: string | undefined) => (ca === undefined ? {} : { ca: [...tls.rootCertificates, ca] });

const freshAgents = (ca: string | undefined): Agents => ({
  http: new http.Agent({ keepAlive: false }),
  https: new https.Agent({ keepAlive: false, ...caOptions(ca) }),
});

const keepAliveAgents = (ca: string | undefined): Agents => {
  const agentOptions = {
    keepAlive: true,
    timeout: idleMs,
    maxFreeSockets: maxIdleSockets,
    scheduling: 'lifo',
  } as const;
  return {
    http: new http.Agent(agentOptions),
    https: new https.Agent({ ...agentOptions, ...caOptions(ca) }),
  };
};

/** An idle connection was closed before the request reached it. */
class StaleConnection extends Error {}

interface SendOptions {
  agent: http.Agent | https.Agent;
  lookup: LookupFunction;
  onRequest: (request: http.ClientRequest) => void;
  onResponse: (response: http.IncomingMessage) => void;
}

const send = (
  { url, method = 'GET', headers = {}, body, maxBytes, discardBody = false, excerptBytes }: OutboundRequest,
  { onRequest, onResponse, ...sendOptions }: SendOptions,
): Promise<OutboundResponse> =>
  new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request(
      url,
      { method, headers: { 'accept-encoding': 'identity', ...headers }, ...sendOptions },
      (response) => {
        onResponse(response);
        const status = response.statusCode ?? 0;
        const refuse = (error: OutboundError) => {
          reject(error);
          request.destroy();
        };
        if (status >= 300 && status < 400) {
          refuse(
            new OutboundError('redirect', `The response is a redirect (${status}), which is not followed`),
          );
          return;
        }
        const answer = (content: Buffer, isCut = false) =>
          resolve({ status, headers: response.headers, body: content, isCut });
        if (excerptBytes !== undefined) return readExcerpt(response, excerptBytes, answer);
        if (discardBody) answer(Buffer.alloc(0));
        const pieces: Buffer[] = [];
        let octets = 0;
        response.on('data', (piece: Buffer) => {
          octets += piece.length;
          if (octets > maxBytes)
            refuse(new OutboundError('size', `The response has more than ${maxBytes} octets`));
          else if (!discardBody) pieces.push(piece);
        });
        response.on('end', () => answer(Buffer.concat(pieces)));
        response.on('error', reject);
        // Closed prematurely: neither `end` nor `error` may follow.
        response.on('close', () => {
          if (!response.complete) reject(new OutboundError('connection', 'The response ended prematurely'));
        });
      },
    );
    onRequest(request);
    request.on('error', (error: NodeJS.ErrnoException) =>
      reject(request.reusedSocket && error.code === 'ECONNRESET' ? new StaleConnection() : error),
    );
    request.end(body);
  });

const excerptMs = 1000;

/** Status and headers have arrived: whatever happens to the body, its beginning is the response. */
const readExcerpt = (
  response: http.IncomingMessage,
  limit: number,
  answer: (content: Buffer, isCut: boolean) => void,
): void => {
  const pieces: Buffer[] = [];
  let octets = 0;
  const end = (isCut: boolean) => {
    clearTimeout(timer);
    answer(Buffer.concat(pieces).subarray(0, limit), isCut || octets > limit);
    if (isCut) response.destroy();
  };
  const timer = setTimeout(() => end(true), excerptMs);
  response.on('data', (piece: Buffer) => {
    pieces.push(piece);
    octets += piece.length;
    if (octets > limit) end(true);
  });
  response.on('end', () => end(false));
  response.on('error', () => end(true));
  response.on('close', () => end(!response.complete));
};
