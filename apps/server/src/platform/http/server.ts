import { randomUUID } from 'node:crypto';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import { headers, limits } from '@simcube/contract';
import Fastify, { type FastifyInstance } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { registerConsole } from './console.ts';
import { registerDocuments } from './documents.ts';
import { Failure } from './failure.ts';
import { handleErrors } from './failures.ts';
import { registerHealth } from './health.ts';
import type { HttpOptions } from './http-options.ts';
import { registerRoute } from './register-route.ts';
import { registerUploads } from './upload.ts';
import { validated } from './validation.ts';

const bodyLimit = 1024 * 1024;

/** The gateway: every route from its endpoint record, the envelope, the documents, health and the console's files. */
export const createHttpServer = async (options: HttpOptions): Promise<FastifyInstance> => {
  const { routes, log, metrics } = options;
  const app = Fastify({
    loggerInstance: log.child({ part: 'http' }, { level: log.level === 'info' ? 'warn' : log.level }),
    genReqId: () => randomUUID(),
    bodyLimit,
    requestTimeout: limits.requestTimeoutMs,
    trustProxy: options.trustProxy,
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: true,
  }) as unknown as FastifyInstance;
  app.setValidatorCompiler(
    ({ schema }) =>
      (input) =>
        validated(schema as z.ZodType, input),
  );
  app.setSerializerCompiler(serializerCompiler);
  app.decorateRequest('caller');
  app.addHook('onRequest', async (request, reply) => {
    reply.header(headers.traceId, request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
    metrics.httpSeconds.observe(
      { endpoint: request.routeOptions.config.endpointId ?? 'other', status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    );
  });
  handleErrors(app);
  await app.register(helmet, {
    contentSecurityPolicy: contentSecurityPolicy,
    crossOriginEmbedderPolicy: false,
  });
  await app.register(rateLimit, {
    global: false,
    max: options.requestsPerMinute,
    timeWindow: '1 minute',
    errorResponseBuilder: () => new Failure('CB-00-0429'),
  });
  await registerUploads(app);
  await registerDocuments(app, options.version);
  // A plugin of its own, so that the documents' plugin is ready and sees the routes.
  await app.register((scope, _options, done) => {
    for (const one of routes) registerRoute(scope, one, options);
    done();
  });
  registerHealth(app, options);
  await registerConsole(app, options.webDir);
  return app;
};

const contentSecurityPolicy = {
  directives: {
    defaultSrc: ["'self'"],
    scriptSrc: ["'self'"],
    // Ant Design writes its styles into the page.
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'blob:'],
    fontSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    objectSrc: ["'none'"],
    frameAncestors: ["'none'"],
    upgradeInsecureRequests: null,
  },
};
