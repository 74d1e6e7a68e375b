import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from './failure.ts';

/** How long a request's body may take. */
interface BodyTime {
  timer: NodeJS.Timeout;
  /** Called when the time is over and nothing has been answered yet. */
  expire: (() => void) | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    bodyTime: BodyTime | null;
  }
}

/**
 * A caller who is not signed in has `strangerMs` for a whole body, whether it is read or was refused before; a signed-in caller has as
 * long as a request may take at all. What is left of a refused body is read and thrown away, so that a client that sends
 * first and reads then finds its answer.
 */
export const boundBodies = (app: FastifyInstance, strangerMs: number): void => {
  app.decorateRequest('bodyTime', null);
  app.addHook('onRequest', async (request, reply) => {
    const { raw } = request;
    if (!hasBody(raw)) return;
    const timer = setTimeout(() => {
      const { bodyTime } = request;
      // Answered already, and still sending.
      if (reply.sent || !bodyTime?.expire) raw.destroy();
      else bodyTime.expire();
    }, strangerMs);
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

/** Called once the caller is known: a signed-in caller has the usual time. @returns the body to be read */
export const bodyOf = (request: FastifyRequest, payload: Readable, isSignedIn: boolean): Readable => {
  const { bodyTime } = request;
  if (!bodyTime) return payload;
  if (isSignedIn) {
    clearTimeout(bodyTime.timer);
    return payload;
  }
  // One of its own, so that it can fail while the connection still carries the answer.
  const body = new PassThrough();
  // No GET reads one: what nobody hears would end the process.
  body.on('error', () => undefined);
  payload.once('error', (error) => body.destroy(error));
  bodyTime.expire = () => {
    payload.unpipe(body);
    body.destroy(new Failure('CB-00-0408'));
  };
  return payload.pipe(body);
};
