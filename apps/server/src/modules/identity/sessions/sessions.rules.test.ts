import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  durationsOf,
  isSessionExpired,
  isSessionToken,
  isTouchDue,
  sessionTokenOf,
  touchEveryMs,
} from './sessions.rules.ts';

const start = new Date('2026-05-01T08:00:00Z');
const later = (ms: number) => new Date(start.getTime() + ms);
const minute = 60_000;
const hour = 60 * minute;
const sessionIdleMs = 12 * hour;
const sessionMaxMs = 7 * 24 * hour;
const longest = { idleMs: sessionIdleMs, maxMs: sessionMaxMs };

describe('tokens', () => {
  it('have a form of their own, whatever the random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const token = sessionTokenOf(Buffer.from(bytes));
        expect(token).toMatch(/^scs_/);
        expect(isSessionToken(token)).toBe(true);
      }),
    );
  });

  it('of any other form are rejected', () => {
    const token = sessionTokenOf(randomBytes(32));
    for (const other of [
      '',
      'scs_',
      token.slice(0, -1),
      `${token}A`,
      `x${token}`,
      `${token}\n`,
      token.slice(4),
    ]) {
      expect(isSessionToken(other), JSON.stringify(other)).toBe(false);
    }
  });
});

describe('sessions', () => {
  it('end after twelve hours without a call and seven days at most', () => {
    const times = { createdAt: start, lastUsedAt: start, ...longest };
    expect(isSessionExpired(times, later(sessionIdleMs - 1))).toBe(false);
    expect(isSessionExpired(times, later(sessionIdleMs))).toBe(true);
    const busy = { createdAt: start, lastUsedAt: later(sessionMaxMs - 1), ...longest };
    expect(isSessionExpired(busy, later(sessionMaxMs - 1))).toBe(false);
    expect(isSessionExpired(busy, later(sessionMaxMs))).toBe(true);
  });

  it('never outlive seven days, and once expired stay so, however they are used', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 * sessionIdleMs }), { maxLength: 40 }), (pauses) => {
        let at = 0;
        const times = { createdAt: start, lastUsedAt: start, ...longest };
        for (const pause of pauses) {
          at += pause;
          if (isSessionExpired(times, later(at))) {
            expect(pause >= sessionIdleMs || at >= sessionMaxMs).toBe(true);
            expect(isSessionExpired(times, later(at + 1))).toBe(true);
            return;
          }
          expect(at).toBeLessThan(sessionMaxMs);
          times.lastUsedAt = later(at);
        }
      }),
    );
  });

  it('write their last use once a minute', () => {
    const times = { createdAt: start, lastUsedAt: start, ...longest };
    expect(isTouchDue(times, later(touchEveryMs - 1))).toBe(false);
    expect(isTouchDue(times, later(touchEveryMs))).toBe(true);
  });

  it('are as short as the strictest organisation wants, and never longer than the product allows', () => {
    expect(durationsOf({ idleHours: null, hours: null })).toEqual(longest);
    expect(durationsOf({ idleHours: 2, hours: 24 })).toEqual({ idleMs: 2 * hour, maxMs: 24 * hour });
    expect(durationsOf({ idleHours: 999, hours: 999 })).toEqual(longest);
  });
});
