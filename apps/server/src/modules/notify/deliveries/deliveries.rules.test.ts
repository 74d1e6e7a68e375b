import { hourMs } from '@simcube/contract/time';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextAttemptAt, pauseAfter, probePause, retryAfterMs } from './deliveries.rules.ts';

const createdAt = new Date('2026-11-21T12:00:00Z');

test('pauses double from five seconds, then are an hour', () => {
  expect([1, 2, 10, 11, 29].map((attempts) => pauseAfter(attempts, 0.5))).toEqual([
    5_000,
    10_000,
    2_560_000,
    hourMs,
    hourMs,
  ]);
  expect([pauseAfter(1, 0), pauseAfter(1, 1)]).toEqual([4_250, 5_750]);
  expect([1, 5, 6].map((failures) => probePause(failures, 0.5))).toEqual([5_000, 5_000, 10_000]);
});

test('a delivery is tried at most thirty times, all within a day, whatever the spread', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 40 }), (spreads) => {
      let now = createdAt;
      let attempts = 1;
      for (const random of spreads) {
        const next = nextAttemptAt({ attempts, createdAt }, { now, random });
        if (!next) break;
        expect(next.getTime()).toBeGreaterThan(now.getTime());
        now = next;
        attempts += 1;
      }
      expect(attempts).toBe(30);
      expect(now.getTime() - createdAt.getTime()).toBeLessThan(24 * hourMs);
    }),
  );
});

test('a receiver may ask for a longer pause, of an hour at most', () => {
  const next = (requestedDelayMs: number) =>
    (nextAttemptAt(
      { attempts: 1, createdAt },
      { now: createdAt, random: 0.5, requestedDelayMs },
    )?.getTime() ?? 0) - createdAt.getTime();
  expect([next(1), next(60_000), next(1e9)]).toEqual([5_000, 60_000, hourMs]);
  expect(retryAfterMs('120', createdAt)).toBe(120_000);
  expect(retryAfterMs('Sat, 21 Nov 2026 12:01:00 GMT', createdAt)).toBe(60_000);
  for (const header of [undefined, '', '-5', 'soon', 'Sat, 21 Nov 2020 12:01:00 GMT'])
    expect(retryAfterMs(header, createdAt)).toBeUndefined();
});
