import type pg from 'pg';
import { z } from 'zod';
import type { Clock } from '../../platform/clock/index.ts';
import { defineJob, handlerOf, type JobHandler } from '../../platform/jobs/index.ts';
import { purgeOnce } from './people/people.queries.ts';
import { failuresKeptMs, sessionKeptMs } from './people/people.rules.ts';

const batch = 5000;

/** Forgets sessions long over and failed sign-ins that no longer count. */
const purgeSessions = defineJob({
  name: 'identity.purge-sessions',
  payload: z.object({}),
  maxAttempts: 3,
  timeoutMs: 10 * 60_000,
  cron: '17 * * * *',
});

export const identityJobs = ({ pool, clock }: { pool: pg.Pool; clock: Clock }): JobHandler[] => [
  handlerOf(purgeSessions, async (_payload, { signal }) => {
    const now = clock.now().getTime();
    const before = {
      sessions: new Date(now - sessionKeptMs),
      failures: new Date(now - failuresKeptMs),
      batch,
    };
    while (!signal.aborted && (await purgeOnce(pool, before))) {
      // Each round is a transaction of its own.
    }
  }),
];
