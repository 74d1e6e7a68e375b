import type { FastifyInstance } from 'fastify';
import type { AccessControl } from '../platform/access/index.ts';
import type { Sql } from '../platform/db/index.ts';
import { createHttpServer, fail, type HttpOptions } from '../platform/http/index.ts';
import { createLog } from '../platform/log/index.ts';
import { createMetrics } from '../platform/metrics/index.ts';
import { documented } from './documented.ts';
import { alwaysReady } from './readiness.ts';

const principal = {
  userId: '00000000-0000-4000-8000-000000000001',
  sessionId: 's',
  sessionBeganAt: new Date(0),
  email: 'a@example.test',
  name: 'A',
};

/** One person whose tokens begin with "good", in one organisation, `mine`. */
const access: AccessControl = {
  authenticate: async (token) => {
    if (token === undefined) return { kind: 'missing' };
    if (token === 'ended' || token === 'expired') return { kind: token };
    return token.startsWith('good') ? { kind: 'ok', principal } : { kind: 'unknown' };
  },
  verify: () => fail('CB-08-0009'),
  resolveOrg: async (_, { tenantId }) =>
    tenantId === 'mine'
      ? { id: 1, code: 'M', tenantId, role: 'user', permissions: { sim: ['read'] } }
      : undefined,
};

const noDatabase: Sql = {
  query: () => {
    throw new Error('This gateway has no database');
  },
};

/** The gateway alone, with a test's own calls. */
export const testGateway = async (options: Pick<HttpOptions, 'routes'> & Partial<HttpOptions>) =>
  documented(
    await createHttpServer({
      sql: noDatabase,
      access,
      log: createLog({ level: 'silent', format: 'json' }),
      metrics: createMetrics(),
      version: '0',
      webDir: '/nonexistent',
      requestsPerMinute: 10_000_000,
      trustProxy: false,
      readiness: alwaysReady,
      ...options,
    }),
    { whole: false },
  );

/** The port of a listening gateway. */
export const portOf = ({ server }: FastifyInstance): number => {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The gateway does not listen');
  return address.port;
};
