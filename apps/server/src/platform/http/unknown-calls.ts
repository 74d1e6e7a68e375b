import { servicePrefixes } from '@simcube/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { identifySigner } from './caller.ts';
import { fail } from './failure.ts';
import type { HttpOptions } from './http-options.ts';
import { hasHead, type Route } from './route.ts';

const notFound = () => fail('CB-00-0404');

/**
 * Routes for addresses below the service prefixes that no call has (404), or not with that method (405), so that
 * signed requests to them are counted and logged like other calls.
 */
export const registerUnknownCalls = (
  app: FastifyInstance,
  { access, readiness, requestsPerMinute, routes }: HttpOptions,
): void => {
  const methodsAt = methodsOf(routes);
  const config = { rateLimit: { max: requestsPerMinute, timeWindow: '1 minute' } };
  // Before the body is read: neither its type nor its content matters.
  const preParsing = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!readiness.trouble()) await identifySigner(access, request);
    const allowed = methodsAt(request.url.split('?', 1)[0] ?? '');
    if (allowed.length === 0 || allowed.includes(request.method)) notFound();
    const methods = allowed.join(', ');
    reply.header('allow', methods);
    fail('CB-00-0410', { values: { methods } });
  };
  for (const prefix of servicePrefixes)
    app.all(`${prefix}/*`, { config, schema: { hide: true }, preParsing }, notFound);
};

/** The methods of the calls at an address; the document of all calls is public, so they are no secret. */
const methodsOf = (routes: readonly Route[]) => {
  const calls = routes.map((route) => ({
    path: new RegExp(`^${route.endpoint.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    methods: hasHead(route) ? ['GET', 'HEAD'] : [route.endpoint.method],
  }));
  return (address: string): string[] => [
    ...new Set(calls.filter(({ path }) => path.test(address)).flatMap(({ methods }) => methods)),
  ];
};
