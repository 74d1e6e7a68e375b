import { expect, test } from 'vitest';
import { cronItemsOf } from '../platform/jobs/index.ts';
import { inertWiring } from '../testing/house/registered-routes.ts';

const wiring = inertWiring();

test('every job of the clock has a pattern that the worker understands and takes an empty payload', () => {
  const timed = wiring.jobs.filter(({ job }) => job.cron !== undefined);
  expect(cronItemsOf(wiring.jobs)).toHaveLength(timed.length);
  for (const { job } of timed) expect(job.payload.safeParse({}).success, job.name).toBe(true);
});

test('jobs and consumers have unique names', () => {
  const jobs = wiring.jobs.map(({ job }) => job.name);
  const consumers = wiring.consumers.map(({ name }) => name);
  expect(new Set(jobs).size).toBe(jobs.length);
  expect(new Set(consumers).size).toBe(consumers.length);
  expect(Math.min(jobs.length, consumers.length)).toBeGreaterThan(0);
});
