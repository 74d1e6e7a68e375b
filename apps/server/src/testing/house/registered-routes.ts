import pg from 'pg';
import { wire } from '../../main/wire.ts';
import { systemClock } from '../../platform/clock/index.ts';
import type { Route } from '../../platform/http/index.ts';
import { createLog } from '../../platform/log/index.ts';
import { createMetrics } from '../../platform/metrics/index.ts';
import { vaultOf } from '../../platform/secrets/index.ts';

/** The routes that the server really registers. A pool connects when it is asked something, which nobody does here. */
export const registeredRoutes = (): readonly Route[] =>
  wire({
    pool: new pg.Pool(),
    clock: systemClock,
    log: createLog({ level: 'silent', format: 'json' }),
    metrics: createMetrics(),
    vault: vaultOf(Buffer.alloc(32)),
    live: { subscribe: async () => () => undefined, endSession: () => undefined },
  }).routes;
