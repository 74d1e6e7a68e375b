import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from './failure.ts';

/** Time limit for the body of a request. */
interface BodyTime {
  timer: NodeJS.Timeout;
  /** Called when the time is over and no response has been sent. */
  expire: (() => void) | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    bodyTime: BodyTime | null;
  }
}

/**
 * Limits how long a body may take: `anonymousMs` in total for a caller who is not signed in, even if the request
 * has already been refused; the usual request time for a signed-in caller. The rest of a refused body is read
 * and discarded, so that a client that sends everything before it reads still gets the response.
 */
export const limitBodyTime = (app: FastifyInstance, anonymousMs: number): void => {
  app.decorateRequest('bodyTime', null);
  app.addHook('onRequest', async (request, reply) => {
    const { raw } = request;
    if (!hasBody(raw)) return;
    const timer = setTimeout(() => {
      const { bodyTime } = request;
      // Already answered, but the client is still sending.
      if (reply.sent || !bodyTime?.expire) raw.destroy();
      else bodyTime.expire();
    }, anonymousMs);
    request.bodyTime = { timer, expire: undefined };
    raw.once('end', () => clearTimeout(timer));
    raw.once('close', () => clearTimeout(timer));
  });
  app.addHook('onResponse', async ({ raw }) => {
    raw.unpipe();
    raw.resume();
  });
};

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Called once the caller is known: a signed-in caller gets the usual time.
 * @returns the body to read
 */
export const timedBody = (request: FastifyRequest, payload: Readable, isSignedIn: boolean): Readable => {
  const { bodyTime } = request;
  if (!bodyTime) return payload;
  if (isSignedIn) {
    clearTimeout(bodyTime.timer);
    return payload;
  }
  // A separate stream that can fail while the connection still carries the response.
  const body = new PassThrough();
  // The body of a GET is never read: without a listener, its error would end the process.
  body.on('error', () => undefined);
  payload.once('error', (error) => body.destroy(error));
  bodyTime.expire = () => {
    payload.unpipe(body);
    body.destroy(new Failure('CB-00-0408'));
  };
  return payload.pipe(body);
};
