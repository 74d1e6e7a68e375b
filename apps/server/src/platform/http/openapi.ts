import swagger, { type SwaggerTransform } from '@fastify/swagger';
import { type EndpointShape, envelopeOf } from '@simcube/contract';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  answerHeadersOf,
  contentsOf,
  requestHeadersOf,
  securityOf,
  securitySchemes,
  uploadBody,
} from './documented-call.ts';

/** From here on the OpenAPI 3.1 document of the routes that are registered is `app.swagger()`: seconds of work for all calls. */
export const describeRoutes = async (app: FastifyInstance, version: string): Promise<void> => {
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
};

/** Where a call is, and what its route is checked by and described with. */
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
    // The other headers of the call stay.
    ...(endpoint.headers && { headers: endpoint.headers.loose() }),
    // An ended session answers 200 with result 0502 and no data.
    ...(typeof endpoint.response !== 'string' && {
      response: { 200: envelopeOf(endpoint.response.nullable()) },
    }),
  } satisfies FastifySchema,
});

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
