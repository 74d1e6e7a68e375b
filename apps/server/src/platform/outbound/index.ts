import { lookup as resolveName } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { addressRule } from './addresses.ts';

/** Why a request was not made, or its response not taken. */
export type OutboundFault = 'address' | 'port' | 'scheme' | 'redirect' | 'size' | 'time' | 'connection';

class OutboundError extends Error {
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
  /** From name to last octet. */
  timeoutMs: number;
  /** Of the response's body. */
  maxBytes: number;
}

export interface OutboundResponse {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

/** All addresses of a host name. */
type Resolve = (name: string) => Promise<readonly { address: string; family: number }[]>;

export interface OutboundOptions {
  /** Inner networks (CIDR) that requests may go to all the same, on any port. */
  allowedNetworks?: readonly string[];
  resolve?: Resolve;
}

export type Outbound = (request: OutboundRequest) => Promise<OutboundResponse>;

/** Ports of the internet that requests go to. */
const ports = new Set([80, 443, 8080, 8443]);

const everyAddress: Resolve = (name) => resolveName(name, { all: true });

/**
 * The one way to make HTTP requests to others: to no address inside the own network (unless allowed), to the very address
 * that was judged, with no redirect followed, and within limits of time and size.
 * @throws OutboundError in every call that has no complete response
 */
export const createOutbound = ({
  allowedNetworks = [],
  resolve = everyAddress,
}: OutboundOptions = {}): Outbound => {
  const judge = addressRule(allowedNetworks);

  /** The first address of the host, when each of them may be asked: one of many could be where an attack leads. */
  const addressOf = async (url: URL): Promise<{ address: string; family: number }> => {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const family = isIP(host);
    const found = family ? [{ address: host, family }] : await resolve(host);
    const judged = found.map(({ address }) => judge(address));
    const [first] = found;
    if (first === undefined || judged.includes('blocked')) {
      throw new OutboundError('address', 'The host is inside the own network, or has no address');
    }
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
    if (judged.includes('public') && !ports.has(port)) {
      throw new OutboundError('port', `Port ${port} is none that requests go to`);
    }
    return first;
  };

  return async (request) => {
    const { url } = request;
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw new OutboundError('scheme', 'Only http and https are asked');
    }
    const signal = AbortSignal.timeout(request.timeoutMs);
    try {
      const pinned = await inTime(addressOf(url), signal);
      return await send(request, { pinned, signal });
    } catch (error) {
      if (error instanceof OutboundError) throw error;
      if (signal.aborted) {
        throw new OutboundError('time', `No response within ${request.timeoutMs} ms`, { cause: error });
      }
      throw new OutboundError('connection', 'The host could not be asked', { cause: error });
    }
  };
};

const inTime = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });

const send = (
  { url, method = 'GET', headers = {}, body, maxBytes }: OutboundRequest,
  { pinned, signal }: { pinned: { address: string; family: number }; signal: AbortSignal },
): Promise<OutboundResponse> => {
  const lookup: LookupFunction = (_, { all }, done) => {
    if (all) done(null, [pinned]);
    else done(null, pinned.address, pinned.family);
  };
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request(
      url,
      { method, headers: { 'accept-encoding': 'identity', ...headers }, agent: false, lookup, signal },
      (response) => {
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
        const pieces: Buffer[] = [];
        let octets = 0;
        response.on('data', (piece: Buffer) => {
          octets += piece.length;
          if (octets > maxBytes)
            refuse(new OutboundError('size', `The response has more than ${maxBytes} octets`));
          else pieces.push(piece);
        });
        response.on('end', () => resolve({ status, headers: response.headers, body: Buffer.concat(pieces) }));
        response.on('error', reject);
        // Closed before its end: neither `end` nor `error` need follow.
        response.on('close', () => reject(new OutboundError('connection', 'The response broke off')));
      },
    );
    request.on('error', reject);
    request.end(body);
  });
};
