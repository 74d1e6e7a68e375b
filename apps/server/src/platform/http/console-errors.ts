import { consoleErrorSchema, consoleErrorsPath, limits } from '@simcube/contract';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import type { Metrics } from '../metrics/index.ts';

/**
 * Accepts errors that people meet in the console, for the installation's log and metrics. It needs no sign-in,
 * because screens before the sign-in fail too; so errors are few, small, and marked as reported by a browser.
 */
export const registerConsoleErrors = (app: FastifyInstance, { metrics }: { metrics: Metrics }): void => {
  app.post(
    consoleErrorsPath,
    {
      schema: { hide: true, body: consoleErrorSchema },
      bodyLimit: limits.consoleErrors.bodyBytes,
      config: { rateLimit: { max: limits.consoleErrors.perMinute, timeWindow: '1 minute' } },
    },
    async (request, reply) => {
      const consoleError = request.body as z.infer<typeof consoleErrorSchema>;
      request.log.error({ consoleError }, 'the console reported an error');
      metrics.consoleErrors.inc({ where: consoleError.where });
      return reply.status(204).send();
    },
  );
};
