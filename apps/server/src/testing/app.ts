import type { EndpointShape, Envelope, RequestOf, ResponseOf, Role } from '@simcube/contract';
import { headers, limits } from '@simcube/contract';
import type { FastifyInstance } from 'fastify';
import { type Wiring, wire } from '../main/wire.ts';
import { FixedClock } from '../platform/clock/index.ts';
import { createListener, type Database } from '../platform/db/index.ts';
import { createHttpServer, type Readiness, type Route } from '../platform/http/index.ts';
import { startLiveHub } from '../platform/live/index.ts';
import { createLog, type Log } from '../platform/log/index.ts';
import { createMail } from '../platform/mail/index.ts';
import { createMetrics, type Metrics } from '../platform/metrics/index.ts';
import { type Vault, vaultOf } from '../platform/secrets/index.ts';
import { testDatabase } from './database.ts';
import { documented } from './documented.ts';
import { leastPasswordCost } from './password-cost.ts';
import { alwaysReady } from './readiness.ts';

export const testPassword = 'Cube-2026!';
export const testPublicUrl = 'https://console.example.test';

export interface TestApp {
  app: FastifyInstance;
  database: Database;
  wiring: Wiring;
  clock: FixedClock;
  vault: Vault;
  callLog: ReturnType<Wiring['developer']['startCallLog']>;
  metrics: Metrics;
  /** Listens on a port, whose address becomes its public URL. */
  listen(): Promise<string>;
  close(): Promise<void>;
}

export interface TestAppOptions {
  requestsPerMinute?: number;
  log?: Log;
  readiness?: Readiness;
  outboundNetworks?: readonly string[];
  /** Another process of the same installation: database and clock are shared. */
  sameInstallationAs?: Pick<TestApp, 'database' | 'clock'>;
  /** Calls that replace the installation's own. */
  routesOf?: (made: Pick<TestApp, 'wiring' | 'database' | 'clock'>) => Route[];
}

/** The whole server on a separate database, called without a network; its clock stands at 2026-11-21 12:00 UTC. */
export const testApp = async (options: TestAppOptions = {}): Promise<TestApp> => {
  const database = options.sameInstallationAs?.database ?? (await testDatabase());
  const clock = options.sameInstallationAs?.clock ?? new FixedClock('2026-11-21T12:00:00Z');
  const log = options.log ?? createLog({ level: 'silent', format: 'json' });
  const metrics = createMetrics();
  const { pool } = database;
  const listener = createListener(database.url, log);
  const live = await startLiveHub({ pool, listener, log, metrics, replay: limits.liveReplay });
  const vault = vaultOf(Buffer.alloc(32, 7));
  let publicUrl = testPublicUrl;
  const mail = createMail({
    vault,
    clock,
    from: { name: 'SimCube', address: 'simcube@example.test' },
    publicUrl: () => publicUrl,
  });
  const wiring = wire({
    pool,
    clock,
    vault,
    live,
    mail,
    publicUrl: () => publicUrl,
    apiKeyBits: 1024,
    autoflowRules: limits.autoflow.rules,
    outboundNetworks: options.outboundNetworks,
    passwordCost: leastPasswordCost,
  });
  await wiring.identity.listen(listener);
  const callLog = wiring.developer.startCallLog({ log, metrics });
  const server = await createHttpServer({
    sql: pool,
    routes: options.routesOf?.({ wiring, database, clock }) ?? wiring.routes,
    access: wiring.access,
    log,
    metrics,
    version: 'test',
    webDir: '/nonexistent',
    requestsPerMinute: options.requestsPerMinute ?? 100_000,
    trustProxy: false,
    readiness: options.readiness ?? alwaysReady,
    callLog,
  });
  return {
    app: documented(server, { whole: !options.routesOf }),
    database,
    wiring,
    clock,
    vault,
    callLog,
    metrics,
    listen: async () => {
      publicUrl = await server.listen({ host: '127.0.0.1', port: 0 });
      return publicUrl;
    },
    close: async () => {
      await live.stop();
      await server.close();
      await callLog.stop();
      await listener.close();
      if (!options.sameInstallationAs) await database.close();
    },
  };
};

export interface CallOptions {
  headers?: Record<string, string>;
  /** Sent unchanged, for requests that the types forbid. */
  raw?: { query?: string; body?: unknown };
}

export interface TestResponse<T> {
  http: number;
  headers: Record<string, unknown>;
  body: Envelope<T>;
}

/** One person in one organisation, as a client of the server under test. */
export interface TestClient {
  userId: string;
  token: string | undefined;
  orgId: number;
  headers: Record<string, string>;
  call<E extends EndpointShape>(
    endpoint: E,
    request?: Partial<RequestOf<E>>,
    options?: CallOptions,
  ): Promise<TestResponse<ResponseOf<E>>>;
}

/** A caller with these headers. */
export const clientOf = (
  { app }: Pick<TestApp, 'app'>,
  caller: { userId: string; orgId: number; token: string | undefined; headers: Record<string, string> },
): TestClient => ({
  ...caller,
  async call(endpoint, request = {}, { headers: extra = {}, raw } = {}) {
    const parameters = (request.params ?? {}) as Record<string, unknown>;
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(parameters[name] ?? '')),
    );
    const query = raw?.query ?? new URLSearchParams(plainQuery(request.query)).toString();
    const body = raw && 'body' in raw ? raw.body : request.body;
    const response = await app.inject({
      method: endpoint.method,
      url: query ? `${path}?${query}` : path,
      headers: { ...caller.headers, ...extra },
      ...(body !== undefined && { payload: body as object }),
    });
    return { http: response.statusCode, headers: response.headers, body: response.json() };
  },
});

const plainQuery = (query: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries((query ?? {}) as Record<string, unknown>)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, String(value)]),
  );

/** A client without a session. */
export const anonymous = (app: Pick<TestApp, 'app'>): TestClient =>
  clientOf(app, { userId: '', orgId: 0, token: undefined, headers: {} });

let people = 0;

/** Creates a person with the role in the organisation, signed in. */
export const signedInAs = async (
  test: TestApp,
  role: Role,
  org: { id: number; code: string; tenantId: string },
): Promise<TestClient> => {
  people += 1;
  const email = `${role}-${people}@example.test`;
  const userId = await test.wiring.identity.createUser(test.database.pool, {
    email,
    password: testPassword,
    firstName: role,
    lastName: 'Tester',
    locale: 'en-US',
  });
  await test.wiring.org.addMembership(test.database.pool, { userId, orgId: org.id, role, oversight: false });
  const response = await test.app.inject({
    method: 'POST',
    url: '/identity/sso/signin/direct/cube',
    payload: { email, password: testPassword, agreement: true },
  });
  const { data } = response.json<Envelope<{ token: string }>>();
  return clientOf(test, {
    userId,
    orgId: org.id,
    token: data.token,
    headers: {
      authorization: `Bearer ${data.token}`,
      [headers.tenantId]: org.tenantId,
      [headers.partnerCode]: org.code,
    },
  });
};

/** Creates an organisation below the given one, or one without a parent. */
export const makeOrganisation = async (
  test: TestApp,
  { code, parentCode }: { code: string; parentCode?: string },
): Promise<{ id: number; code: string; tenantId: string }> => {
  const made = await test.wiring.org.createOrganisation(test.database.pool, {
    code,
    name: `${code} Limited`,
    country: 'DE',
    parentCode,
  });
  return { id: made.id, code: made.code, tenantId: made.tenantId };
};
