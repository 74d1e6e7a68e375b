import type { Readable } from 'node:stream';
import type { EndpointShape, Language, ParsedRequestOf, ResponseOf } from '@simcube/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor, OrgContext, Principal, SessionPrincipal } from '../access/index.ts';
import type { UploadedFile } from '../files/index.ts';
import type { Log } from '../log/index.ts';
import type { HandlerResult } from './handler-result.ts';

interface CallBase {
  language: Language;
  /** Time zone of the person's browser, for dates in files and mails; UTC if not sent. */
  timeZone: string;
  traceId: string;
  address: string;
  userAgent: string | undefined;
  /** The caller for the audit trail. */
  actor: Actor;
  log: Log;
}

type Caller<E extends EndpointShape> = E['access'] extends { kind: 'public' }
  ? { principal?: undefined; org?: undefined }
  : E['access'] extends { kind: 'signed-in'; member: false }
    ? { principal: SessionPrincipal; org?: undefined }
    : { principal: E extends { sessionOnly: true } ? SessionPrincipal : Principal; org: OrgContext };

/** The file of a call whose record has `upload`: its name and size are checked, its content is not. */
type Uploaded<E extends EndpointShape> = E extends { upload: object } ? { file: UploadedFile } : unknown;

export type Call<E extends EndpointShape> = CallBase & Caller<E> & ParsedRequestOf<E> & Uploaded<E>;

type Handler<E extends EndpointShape> = (
  call: Call<E>,
) => Promise<ResponseOf<E> | HandlerResult<ResponseOf<E>>>;

type StreamHandler<E extends EndpointShape> = (
  call: Call<E>,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<void>;

/** A file whose bytes are sent unchanged. */
export interface FileResponse {
  /** To be displayed rather than saved. */
  inline?: boolean;
  fileName: string;
  contentType: string;
  content: Readable | Buffer;
  /** The size of `content`, if it is known beforehand: a download that ends early is then recognised as incomplete. */
  bytes?: number;
}

/** An endpoint record with its handler. */
export interface Route {
  endpoint: EndpointShape;
  handle?: (call: never) => Promise<unknown>;
  stream?: (call: never, request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  file?: (call: never) => Promise<FileResponse>;
}

/**
 * Whether HEAD is supported. It would generate a whole file and send none of it, use up a token for one download, or
 * wait for the end of a stream.
 */
export const hasHead = ({ endpoint, file, stream }: Route): boolean =>
  endpoint.method === 'GET' && !file && !stream;

/** Binds a handler to its endpoint record; the record types what it receives and returns. */
export const route = <const E extends EndpointShape>(endpoint: E, handle: Handler<E>): Route => ({
  endpoint,
  handle,
});

/** The same for a stream as response: the handler owns the raw reply. */
export const streamRoute = <const E extends EndpointShape>(endpoint: E, stream: StreamHandler<E>): Route => ({
  endpoint,
  stream,
});

/** The same for a file as response. */
export const fileRoute = <const E extends EndpointShape>(
  endpoint: E,
  file: (call: Call<E>) => Promise<FileResponse>,
): Route => ({ endpoint, file });
