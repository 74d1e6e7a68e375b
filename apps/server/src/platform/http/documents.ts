import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { headers } from '@simcube/contract';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';

const callHeaders = {
  type: 'object',
  properties: {
    [headers.tenantId]: {
      type: 'string',
      description: 'Tenant id of the organisation that the call is about',
    },
    [headers.partnerCode]: { type: 'string', description: 'Code of the same organisation' },
    [headers.timeZone]: { type: 'string', description: 'IANA time zone of the caller, for dates in files' },
    'accept-language': { type: 'string', description: 'Language of messages: en-US, zh-CN, zh-TW, es-ES' },
  },
};

/** OpenAPI 3.1 of the registered routes at /docs/json, with a page to read it at /docs. */
export const registerDocuments = async (app: FastifyInstance, version: string): Promise<void> => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'SimCube',
        version,
        description: 'IoT connectivity management: the calls of the console and of API keys.',
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
    transform: (route) => {
      const { schema, url } = jsonSchemaTransform(route);
      return { url, schema: schema['security'] ? { ...schema, headers: callHeaders } : schema };
    },
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    uiConfig: { docExpansion: 'list' },
    theme: {
      title: 'SimCube API',
      css: [{ filename: 'simcube.css', content: '.swagger-ui .topbar { display: none }' }],
    },
  });
};
