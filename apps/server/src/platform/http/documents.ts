import swagger, { type SwaggerTransform } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { EndpointShape } from '@simcube/contract';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  answerHeadersOf,
  contentsOf,
  requestHeadersOf,
  securitySchemes,
  uploadBody,
} from './documented-call.ts';

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
      components: { securitySchemes },
    },
    transform: (document) => {
      const { endpoint } = document.route.config ?? {};
      return endpoint ? documentedCall(document, endpoint) : jsonSchemaTransform(document);
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

type Document = Parameters<SwaggerTransform>[0];

/** The record says more than the schemas that the route is checked by: headers, codes by status, types of files. */
const documentedCall = (document: Document, endpoint: EndpointShape): ReturnType<SwaggerTransform> => {
  const { schema, url } = jsonSchemaTransform({
    ...document,
    schema: {
      ...document.schema,
      headers: requestHeadersOf(endpoint),
      response: contentsOf(endpoint),
      ...(endpoint.upload && { body: uploadBody, consumes: ['multipart/form-data'] }),
    },
  });
  const answers = Object.entries(schema['response'] as Record<string, object>).map(([status, answer]) => {
    const { properties } = z.toJSONSchema(answerHeadersOf(endpoint, Number(status)));
    return [status, { ...answer, headers: properties }];
  });
  return { url, schema: { ...schema, response: Object.fromEntries(answers) } };
};
