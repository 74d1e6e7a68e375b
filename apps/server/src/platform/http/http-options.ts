import type { AccessControl } from '../access/index.ts';
import type { Sql } from '../db/index.ts';
import type { Log } from '../log/index.ts';
import type { Metrics } from '../metrics/index.ts';
import type { CallLog } from './call-log.ts';
import type { Readiness } from './health.ts';
import type { Route } from './route.ts';

export interface HttpOptions {
  /** For the answers that are remembered by their Idempotency-Key. */
  sql: Sql;
  routes: readonly Route[];
  access: AccessControl;
  log: Log;
  metrics: Metrics;
  version: string;
  /** The built console; left out when it has not been built. */
  webDir: string;
  requestsPerMinute: number;
  /** Proxies whose X-Forwarded-For is believed, from the right end: so many, or those of these networks. */
  trustProxy: false | number | string[];
  /** For clients that are slow to say what they want, or to take it; the usual ones when not given. */
  times?: HttpTimes;
  /** Of the process; while the database can't serve, no call is even begun. */
  readiness: Readiness;
  /** Where calls by API keys are logged. */
  callLog?: CallLog;
}

export interface HttpTimes {
  /** For the headers of a request. */
  headersMs: number;
  /** For the body of an anonymous request. */
  strangerBodyMs: number;
  /** For a connection on which nothing moves while a request is in work or its answer is not read. */
  silentMs: number;
}
