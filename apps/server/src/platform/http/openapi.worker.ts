import { parentPort, workerData } from 'node:worker_threads';
import { allEndpoints } from '@simcube/contract';
import Fastify, { type FastifyInstance } from 'fastify';
import { describeRoutes, shapeOf } from './openapi.ts';

export interface DocumentRequest {
  version: string;
  /** Ids of the calls that the server has. */
  calls: readonly string[];
}

/** UTF-8 of the JSON. */
export type DocumentBytes = Uint8Array<ArrayBuffer>;

/**
 * Writes the document of the contract's calls and ends. A thread, because the seconds that it takes must not
 * delay packets and calls.
 */
const write = async ({ version, calls }: DocumentRequest): Promise<DocumentBytes> => {
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
  return new TextEncoder().encode(JSON.stringify(app.swagger()));
};

const document = await write(workerData as DocumentRequest);
parentPort?.postMessage(document, [document.buffer]);
