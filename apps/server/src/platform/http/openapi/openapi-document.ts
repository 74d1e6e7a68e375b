import { allEndpoints } from '@simcube/contract';
import Fastify, { type FastifyInstance } from 'fastify';
import { describeRoutes, shapeOf } from './openapi.ts';

export interface DocumentRequest {
  version: string;
  /** Ids of the calls that the server has. */
  calls: readonly string[];
}

/** The OpenAPI document of the contract's calls. */
export const writeDocument = async ({ version, calls }: DocumentRequest): Promise<object> => {
  const app = Fastify() as unknown as FastifyInstance;
  // No request is ever handled here.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
  await describeRoutes(app, version);
  const requested = new Set(calls);
  await app.register((scope, _options, done) => {
    for (const endpoint of allEndpoints)
      if (requested.has(endpoint.id))
        scope.route({ ...shapeOf(endpoint), config: { endpoint }, handler: () => undefined });
    done();
  });
  await app.ready();
  return app.swagger();
};
