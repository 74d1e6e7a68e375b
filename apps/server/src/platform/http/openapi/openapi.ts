import swagger, { type SwaggerTransform } from '@fastify/swagger';
import { type EndpointShape, envelopeOf } from '@simcube/contract';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { z } from 'zod';
import { describeFields } from './described-fields.ts';
import {
  requestHeadersOf,
  responseHeadersOf,
  responsesOf,
  securityOf,
  securitySchemes,
  uploadBody,
} from './documented-call.ts';
import { documentedWebhooks } from './documented-webhooks.ts';
import { jsonSchemaTransform } from './json-schema.ts';
import { shareResponses } from './shared-responses.ts';
import { shareSchemas } from './shared-schemas.ts';

/**
 * After this, `app.swagger()` returns the OpenAPI 3.1 document of the registered routes and of the requests that are
 * sent to webhooks and API targets; for all calls it takes seconds.
 */
export const describeRoutes = async (app: FastifyInstance, version: string): Promise<void> => {
  const { webhooks, schemas } = documentedWebhooks();
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'SimCube',
        version,
        description: 'IoT connectivity management: the calls of the console and of API keys.',
      },
      components: { securitySchemes, schemas },
      webhooks,
    },
    transformObject: (document) =>
      'openapiObject' in document ? shareResponses(shareSchemas(describeFields(document.openapiObject))) : {},
    transform: (document) => {
      const { endpoint } = document.route.config ?? {};
      return endpoint ? documentedCall(document, endpoint) : jsonSchemaTransform(document);
    },
  });
};

/** The path of a call, and the schemas that its route is validated and documented with. */
export const shapeOf = (endpoint: EndpointShape) => ({
  method: endpoint.method,
  url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
  schema: {
    summary: endpoint.summary,
    tags: [endpoint.id.split('.')[0] ?? endpoint.id],
    operationId: endpoint.id,
    security: securityOf(endpoint),
    ...(endpoint.params && { params: endpoint.params }),
    ...(endpoint.query && { querystring: endpoint.query }),
    ...(endpoint.body && { body: endpoint.body }),
    // Other headers of the call are left in place.
    ...(endpoint.headers && { headers: endpoint.headers.loose() }),
    // A call with an ended session responds with 200, result 0502 and no data.
    ...(typeof endpoint.response !== 'string' && {
      response: { 200: envelopeOf(endpoint.response.nullable()) },
    }),
  } satisfies FastifySchema,
});

type Document = Parameters<SwaggerTransform>[0];

/** Adds what the record declares beyond the route's schemas: headers, codes by status, types of files. */
const documentedCall = (document: Document, endpoint: EndpointShape): ReturnType<SwaggerTransform> => {
  const { schema, url } = jsonSchemaTransform({
    ...document,
    schema: {
      ...document.schema,
      headers: requestHeadersOf(endpoint),
      response: responsesOf(endpoint),
      ...(endpoint.upload && { body: uploadBody, consumes: ['multipart/form-data'] }),
    },
  });
  const responses = Object.entries(schema['response'] as Record<string, object>).map(([status, response]) => {
    const { properties } = z.toJSONSchema(responseHeadersOf(endpoint, Number(status)));
    return [status, { ...response, headers: properties }];
  });
  return { url, schema: { ...schema, response: Object.fromEntries(responses) } };
};
