import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { lazily } from '../../recent/index.ts';
import { createThreadPool } from '../../threads/index.ts';
import type { HttpOptions } from '../http-options.ts';
import { describeRoutes } from './openapi.ts';
import type { WrittenDocument } from './openapi.worker.ts';
import type { DocumentRequest } from './openapi-document.ts';

/** Instead of the page's own policy, which upgrades its requests to TLS and lets it ask a validator on the internet. */
const contentSecurityPolicy = {
  'default-src': "'self'",
  'base-uri': "'self'",
  'frame-ancestors': "'self'",
  'img-src': "'self' data:",
  'object-src': "'none'",
};

const writeInThread = createThreadPool<DocumentRequest, WrittenDocument>('openapi-worker', { size: 1 });
const bounds = { timeLimitMs: 120_000, memoryMb: 512 };

/** Content types by address; JSON is valid YAML. */
const contentTypes = new Map<string | undefined, string>([
  ['/docs/json', 'application/json; charset=utf-8'],
  ['/docs/yaml', 'application/yaml; charset=utf-8'],
]);

/** The OpenAPI 3.1 document of the server's calls at /docs/json, and a page to read it at /docs. */
export const registerDocuments = async (
  app: FastifyInstance,
  { version, routes }: Pick<HttpOptions, 'version' | 'routes'>,
): Promise<void> => {
  const documentOf = cachedDocument({ version, calls: routes.map(({ endpoint }) => endpoint.id) });
  await describeRoutes(app, version);
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: contentSecurityPolicy,
    uiConfig: { docExpansion: 'list' },
    // Replaces the page's own handler, which would compute the document on this thread and block all requests.
    uiHooks: {
      preHandler: async (request, reply) => {
        const type = contentTypes.get(request.routeOptions.url);
        if (type) return sendDocument(request, reply.type(type), await documentOf());
      },
    },
    theme: {
      title: 'SimCube API',
      css: [{ filename: 'simcube.css', content: '.swagger-ui .topbar { display: none }' }],
    },
  });
};

/** Sends megabytes only to those who don't have them yet, compressed if they accept that. */
const sendDocument = (
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { plain, gzipped, etag }: WrittenDocument,
): FastifyReply => {
  reply.headers({ etag, 'cache-control': 'no-cache', vary: 'accept-encoding' });
  if (headers['if-none-match']?.includes(etag)) return reply.code(304).send();
  if (!acceptsGzip(headers['accept-encoding'])) return reply.send(Buffer.from(plain.buffer));
  return reply.header('content-encoding', 'gzip').send(Buffer.from(gzipped.buffer));
};

/** RFC 9110, 12.5.3, without an order of preference. */
const acceptsGzip = (accepted: string | string[] = ''): boolean =>
  /(?:^|,)\s*(?:gzip|\*)\s*(?:$|,|;\s*q=(?:1|0\.0*[1-9]))/i.test(String(accepted));

/** The document is written on the first request. */
const cachedDocument = (request: DocumentRequest): (() => Promise<WrittenDocument>) =>
  lazily(async () => {
    const written = await writeInThread(request, bounds);
    if (!written) throw new Error('The OpenAPI document was not written within its bounds');
    return written;
  });
