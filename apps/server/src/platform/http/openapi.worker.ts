import { createHash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { allEndpoints } from '@simcube/contract';
import Fastify, { type FastifyInstance } from 'fastify';
import { describeRoutes, shapeOf } from './openapi.ts';

export interface DocumentRequest {
  version: string;
  /** Ids of the calls that the server has. */
  calls: readonly string[];
}

/** The JSON. */
export interface WrittenDocument {
  plain: Uint8Array<ArrayBuffer>;
  gzipped: Uint8Array<ArrayBuffer>;
  /** RFC 9110, 8.8.3; weak, because both forms have it. */
  etag: string;
}

/**
 * Writes the document of the contract's calls and ends. A thread, because the seconds that it takes must not
 * delay packets and calls.
 */
const write = async ({ version, calls }: DocumentRequest): Promise<WrittenDocument> => {
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
  const plain = new TextEncoder().encode(JSON.stringify(app.swagger()));
  const gzipped = new Uint8Array(gzipSync(plain));
  return { plain, gzipped, etag: `W/"${createHash('sha256').update(plain).digest('base64url')}"` };
};

const document = await write(workerData as DocumentRequest);
parentPort?.postMessage(document, [document.plain.buffer, document.gzipped.buffer]);
