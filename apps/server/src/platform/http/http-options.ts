import type { AccessControl } from '../access/index.ts';
import type { Sql } from '../db/index.ts';
import type { Log } from '../log/index.ts';
import type { Metrics } from '../metrics/index.ts';
import type { CallLog } from './call-log.ts';
import type { Readiness } from './health.ts';
import type { Route } from './route.ts';

export interface HttpOptions {
  /** For the responses stored by their Idempotency-Key. */
  sql: Sql;
  routes: readonly Route[];
  access: AccessControl;
  log: Log;
  metrics: Metrics;
  version: string;
  /** The directory of the built console; omitted if it has not been built. */
  webDir: string;
  requestsPerMinute: number;
  /** Proxies whose X-Forwarded-For is trusted, from the right end: a number of hops, or these networks. */
  trustProxy: false | number | string[];
  /** Time limits for clients that send or read slowly; defaults if not given. */
  times?: HttpTimes;
  /** Readiness of the process; while the database can't serve, calls are refused before they begin. */
  readiness: Readiness;
  /** Log of calls by API keys. */
  callLog?: CallLog;
}

export interface HttpTimes {
  /** For a request's headers. */
  headersMs: number;
  /** For the body of a request without sign-in. */
  anonymousBodyMs: number;
  /** For a connection without traffic while a request is processed or its response is not being read. */
  idleMs: number;
}
