import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { createThreadPool } from '../threads/index.ts';
import type { HttpOptions } from './http-options.ts';
import { describeRoutes } from './openapi.ts';
import type { DocumentBytes, DocumentRequest } from './openapi.worker.ts';

const writeInThread = createThreadPool<DocumentRequest, DocumentBytes>('openapi-worker', { size: 1 });
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
    staticCSP: true,
    uiConfig: { docExpansion: 'list' },
    // Replaces the page's own handler, which would compute the document on this thread and block all requests.
    uiHooks: {
      preHandler: async (request, reply) => {
        const type = contentTypes.get(request.routeOptions.url);
        if (type) return reply.type(type).send(await documentOf());
      },
    },
    theme: {
      title: 'SimCube API',
      css: [{ filename: 'simcube.css', content: '.swagger-ui .topbar { display: none }' }],
    },
  });
};

/** The document is written on the first request and cached; a failed attempt is repeated. */
const cachedDocument = (request: DocumentRequest): (() => Promise<Buffer>) => {
  let document: Promise<Buffer> | undefined;
  const write = async (): Promise<Buffer> => {
    const bytes = await writeInThread(request, bounds);
    if (!bytes) throw new Error('The OpenAPI document was not written within its bounds');
    return Buffer.from(bytes.buffer);
  };
  return () => {
    document ??= write().catch((error: unknown) => {
      document = undefined;
      throw error;
    });
    return document;
  };
};
