import { dayMs } from '@simcube/contract/time';
import type pg from 'pg';
import type { Clock } from '../../platform/clock/index.ts';
import { defineSchedule, handlerOf, type JobHandler } from '../../platform/jobs/index.ts';
import { failureRetentionMs } from './attempts/attempts.rules.ts';
import { purgeBatch } from './identity.queries.ts';
import { mailResetJob, type Resets } from './passwords/resets.service.ts';
import { sessionRetentionMs } from './sessions/sessions.rules.ts';
import { type MailedCodes, mailCodeJob } from './sign-in/mailed-codes.service.ts';

const batch = 5000;

/** Deletes sessions long ended, failures that no longer count, and expired links and codes. */
const purgeSessions = defineSchedule({
  name: 'identity.purge-sessions',
  maxAttempts: 3,
  timeoutMs: 10 * 60_000,
  cron: '17 * * * *',
});

export interface IdentityJobsDeps {
  pool: pg.Pool;
  clock: Clock;
  mailedCodes: MailedCodes;
  resets: Resets;
}

export const identityJobs = ({ pool, clock, mailedCodes, resets }: IdentityJobsDeps): JobHandler[] => [
  handlerOf(mailCodeJob, (payload) => mailedCodes.deliver(payload)),
  handlerOf(mailResetJob, (payload) => resets.deliver(payload)),
  handlerOf(purgeSessions, async (_payload, { signal }) => {
    const now = clock.now().getTime();
    const before = {
      sessions: new Date(now - sessionRetentionMs),
      failures: new Date(now - failureRetentionMs),
      // Stored a day longer than they are valid, for support requests.
      mailed: new Date(now - dayMs),
      batch,
    };
    while (!signal.aborted && (await purgeBatch(pool, before))) {
      // Each round is a separate transaction.
    }
  }),
];
