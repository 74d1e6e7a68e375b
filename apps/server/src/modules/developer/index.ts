import type pg from 'pg';
import type { Clock } from '../../platform/clock/index.ts';
import type { Log } from '../../platform/log/index.ts';
import type { Metrics } from '../../platform/metrics/index.ts';
import { developerJobs } from './developer.jobs.ts';
import { developerRoutes } from './developer.routes.ts';
import { startCallLog } from './log/log.service.ts';
import { createSignatures } from './signatures/signatures.service.ts';

export { developerCommands } from './developer.cli.ts';

export interface DeveloperOptions {
  pool: pg.Pool;
  clock: Clock;
  publicUrl: () => string;
  /** Modulus length of RSA keys that are generated from now on. */
  apiKeyBits: number;
}

/** API keys of accounts, and the verification of calls signed by them. */
export const developerModule = ({ apiKeyBits, ...options }: DeveloperOptions) => ({
  routes: developerRoutes({ ...options, bits: apiKeyBits }),
  jobs: developerJobs(options),
  ...createSignatures(options),
  /** Logs calls by keys until it is stopped; used by processes that answer calls. */
  startCallLog: (logging: { log: Log; metrics: Metrics }) => startCallLog({ ...options, ...logging }),
});
