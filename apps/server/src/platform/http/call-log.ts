import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKeyOfCall } from '../access/index.ts';

/** A call that a key made, once it is answered; texts are whole, and nothing is masked yet. */
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
  /** Undefined: neither body nor response may be written down. */
  content: { body: string | undefined; response: string | undefined } | undefined;
  bodyBytes: number;
  responseBytes: number;
}

export interface CallLog {
  /** Takes the call over without waiting for anything. */
  record(call: AnsweredCall): void;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a call by a key: what was sent and answered, where it is text. */
    sentText: string | undefined;
    answeredText: string | undefined;
  }
}

/** Hands every call whose signature was accepted to the log, behind its answer, whatever that is. */
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

/** Undefined as well before a call was looked at. */
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
