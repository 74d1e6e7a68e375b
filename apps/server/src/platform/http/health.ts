import type { FastifyInstance } from 'fastify';
import type { HttpOptions } from './http-options.ts';

export const registerHealth = (app: FastifyInstance, { ready, metrics, log }: HttpOptions): void => {
  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'alive' }));
  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    try {
      await ready();
      return { status: 'ready' };
    } catch (error) {
      log.warn({ err: error }, 'not ready');
      return reply.status(503).send({ status: 'not ready' });
    }
  });
  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
};
