import { randomUUID } from 'node:crypto';
import { access as fileAccess } from 'node:fs/promises';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import fastifyStatic from '@fastify/static';
import {
  commonErrors,
  type EndpointShape,
  type ErrorCode,
  envelopeOf,
  errors as errorCatalogue,
  failureSchema,
  headers,
  inputIssueOf,
  limits,
} from '@simcube/contract';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import type { AccessControl, Actor, OrgContext, Principal } from '../access/index.ts';
import type { Sql } from '../db/index.ts';
import { FileRefused } from '../files/index.ts';
import type { Log } from '../log/index.ts';
import type { Metrics } from '../metrics/index.ts';
import { admit, languageOf, single, timeZoneOf } from './caller.ts';
import { registerDocuments } from './documents.ts';
import { failureEnvelope, successEnvelope } from './envelope.ts';
import { Failure, type FailureDetails } from './failure.ts';
import { answerOnce } from './idempotency.ts';
import type { FileAnswer, Route } from './route.ts';
import { formOctets, receiveFile, registerUploads } from './upload.ts';
import { findZeroCharacter } from './zero-character.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: { principal?: Principal; org?: OrgContext };
  }
}

export interface HttpOptions {
  /** For the answers that are remembered by their Idempotency-Key. */
  sql: Sql;
  routes: readonly Route[];
  access: AccessControl;
  log: Log;
  metrics: Metrics;
  version: string;
  /** The built console; left out when it has not been built. */
  webDir: string;
  requestsPerMinute: number;
  trustProxy: boolean;
  /** Throws when the process can't do its work (no database); answered at `/readyz`. */
  ready: () => Promise<void>;
}

const bodyLimit = 1024 * 1024;

const addressed = (request: FastifyRequest) => ({
  language: languageOf(request.headers['accept-language']),
  traceId: request.id,
});

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

declare module 'fastify' {
  interface FastifyContextConfig {
    endpointId?: string;
  }
}

const registerRoute = (
  app: FastifyInstance,
  { endpoint, handle, stream, file }: Route,
  options: HttpOptions,
): void => {
  const isJson = typeof endpoint.response !== 'string';
  app.route({
    method: endpoint.method,
    url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    ...(endpoint.maxBodyBytes && { bodyLimit: endpoint.maxBodyBytes }),
    ...(endpoint.upload && { bodyLimit: endpoint.upload.maxBytes + formOctets }),
    config: {
      endpointId: endpoint.id,
      rateLimit: {
        max: Math.ceil(options.requestsPerMinute / (endpoint.weight ?? 1)),
        timeWindow: '1 minute',
      },
    },
    schema: {
      summary: endpoint.summary,
      tags: [endpoint.id.split('.')[0] ?? endpoint.id],
      operationId: endpoint.id,
      ...(endpoint.access.kind !== 'public' && { security: [{ bearer: [] }] }),
      ...(endpoint.params && { params: endpoint.params }),
      ...(endpoint.query && { querystring: endpoint.query }),
      ...(endpoint.body && { body: endpoint.body }),
      // The other headers of the call stay.
      ...(endpoint.headers && { headers: endpoint.headers.loose() }),
      response: isJson ? responsesOf(endpoint.response as z.ZodType, endpoint.errors) : {},
    },
    // Before the body is read: a stranger's input is not even parsed. After onRequest, where calls are counted
    // against the rate limit: a flood of bad tokens must not reach the database.
    preParsing: async (request) => {
      request.caller = await admit(options.access, endpoint, request);
    },
    handler: async (request, reply) => {
      const call = {
        ...addressed(request),
        ...request.caller,
        timeZone: timeZoneOf(single(request.headers[headers.timeZone])),
        address: request.ip,
        userAgent: request.headers['user-agent']?.slice(0, 300),
        actor: actorOf(endpoint, request),
        log: options.log,
        params: request.params,
        query: request.query,
        body: request.body,
        headers: request.headers,
        ...(endpoint.upload && { file: await receiveFile(request, endpoint.upload) }),
      } as never;
      if (stream) return stream(call, request, reply);
      if (file) return sendFile(reply, await file(call));
      const work = async () => successEnvelope(await handle?.(call), addressed(request));
      const key = single(request.headers[headers.idempotencyKey]);
      const { principal } = request.caller;
      if (key === undefined || !principal || endpoint.method === 'GET' || endpoint.confidential)
        return work();
      const { method, url, body } = request;
      const { envelope, replayed } = await answerOnce(
        options.sql,
        { userId: principal.userId, key, method, url, body },
        work,
      );
      if (replayed) reply.header(headers.idempotencyReplayed, 'true');
      return envelope;
    },
  });
};

const actorOf = (endpoint: EndpointShape, { caller, ip, id }: FastifyRequest): Actor => ({
  kind: 'person',
  id: caller.principal?.userId ?? null,
  name: caller.principal?.name ?? '',
  address: ip,
  traceId: id,
  action: endpoint.audit === 'none' ? undefined : endpoint.audit,
});

