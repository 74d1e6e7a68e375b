import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { defaultLanguage, type ErrorCode, errors as errorCatalogue, headers } from '@simcube/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type DatabaseTrouble, troubleOf } from '../db/index.ts';
import { FileRefused } from '../files/index.ts';
import { ThreadPoolBusy } from '../threads/index.ts';
import { responseContextOf } from './caller.ts';
import { failureEnvelope } from './envelope.ts';
import { Failure, type FailureDetails } from './failure.ts';

/** Most work that waits for a thread is finished sooner. */
const busySeconds = 30;
/** The return of a database is noticed within a second. */
const unavailableSeconds = 1;

export const handleErrors = (app: FastifyInstance): void => {
  app.setErrorHandler((error: unknown, request, reply) => {
    const endpoint = request.routeOptions.config.endpoint?.id;
    if (error instanceof Failure && error.cause === undefined)
      return sendFailure(request, reply, error.code, error);
    if (error instanceof FileRefused) return sendFailure(request, reply, error.refusal.code, error.refusal);
    if (error instanceof ThreadPoolBusy)
      return sendFailure(request, reply, 'CB-99-0503', { retryAfterSeconds: busySeconds });
    const httpErrorCode = codeOfHttpError(error);
    if (httpErrorCode) {
      // The length of the file (RFC 9110, 15.5.17).
      if (httpErrorCode === 'CB-00-0416') reply.header('content-range', contentRangeOf(error));
      return sendFailure(request, reply, httpErrorCode);
    }
    const [cause, code] =
      error instanceof Failure ? [error.cause, error.code] : [error, 'CB-99-0500' as const];
    request.log.error({ err: cause, endpoint }, 'a request failed');
    const trouble = troubleOf(cause);
    return sendFailure(request, reply, trouble ? codeOfTrouble[trouble] : code);
  });
  app.setNotFoundHandler((request, reply) => sendFailure(request, reply, 'CB-00-0404'));
  // The body of a request to an unknown address is not read: neither its type nor its content matters.
  app.addHook('onRequest', async (request) => {
    if (!hasOneHost(request) || valuesOf(request, 'authorization').length > 1)
      throw new Failure('CB-00-0407');
    if (request.is404) throw new Failure('CB-00-0404');
  });
};

/** `uri-host [":" port]` of RFC 3986, 3.2.2 and 3.2.3; it may be empty. */
const hostPattern = /^(\[[\da-f:.]+\]|([\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(:\d*)?$/i;

/**
 * A server responds with 400 to an HTTP/1.1 request without a Host header, and to any request with two or with
 * an invalid one (RFC 9112, 3.2): a proxy in front may have routed by the other value.
 */
const hasOneHost = (request: FastifyRequest): boolean => {
  const [host, ...others] = valuesOf(request, 'host');
  if (host === undefined) return request.raw.httpVersion === '1.0';
  return others.length === 0 && hostPattern.test(host);
};

/** All values of a header: of some, Node.js passes only the first on. */
const valuesOf = ({ raw: { rawHeaders } }: FastifyRequest, header: string): string[] =>
  rawHeaders.flatMap((name, index) =>
    index % 2 === 0 && name.toLowerCase() === header ? [rawHeaders[index + 1] ?? ''] : [],
  );

export const codeOfTrouble = {
  away: 'CB-99-0504',
  'read-only': 'CB-99-0505',
} as const satisfies Record<DatabaseTrouble, ErrorCode>;

/** For an address that can't be decoded or is too long: no hook has run before, and nothing can be found there. */
export const handleUnroutable = (_error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  sendFailure(request, reply, 'CB-00-0404');
};

const sendFailure = (
  request: FastifyRequest,
  reply: FastifyReply,
  code: ErrorCode,
  details: FailureDetails = {},
): FastifyReply => {
  const { http } = errorCatalogue[code];
  const seconds = details.retryAfterSeconds ?? (http === 503 ? unavailableSeconds : undefined);
  if (seconds !== undefined) reply.header('retry-after', Math.max(1, Math.ceil(seconds)));
  // The library closes the connection after a body that was not read, and a client still sending it would lose
  // this response to the reset. The rest is read instead (`body-time.ts`), within the caller's time limit.
  if (code !== 'CB-00-0408') reply.removeHeader('connection');
  return (
    reply
      .status(http)
      .headers({ [headers.traceId]: request.id, 'cache-control': 'no-store' })
      .type('application/json')
      // Serialised here: a status without its own schema must not change the form of the response.
      .serializer((payload: unknown) => JSON.stringify(payload))
      .send(failureEnvelope(code, details, responseContextOf(request)))
  );
};

/** For data on a connection that is not a valid request: too slow, too long, or not HTTP. */
export const handleUnreadable = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const code = codeOfParserError[error.code ?? ''] ?? 'CB-00-0407';
  const { http } = errorCatalogue[code];
  const body = JSON.stringify(
    failureEnvelope(code, {}, { language: defaultLanguage, traceId: randomUUID() }),
  );
  socket.end(
    [
      `HTTP/1.1 ${http} ${STATUS_CODES[http]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'cache-control: no-store',
      'connection: close',
      '',
      body,
    ].join('\r\n'),
    () => socket.destroy(),
  );
};

/** Codes of Node's HTTP parser. */
const codeOfParserError: Readonly<Record<string, 'CB-00-0408' | 'CB-00-0431'>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'CB-00-0408',
  HPE_HEADER_OVERFLOW: 'CB-00-0431',
};

/** Errors of the HTTP library: body too large, wrong type, truncated. */
const codeOfHttpError = (error: unknown): ErrorCode | undefined => {
  const status = (error as { statusCode?: unknown }).statusCode;
  if (status === 413) return 'CB-00-0413';
  if (status === 415) return 'CB-00-0415';
  if (status === 412) return 'CB-00-0412';
  if (status === 416) return 'CB-00-0416';
  if (status === 404) return 'CB-00-0404';
  return typeof status === 'number' && status >= 400 && status < 500 ? 'CB-00-0407' : undefined;
};

const contentRangeOf = (error: unknown): string | undefined =>
  (error as { headers?: Record<string, string> }).headers?.['Content-Range'];
