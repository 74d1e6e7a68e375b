import { randomUUID } from 'node:crypto';
import { parse as parseQuery } from 'node:querystring';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import { headers, limits } from '@simcube/contract';
import Fastify, { type FastifyInstance } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { limitBodyTime } from './body-time.ts';
import { logKeyCalls } from './call-log.ts';
import { registerConsole } from './console.ts';
import { registerConsoleErrors } from './console-errors.ts';
import { acceptForms, acceptJson } from './content-types.ts';
import { handleErrors, handleUnreadable, handleUnroutable } from './error-handler.ts';
import { Failure } from './failure.ts';
import { registerHealth } from './health.ts';
import type { HttpOptions, HttpTimes } from './http-options.ts';
import { registerDocuments } from './openapi/documents.ts';
import { registerRoute } from './register-route.ts';
import { readStartPage, scriptsIn } from './start-page.ts';
import { traceCalls } from './trace-calls.ts';
import { registerUnknownCalls } from './unknown-calls.ts';
import { validate, validateBody } from './validation.ts';

const bodyLimit = 1024 * 1024;
const defaultTimes: HttpTimes = { headersMs: 15_000, anonymousBodyMs: 20_000, idleMs: 300_000 };

/** The gateway: every route from its endpoint record, the envelope, the documents, health and the console's files. */
export const createHttpServer = async (options: HttpOptions): Promise<FastifyInstance> => {
  const { routes, log, metrics, times = defaultTimes } = options;
  const { headersMs, anonymousBodyMs, idleMs } = times;
  const app = Fastify({
    loggerInstance: log.child({ part: 'http' }, { level: log.level === 'info' ? 'warn' : log.level }),
    genReqId: () => randomUUID(),
    bodyLimit,
    requestTimeout: limits.requestTimeoutMs,
    connectionTimeout: idleMs,
    trustProxy: trustProxyOption(options.trustProxy),
    routerOptions: { maxParamLength: 200, querystringParser: queryOf },
    forceCloseConnections: true,
    http: {
      // A hook checks it and responds with the envelope.
      requireHostHeader: false,
      headersTimeout: headersMs,
      connectionsCheckingInterval: Math.min(headersMs, 5000),
    },
    frameworkErrors: handleUnroutable,
    clientErrorHandler: handleUnreadable,
  }) as unknown as FastifyInstance;
  app.setValidatorCompiler(
    ({ schema, httpPart }) =>
      (input) =>
        (httpPart === 'body' ? validateBody : validate)(schema as z.ZodType, input),
  );
  app.setSerializerCompiler(serializerCompiler);
  app.decorateRequest('caller');
  traceCalls(app);
  app.addHook('onRequest', async (request, reply) => {
    reply.header(headers.traceId, request.id);
    // The client has disconnected: there is no address for the rate limit, and nobody to answer.
    if (request.socket.remoteAddress === undefined) reply.hijack();
  });
  app.addHook('onResponse', async (request, reply) => {
    metrics.httpSeconds.observe(
      { endpoint: request.routeOptions.config.endpoint?.id ?? 'other', status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    );
  });
  limitBodyTime(app, anonymousBodyMs);
  handleErrors(app);
  if (options.callLog) logKeyCalls(app, options.callLog);
  acceptJson(app);
  const page = await readStartPage(options.webDir);
  await app.register(helmet, {
    contentSecurityPolicy: contentSecurityPolicy(scriptsIn(page)),
    crossOriginEmbedderPolicy: false,
  });
  await app.register(rateLimit, {
    global: false,
    max: options.requestsPerMinute,
    timeWindow: '1 minute',
    errorResponseBuilder: () => new Failure('CB-00-0429'),
  });
  app.addHook('onSend', async (_request, reply) => {
    const [limit, remaining, seconds] = ['limit', 'remaining', 'reset'].map((name) =>
      reply.getHeader(`x-ratelimit-${name}`),
    );
    if (limit === undefined) return;
    // The same in the form of draft-ietf-httpapi-ratelimit-headers.
    reply.header('ratelimit-policy', `"address";q=${limit};w=60`);
    reply.header('ratelimit', `"address";r=${remaining};t=${seconds}`);
  });
  await registerDocuments(app, options);
  // Separate plugins, so that the documents' plugin is ready and sees the routes.
  await app.register((scope, _options, done) => {
    for (const route of routes) if (!route.endpoint.upload) registerRoute(scope, route, options);
    done();
  });
  await app.register((scope, _options, done) => {
    acceptForms(scope);
    for (const route of routes) if (route.endpoint.upload) registerRoute(scope, route, options);
    done();
  });
  registerUnknownCalls(app, options);
  registerHealth(app, options);
  registerConsoleErrors(app, options);
  await registerConsole(app, { webDir: options.webDir, page });
  return app;
};

/** Invalid UTF-8 becomes U+FFFD, so that it is refused as in any other text instead of being searched for literally. */
const queryOf = (text: string) => parseQuery(text, '&', '=', { maxKeys: 0 });

/** Counts hops from the connection itself. */
const trustProxyOption = (trusted: HttpOptions['trustProxy']) =>
  typeof trusted === 'number' ? (_address: string, hop: number) => hop < trusted : trusted;

const contentSecurityPolicy = (scripts: readonly string[]) => ({
  directives: {
    defaultSrc: ["'self'"],
    scriptSrc: ["'self'", ...scripts],
    // Ant Design injects styles into the page.
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'blob:'],
    fontSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    objectSrc: ["'none'"],
    frameAncestors: ["'none'"],
    upgradeInsecureRequests: null,
  },
});