/** The name is given in both forms of RFC 6266, so that it survives in any language. */
const sendFile = (reply: FastifyReply, { fileName, contentType, content }: FileAnswer) =>
  reply
    .type(contentType)
    .header(
      'content-disposition',
      `attachment; filename="${fileName.replaceAll(/[^\w.-]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(fileName)}`,
    )
    .header('cache-control', 'no-store')
    .send(content);

/** Success, and one failure per HTTP status, named with its codes for the readers of the documents. */
const responsesOf = (data: z.ZodType, own: readonly ErrorCode[]) => {
  const codes = [...commonErrors, ...own];
  const byStatus = groupByStatus(codes);
  return {
    ...Object.fromEntries(
      [...byStatus]
        .filter(([status]) => status !== 200)
        .map(([status, list]) => [status, failureSchema.describe([...new Set(list)].join(', '))]),
    ),
    // An ended session answers 200 with result 0502 and no data.
    200: envelopeOf(data.nullable()),
  };
};

/** The parsed input, or a failure that names each wrong field by its path and what is wrong with it. */
const validated = (schema: z.ZodType, input: unknown) => {
  const parsed = schema.safeParse(input, { reportInput: true });
  if (parsed.success) {
    const path = findZeroCharacter(parsed.data);
    if (path === undefined) return { value: parsed.data };
    return { error: new Failure('CB-00-0400', { issues: [{ path, key: 'invalidFormat' }] }) };
  }
  return { error: new Failure('CB-00-0400', { issues: parsed.error.issues.slice(0, 50).map(inputIssueOf) }) };
};

const groupByStatus = (codes: readonly ErrorCode[]): Map<number, ErrorCode[]> => {
  const groups = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const status = errorCatalogue[code].http;
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return groups;
};

const handleErrors = (app: FastifyInstance): void => {
  const answer = (
    request: FastifyRequest,
    reply: FastifyReply,
    code: ErrorCode,
    details: FailureDetails = {},
  ) =>
    reply
      .status(errorCatalogue[code].http)
      .type('application/json')
      // Serialised here: a status without a schema of its own must not change the form of the answer.
      .serializer((payload: unknown) => JSON.stringify(payload))
      .send(failureEnvelope(code, details, addressed(request)));

  app.setErrorHandler((error: unknown, request, reply) => {
    const endpoint = request.routeOptions.config.endpointId;
    if (error instanceof Failure && error.cause === undefined)
      return answer(request, reply, error.code, error);
    if (error instanceof FileRefused) return answer(request, reply, error.refusal.code, error.refusal);
    const known = codeOfHttpError(error);
    if (known) return answer(request, reply, known);
    const [cause, code] =
      error instanceof Failure ? [error.cause, error.code] : [error, 'CB-99-0500' as const];
    request.log.error({ err: cause, endpoint }, 'a call failed');
    return answer(request, reply, isDatabaseAway(cause) ? 'CB-99-0503' : code);
  });
  app.setNotFoundHandler((request, reply) => answer(request, reply, 'CB-00-0404'));
};

/** Errors of the HTTP library itself: bad JSON, too large, wrong type. */
const codeOfHttpError = (error: unknown): ErrorCode | undefined => {
  const status = (error as { statusCode?: unknown }).statusCode;
  if (status === 413) return 'CB-00-0413';
  if (status === 415) return 'CB-00-0415';
  if (status === 429) return 'CB-00-0429';
  if (status === 404) return 'CB-00-0404';
  return typeof status === 'number' && status >= 400 && status < 500 ? 'CB-00-0400' : undefined;
};

/** SQLSTATE classes 08 (connection), 53 (resources), 57P (shut down), and the driver's own time-outs. */
const isDatabaseAway = (error: unknown): boolean => {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && /^(08|53|57P|ECONNREFUSED|ECONNRESET|EPIPE)/.test(code)) return true;
  return (
    typeof message === 'string' &&
    /timeout exceeded when trying to connect|Connection terminated/.test(message)
  );
};

const registerHealth = (app: FastifyInstance, { ready, metrics, log }: HttpOptions): void => {
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

/** The console's files; any other page address gets its start page, which does the routing. */
const registerConsole = async (app: FastifyInstance, webDir: string): Promise<void> => {
  const built = await fileAccess(`${webDir}/index.html`).then(
    () => true,
    () => false,
  );
  if (!built) return;
  await app.register(fastifyStatic, {
    root: webDir,
    wildcard: false,
    preCompressed: true,
    setHeaders: (response, path) => {
      // Names under assets/ carry the hash of their content.
      response.header(
        'cache-control',
        path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
    },
  });
  app.get('/*', { schema: { hide: true } }, async (request, reply) => {
    if (/\.\w+$/.test(new URL(request.url, 'http://localhost').pathname)) throw new Failure('CB-00-0404');
    return reply.sendFile('index.html');
  });
};
