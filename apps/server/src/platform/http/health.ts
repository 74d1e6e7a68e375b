import type { FastifyInstance } from 'fastify';
import type { DatabaseTrouble } from '../db/index.ts';

/** Why a process can't work now. */
export type NotReady = 'starting' | 'stopping' | `database-${DatabaseTrouble}`;

/** The readiness that a process reports to load balancers. */
export interface Readiness {
  /** Checks whether the process can work; undefined when it can. */
  check(): Promise<NotReady | undefined>;
  /** The result of the last check, without waiting for another. */
  reason(): NotReady | undefined;
  /** The most recently noticed problem of the database. */
  trouble(): DatabaseTrouble | undefined;
}

/** Liveness and readiness of the process, for load balancers: they need no sign-in. */
export const registerHealth = (app: FastifyInstance, { readiness }: { readiness: Readiness }): void => {
  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'alive' }));
  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    const reason = await readiness.check();
    if (reason === undefined) return { status: 'ready' };
    return reply.status(503).send({ status: 'not ready', reason });
  });
};
