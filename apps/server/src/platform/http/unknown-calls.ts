import { servicePrefixes } from '@simcube/contract';
import type { FastifyInstance } from 'fastify';
import { identifySigner } from './caller.ts';
import { fail } from './failure.ts';
import type { HttpOptions } from './http-options.ts';

const notFound = () => fail('CB-00-0404');

/**
 * Routes for addresses below the service prefixes that no call has, or not with that method, so that signed
 * requests to them are counted and logged like other calls.
 */
export const registerUnknownCalls = (
  app: FastifyInstance,
  { access, readiness, requestsPerMinute }: HttpOptions,
): void => {
  const config = { rateLimit: { max: requestsPerMinute, timeWindow: '1 minute' } };
  // Before the body is read: neither its type nor its content matters.
  const preParsing = async (request: Parameters<typeof identifySigner>[1]) => {
    if (!readiness.trouble()) await identifySigner(access, request);
    notFound();
  };
  for (const prefix of servicePrefixes)
    app.all(`${prefix}/*`, { config, schema: { hide: true }, preParsing }, notFound);
};
