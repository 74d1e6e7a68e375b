import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKeyOfCall } from '../access/index.ts';

/** A call made with a key, once answered; texts are complete and not yet masked. */
export interface AnsweredCall {
  key: ApiKeyOfCall;
  userId: string;
  traceId: string;
  address: string;
  method: string;
  /** Path and query. */
  target: string;
  httpCode: number;
  durationMs: number;
  headers: FastifyRequest['headers'];
  /** Undefined if neither body nor response may be logged. */
  content: { body: string | undefined; response: string | undefined } | undefined;
  bodyBytes: number;
  responseBytes: number;
}

export interface CallLog {
  /** Accepts the call without waiting for anything. */
  record(call: AnsweredCall): void;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** For a call with a key: what was sent and returned, if it is text. */
    sentText: string | undefined;
    answeredText: string | undefined;
  }
}

/** Passes every call whose signature was accepted to the log after it has been answered, whatever the response. */
export const logKeyCalls = (app: FastifyInstance, log: CallLog): void => {
  app.decorateRequest('sentText');
  app.decorateRequest('answeredText');
  app.addHook('onSend', async (request, _reply, payload) => {
    if (keyOf(request) && typeof payload === 'string') request.answeredText = payload;
  });
  app.addHook('onResponse', async (request, reply) => {
    const key = keyOf(request);
    if (key) log.record(answered(key, request, reply));
  });
};

/** Also undefined before the caller has been checked. */
export const keyOf = (request: FastifyRequest): ApiKeyOfCall | undefined =>
  (request.caller as FastifyRequest['caller'] | undefined)?.principal?.key;

const answered = (key: ApiKeyOfCall, request: FastifyRequest, reply: FastifyReply): AnsweredCall => ({
  key,
  userId: request.caller.principal?.userId ?? '',
  traceId: request.id,
  address: request.ip,
  method: request.method,
  target: request.url,
  httpCode: reply.statusCode,
  durationMs: Math.round(reply.elapsedTime),
  headers: request.headers,
  content: request.routeOptions.config.endpoint?.confidential
    ? undefined
    : { body: request.sentText, response: request.answeredText },
  bodyBytes: Number(request.headers['content-length'] ?? request.sentText?.length ?? 0),
  responseBytes: Number(reply.getHeader('content-length') ?? request.answeredText?.length ?? 0),
});
