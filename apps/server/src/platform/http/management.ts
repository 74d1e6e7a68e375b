import Fastify, { type FastifyInstance } from 'fastify';
import type { Log } from '../log/index.ts';
import type { Metrics } from '../metrics/index.ts';
import { type Readiness, registerHealth } from './health.ts';

export interface ManagementOptions {
  readiness: Readiness;
  metrics: Metrics;
  log: Log;
}

/**
 * The port for operating a process, whatever its roles: not for people, and without data of organisations. Only
 * here are its metrics, because they need no sign-in and name connections to SMSCs.
 */
export const createManagementServer = ({ readiness, metrics, log }: ManagementOptions) => {
  const app = Fastify({
    loggerInstance: log.child({ part: 'management' }, { level: log.level === 'info' ? 'warn' : log.level }),
    bodyLimit: 1024,
    requestTimeout: 10_000,
    forceCloseConnections: true,
  }) as unknown as FastifyInstance;
  registerHealth(app, { readiness });
  app.get('/metrics', async (_request, reply) => {
    metrics.ready.set(readiness.reason() === undefined ? 1 : 0);
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  app.setNotFoundHandler((_request, reply) => reply.status(404).send({ status: 'not found' }));
  return {
    listen: (host: string, port: number): Promise<string> => app.listen({ host, port }),
    close: async (): Promise<void> => {
      await app.close();
    },
  };
};
