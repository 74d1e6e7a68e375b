import { createHash } from 'node:crypto';
import { acceptsIdempotencyKey, type EndpointShape, headers } from '@simcube/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../access/index.ts';
import type { UploadedFile } from '../files/index.ts';
import { timedBody } from './body-time.ts';
import {
  type AuthorizedCaller,
  authorizeCall,
  responseContextOf,
  singleValue,
  timeZoneOf,
} from './caller.ts';
import { verifyDigest } from './content-digest.ts';
import { successEnvelope } from './envelope.ts';
import { codeOfTrouble } from './error-handler.ts';
import { fail } from './failure.ts';
import type { HttpOptions } from './http-options.ts';
import { handleIdempotently, type KeyedRequest } from './idempotency.ts';
import { shapeOf } from './openapi/openapi.ts';
import { type FileResponse, hasHead, type Route } from './route.ts';
import { receiveFile } from './upload.ts';
import { refuseUndeclaredInput } from './validation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: AuthorizedCaller;
  }
  interface FastifyContextConfig {
    endpoint?: EndpointShape;
  }
}

/** Registers one call of the gateway from its record. */
export const registerRoute = (app: FastifyInstance, callRoute: Route, options: HttpOptions): void => {
  const { endpoint, handle, stream, file } = callRoute;
  app.route({
    ...shapeOf(endpoint),
    exposeHeadRoute: hasHead(callRoute),
    ...(endpoint.maxBodyBytes && { bodyLimit: endpoint.maxBodyBytes }),
    config: {
      endpoint,
      rateLimit: {
        max: Math.ceil(options.requestsPerMinute / (endpoint.weight ?? 1)),
        timeWindow: '1 minute',
      },
    },
    // Before the body is read, so that a stranger's input is not even parsed; after onRequest, which counts
    // calls against the rate limit, so that a flood of invalid tokens does not reach the database.
    preParsing: async (request, reply, payload) => {
      reply.header('cache-control', 'no-store');
      // Refuses immediately instead of after the time limit of an unresponsive connection.
      const trouble = options.readiness.trouble();
      if (trouble) fail(codeOfTrouble[trouble]);
      request.caller = await authorizeCall(options.access, endpoint, request);
      refuseEncoded(request);
      const { principal, digest } = request.caller;
      const body = timedBody(request, payload, principal !== undefined);
      // `receiveFile` reads the body of an upload.
      return digest && !endpoint.upload ? verifyDigest(body, digest) : body;
    },
    preValidation: async (request) => refuseUndeclaredInput(endpoint, request),
    handler: async (request, reply) => {
      const call = {
        ...responseContextOf(request),
        ...request.caller,
        timeZone: timeZoneOf(singleValue(request.headers[headers.timeZone])),
        address: request.ip,
        userAgent: request.headers['user-agent']?.slice(0, 300),
        actor: actorOf(endpoint, request),
        log: options.log,
        params: request.params,
        query: request.query,
        body: request.body,
        headers: request.headers,
        ...(endpoint.upload && { file: await receiveFile(request, reply, endpoint.upload) }),
      };
      if (stream) return stream(call as never, request, reply);
      if (file) return sendFile(reply, await file(call as never));
      const work = async () => successEnvelope(await handle?.(call as never), responseContextOf(request));
      const keyed = acceptsIdempotencyKey(endpoint) ? keyedRequestOf(request, call.file) : undefined;
      if (!keyed) return work();
      const { envelope, replayed } = await handleIdempotently(options, keyed, work);
      if (replayed) reply.header(headers.idempotencyReplayed, 'true');
      return envelope;
    },
  });
};

/** A compressed body is refused rather than unpacked: a small one could expand to any size (RFC 9110, 8.4). */
const refuseEncoded = ({ headers: requestHeaders }: FastifyRequest): void => {
  const coding = requestHeaders['content-encoding']?.trim().toLowerCase();
  if (coding !== undefined && coding !== 'identity') fail('CB-00-0415');
};

/** A file is represented by its digest, so that the same key with another file is another request. */
const keyedRequestOf = (
  { headers: requestHeaders, caller, method, url, body }: FastifyRequest,
  file: UploadedFile | undefined,
): KeyedRequest | undefined => {
  const key = singleValue(requestHeaders[headers.idempotencyKey]);
  if (key === undefined || !caller.principal) return undefined;
  const digest = file && [file.name, createHash('sha256').update(file.content).digest('hex')];
  return {
    orgId: caller.org?.id ?? null,
    // A program and its person may choose the same key.
    callerId: caller.principal.key?.id ?? caller.principal.userId,
    key,
    content: [method, url, body ?? null, digest ?? null],
  };
};

const actorOf = (endpoint: EndpointShape, { caller: { principal }, ip, id }: FastifyRequest): Actor => ({
  ...(principal?.key
    ? {
        kind: 'key',
        id: principal.key.id,
        name: `${principal.name} (${principal.key.name ?? principal.key.id})`,
      }
    : { kind: 'person', id: principal?.userId ?? null, name: principal?.name ?? '' }),
  address: ip,
  traceId: id,
  action: endpoint.audit === 'none' ? undefined : endpoint.audit,
});

/** The name is sent in both forms of RFC 6266, so that it survives in any language. */
const sendFile = (
  reply: FastifyReply,
  { fileName, contentType, content, bytes, inline = false }: FileResponse,
) =>
  reply
    .type(contentType)
    .headers(bytes === undefined ? {} : { 'content-length': bytes })
    .header(
      'content-disposition',
      `${inline ? 'inline' : 'attachment'}; filename="${fileName.replaceAll(/[^\w.-]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(fileName)}`,
    )
    .send(content);
