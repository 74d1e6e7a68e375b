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
  /** Modulus of the RSA keys that are made from now on. */
  apiKeyBits: number;
}

/** API keys of accounts, and the judgement of calls that are signed by them. */
export const developerModule = ({ apiKeyBits, ...outside }: DeveloperOptions) => ({
  routes: developerRoutes({ ...outside, bits: apiKeyBits }),
  jobs: developerJobs(outside),
  ...createSignatures(outside),
  /** Logs calls by keys until it is stopped; what answers calls does it. */
  startCallLog: (options: { log: Log; metrics: Metrics }) => startCallLog({ ...outside, ...options }),
});
