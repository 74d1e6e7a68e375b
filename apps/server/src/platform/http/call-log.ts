import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKeyOfCall } from '../access/index.ts';

/** A call made with a key, once answered; texts are complete and not yet masked. */
export interface CompletedCall {
  key: ApiKeyOfCall;
  userId: string;
  traceId: string;
  address: string;
  method: string;
  /** Id of its endpoint; undefined if its path is unknown. */
  endpoint: string | undefined;
  /** Path and query. */
  target: string;
  httpCode: number;
  durationMs: number;
  headers: FastifyRequest['headers'];
  /** The body, or a successful response, contains secrets: neither may be stored. */
  confidential: boolean;
  /** Body and response, if they are text. */
  body: string | undefined;
  response: string | undefined;
  bodyBytes: number;
  responseBytes: number;
}

export interface CallLog {
  /** Accepts the call without waiting for anything. */
  record(call: CompletedCall): void;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** For a call with a key: what was sent and returned, if it is text. */
    requestText: string | undefined;
    responseText: string | undefined;
  }
}

/** Passes every call whose signature was accepted to the log after it has been answered, whatever the response. */
export const logKeyCalls = (app: FastifyInstance, log: CallLog): void => {
  app.decorateRequest('requestText');
  app.decorateRequest('responseText');
  app.addHook('onSend', async (request, _reply, payload) => {
    if (apiKeyOf(request) && typeof payload === 'string') request.responseText = payload;
  });
  app.addHook('onResponse', async (request, reply) => {
    const key = apiKeyOf(request);
    if (key) log.record(completedCallOf(key, request, reply));
  });
};

/** Also undefined before the caller has been checked. */
export const apiKeyOf = (request: FastifyRequest): ApiKeyOfCall | undefined =>
  (request.caller as FastifyRequest['caller'] | undefined)?.principal?.key;

const completedCallOf = (key: ApiKeyOfCall, request: FastifyRequest, reply: FastifyReply): CompletedCall => ({
  key,
  userId: request.caller.principal?.userId ?? '',
  traceId: request.id,
  address: request.ip,
  method: request.method,
  endpoint: request.routeOptions.config.endpoint?.id,
  target: request.url,
  httpCode: reply.statusCode,
  durationMs: Math.round(reply.elapsedTime),
  headers: request.headers,
  confidential: request.routeOptions.config.endpoint?.confidential ?? false,
  body: request.requestText,
  // The response to HEAD has no body, though one was made to measure it.
  response: request.method === 'HEAD' ? undefined : request.responseText,
  bodyBytes: Number(request.headers['content-length'] ?? Buffer.byteLength(request.requestText ?? '')),
  responseBytes: Number(reply.getHeader('content-length') ?? Buffer.byteLength(request.responseText ?? '')),
});
