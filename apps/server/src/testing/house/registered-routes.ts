import { limits } from '@simcube/contract';
import pg from 'pg';
import { type Wiring, wire } from '../../main/wire.ts';
import { systemClock } from '../../platform/clock/index.ts';
import type { Route } from '../../platform/http/index.ts';
import { vaultOf } from '../../platform/secrets/index.ts';

/** The modules assembled as in the server. A pool connects with its first query, and there is none here. */
export const inertWiring = (): Wiring =>
  wire({
    pool: new pg.Pool(),
    clock: systemClock,
    vault: vaultOf(Buffer.alloc(32)),
    live: { subscribe: async () => () => undefined, endSession: () => undefined },
    mail: { queue: async () => undefined },
    publicUrl: () => '',
    apiKeyBits: 1024,
    autoflowRules: limits.autoflow.rules,
  });

/** The routes that the server registers. */
export const registeredRoutes = (): readonly Route[] => inertWiring().routes;
