import pg from 'pg';
import { expect, test } from 'vitest';
import { systemClock } from '../platform/clock/index.ts';
import { cronItemsOf } from '../platform/jobs/index.ts';
import { createLog } from '../platform/log/index.ts';
import { createMetrics } from '../platform/metrics/index.ts';
import { vaultOf } from '../platform/secrets/index.ts';
import { wire } from './wire.ts';

// A pool connects when it is first asked: putting the modules together asks nothing.
const wiring = wire({
  pool: new pg.Pool(),
  clock: systemClock,
  log: createLog({ level: 'silent', format: 'json' }),
  metrics: createMetrics(),
  vault: vaultOf(Buffer.alloc(32)),
  live: { subscribe: async () => () => undefined, endSession: () => undefined },
});

test('every job of the clock has a pattern that the worker understands and takes an empty payload', () => {
  const timed = wiring.jobs.filter(({ job }) => job.cron !== undefined);
  expect(cronItemsOf(wiring.jobs)).toHaveLength(timed.length);
  for (const { job } of timed) expect(job.payload.safeParse({}).success, job.name).toBe(true);
});

test('jobs and consumers are told apart by their names', () => {
  const jobs = wiring.jobs.map(({ job }) => job.name);
  const consumers = wiring.consumers.map(({ name }) => name);
  expect(new Set(jobs).size).toBe(jobs.length);
  expect(new Set(consumers).size).toBe(consumers.length);
  expect(Math.min(jobs.length, consumers.length)).toBeGreaterThan(0);
});
