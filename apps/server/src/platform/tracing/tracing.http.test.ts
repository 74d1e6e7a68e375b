import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endpoints } from '@simcube/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { makeOrganisation, signedInAs, testApp, testPassword } from '../../testing/app.ts';
import { inTransaction } from '../db/index.ts';
import { createLog } from '../log/index.ts';
import { createOutbound } from '../outbound/index.ts';
import { startTracing, traced } from './index.ts';

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: Record<string, unknown> }[];
  status: { code?: number; message?: string };
}

const log = createLog({ level: 'silent', format: 'json' });
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** A collector that stores what it receives, as OTLP in JSON. */
const startCollector = async () => {
  const bodies: string[] = [];
  const asked: { url: string | undefined; headers: IncomingHttpHeaders }[] = [];
  const server = createServer(async (request, response) => {
    asked.push({ url: request.url, headers: request.headers });
    const body = Buffer.concat(await request.toArray()).toString();
    if (request.url?.endsWith('/v1/traces')) bodies.push(body);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  const spans = (): SentSpan[] =>
    bodies
      .map((body) => JSON.parse(body) as { resourceSpans?: { scopeSpans: { spans: SentSpan[] }[] }[] })
      .flatMap(({ resourceSpans = [] }) => resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans)
      .flatMap(({ spans: found }) => found);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, bodies, spans };
};

const tracingTo = async (endpoint: string, headers: Record<string, string> = {}) => {
  const options = { endpoint, headers, service: 'simcube', version: '1', roles: ['web'], ratio: 1 };
  const tracing = await startTracing(options, log);
  stops.push(tracing.stop);
  return tracing;
};

const attributeOf = ({ attributes }: SentSpan, name: string) =>
  Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0];

describe('traces', () => {
  it('contain a call with its statements, without parameters', async () => {
    const collector = await startCollector();
    const tracing = await tracingTo(`${collector.url}/otlp/`, { authorization: 'Bearer geheim-0' });
    const test = await testApp();
    stops.push(test.close);
    const admin = await signedInAs(test, 'admin', await makeOrganisation(test, { code: 'traced' }));
    await admin.call(endpoints.sim.list, { body: { search: 'geheim-1' } });
    await inTransaction(test.database.pool, (tx) => tx.query('-- Why.\n\nselect 1 as commented'));
    await tracing.stop();

    expect(collector.asked.map(({ url }) => url)).toContain('/otlp/v1/traces');
    expect(collector.asked[0]?.headers.authorization).toBe('Bearer geheim-0');
    const call = collector
      .spans()
      .find((span) => attributeOf(span, 'simcube.endpoint') === endpoints.sim.list.id);
    expect(call).toMatchObject({ name: `POST ${endpoints.sim.list.path}` });
    expect(call && attributeOf(call, 'http.response.status_code')).toBe(200);
    const statements = collector
      .spans()
      .filter(({ traceId, parentSpanId }) => traceId === call?.traceId && parentSpanId === call.spanId);
    expect(statements.length).toBeGreaterThan(0);
    expect(statements.map((span) => attributeOf(span, 'db.query.text')).join()).toContain('from sims');
    const commented = collector
      .spans()
      .find((span) => String(attributeOf(span, 'db.query.text')).includes('commented'));
    expect(commented?.name).toBe('select');
    const sent = collector.bodies.join();
    for (const secret of ['geheim', testPassword, '@example']) expect(sent).not.toContain(secret);
  });

  it('of outbound requests contain only the host, and errors only their type', async () => {
    const collector = await startCollector();
    const tracing = await tracingTo(collector.url);
    const outbound = createOutbound({ allowedNetworks: ['127.0.0.0/8'] });
    const limits = { timeoutMs: 5000, maxBytes: 1000 };
    await traced({ name: 'delivery' }, () =>
      outbound({ url: new URL(`${collector.url}/hooks/geheim?key=geheim`), ...limits }),
    );
    await expect(traced({ name: 'failing' }, () => Promise.reject(new TypeError('geheim')))).rejects.toThrow(
      'geheim',
    );
    await tracing.stop();

    const [request] = collector.spans().filter(({ name }) => name === 'GET');
    const [delivery] = collector.spans().filter(({ name }) => name === 'delivery');
    expect(request?.parentSpanId).toBe(delivery?.spanId);
    expect(request && attributeOf(request, 'server.address')).toBe('127.0.0.1');
    const [failing] = collector.spans().filter(({ name }) => name === 'failing');
    expect(failing?.status).toEqual({ code: 2, message: 'TypeError' });
    expect(collector.bodies.join()).not.toContain('geheim');
  });

  it('stop in time if the collector is unreachable, and work continues', async () => {
    const tracing = await tracingTo('http://127.0.0.1:9');
    await traced({ name: 'lost' }, async () => undefined);
    const begun = performance.now();
    await tracing.stop();
    expect(performance.now() - begun).toBeLessThan(5000);
    expect(await traced({ name: 'none' }, async () => 'worked')).toBe('worked');
  });
});
