import type { FastifyInstance } from 'fastify';
import type { DatabaseTrouble } from '../db/index.ts';
import type { Metrics } from '../metrics/index.ts';

/** Why a process can't work now. */
export type NotReady = 'starting' | 'stopping' | `database-${DatabaseTrouble}`;

/** The readiness that a process reports to load balancers. */
export interface Readiness {
  /** Checks whether the process can work; undefined when it can. */
  check(): Promise<NotReady | undefined>;
  /** The most recently noticed problem of the database. */
  trouble(): DatabaseTrouble | undefined;
}

/**
 * Liveness, readiness and metrics of the process. They need no sign-in, because they contain nothing about
 * people or organisations.
 */
export const registerHealth = (
  app: FastifyInstance,
  { readiness, metrics }: { readiness: Readiness; metrics: Metrics },
): void => {
  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'alive' }));
  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    const reason = await readiness.check();
    if (reason === undefined) return { status: 'ready' };
    return reply.status(503).send({ status: 'not ready', reason });
  });
  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
};
