import type { FastifyInstance } from 'fastify';
import { beginSpan, isTracing, type OpenSpan, SpanKind } from '../tracing/index.ts';

const serverFault = 500;

/**
 * A span for each call, from its headers to its last octet, named by its path in the contract: never with the
 * caller's values.
 */
export const traceCalls = (app: FastifyInstance): void => {
  if (!isTracing()) return;
  const open = new WeakMap<object, OpenSpan>();
  app.addHook('onRequest', (request, _reply, done) => {
    const { endpoint } = request.routeOptions.config;
    const path = endpoint?.path ?? 'other';
    const span = beginSpan({
      name: `${request.method} ${path}`,
      kind: SpanKind.SERVER,
      attributes: {
        'http.request.method': request.method,
        'http.route': path,
        // The trace id that people see for a failed call and that its log lines contain.
        'simcube.trace_id': request.id,
        ...(endpoint && { 'simcube.endpoint': endpoint.id }),
      },
    });
    if (!span) return done();
    open.set(request, span);
    span.within(done);
  });
  app.addHook('onResponse', async (request, { statusCode }) => {
    const span = open.get(request);
    span?.set({ 'http.response.status_code': statusCode });
    span?.end(statusCode >= serverFault ? String(statusCode) : undefined);
  });
};
