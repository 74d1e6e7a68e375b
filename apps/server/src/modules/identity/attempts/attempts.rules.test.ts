import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Failures,
  type Policy,
  policies,
  remainingLockMs,
  unexpiredFailures,
  withFailure,
  withoutFailure,
} from './attempts.rules.ts';

const start = new Date('2026-05-01T08:00:00Z');
const later = (ms: number) => new Date(start.getTime() + ms);
const minute = 60_000;
const day = 24 * 60 * minute;

const failed = (policy: Policy, times: number, at = start): Failures => {
  let known: Failures | undefined;
  for (let i = 0; i < times; i += 1) known = withFailure(policy, known, at);
  if (!known) throw new Error('no failure');
  return known;
};

const pauseAfter = (policy: Policy, times: number): number =>
  ((failed(policy, times).lockedUntil?.getTime() ?? start.getTime()) - start.getTime()) / minute;

describe('pauses', () => {
  it('of an address begin with the tenth failure, at one minute, and grow to an hour', () => {
    const { signIn } = policies;
    expect(failed(signIn, 9).lockedUntil).toBeNull();
    const lengths = Array.from({ length: 12 }, (_, i) => pauseAfter(signIn, 10 + i));
    expect(lengths).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60, 60]);
  });

  it('of codes and proofs begin with the fifth failure', () => {
    for (const policy of [policies.secondFactor, policies.reauthentication]) {
      expect([4, 5, 6].map((times) => pauseAfter(policy, times))).toEqual([0, 1, 2]);
    }
  });

  it('of reset tokens stay at one minute, so that the link that lifts other locks remains usable', () => {
    expect([9, 10, 11, 500].map((times) => pauseAfter(policies.resetToken, times))).toEqual([0, 1, 1, 1]);
  });

  it('of a network last until 15 minutes after its first failure', () => {
    const { network } = policies;
    const at = (known: Failures | undefined, ms: number) => withFailure(network, known, later(ms));
    let known = at(undefined, 0);
    for (let i = 1; i < 99; i += 1) known = at(known, 5 * minute);
    expect(known.lockedUntil).toBeNull();
    known = at(known, 14 * minute);
    expect(known.lockedUntil).toEqual(later(15 * minute));
    expect(remainingLockMs(known, later(15 * minute - 1))).toBe(1);
    expect(remainingLockMs(known, later(15 * minute))).toBe(0);
    expect(at(known, 15 * minute)).toMatchObject({ failures: 1, lockedUntil: null });
  });

  it('end on time', () => {
    const tenth = failed(policies.signIn, 10);
    expect(remainingLockMs(tenth, start)).toBe(minute);
    expect(remainingLockMs(tenth, later(minute))).toBe(0);
    expect(remainingLockMs(undefined, start)).toBe(0);
  });
});

const growing = fc.constantFrom<Policy>(policies.signIn, policies.secondFactor, policies.resetToken);

describe('failures', () => {
  it('never shorten a pause while they continue, and expire a day after the last', () => {
    fc.assert(
      fc.property(growing, fc.integer({ min: 1, max: 100_000 }), (policy, failures) => {
        const known = { failures, beganAt: start, lastFailedAt: start, lockedUntil: null };
        const next = withFailure(policy, known, start);
        const after = withFailure(policy, next, start);
        expect((after.lockedUntil ?? start).getTime()).toBeGreaterThanOrEqual(
          (next.lockedUntil ?? start).getTime(),
        );
        expect(unexpiredFailures(policy, known, later(day))).toBeUndefined();
        expect(withFailure(policy, known, later(day - 1)).failures).toBe(failures + 1);
      }),
    );
  });

  it('are restored when an attempt is taken back', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<Policy>(policies.signIn, policies.network),
        fc.integer({ min: 1, max: 200 }),
        (policy, times) => {
          const before = failed(policy, times);
          const after = withoutFailure(policy, withFailure(policy, before, start));
          expect(after.failures).toBe(times);
          expect(remainingLockMs(after, start) > 0).toBe(remainingLockMs(before, start) > 0);
        },
      ),
    );
    expect(withoutFailure(policies.signIn, failed(policies.signIn, 1)).failures).toBe(0);
    const none = { ...failed(policies.signIn, 1), failures: 0 };
    expect(withoutFailure(policies.signIn, none).failures).toBe(0);
    expect(unexpiredFailures(policies.signIn, none, start)).toBeUndefined();
  });
});
