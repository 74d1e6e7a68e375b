import { randomBytes, randomInt } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterFailure,
  type Failures,
  failuresKeptMs,
  freeFailures,
  generatePassword,
  isLocked,
  isPassword,
  isTokenForm,
  languageOf,
  normalEmail,
  problemsOf,
  sessionExpired,
  sessionIdleMs,
  sessionMaxMs,
  tokenOf,
  touchEveryMs,
  touchIsDue,
} from './people.rules.ts';

const start = new Date('2026-05-01T08:00:00Z');
const later = (ms: number) => new Date(start.getTime() + ms);
const minute = 60_000;

describe('tokens', () => {
  it('have a form of their own, whatever the random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const token = tokenOf(Buffer.from(bytes));
        expect(token).toMatch(/^scs_/);
        expect(isTokenForm(token)).toBe(true);
      }),
    );
  });

  it('anything else is not taken for one', () => {
    const token = tokenOf(randomBytes(32));
    for (const other of [
      '',
      'scs_',
      token.slice(0, -1),
      `${token}A`,
      `x${token}`,
      `${token}\n`,
      token.slice(4),
    ]) {
      expect(isTokenForm(other), JSON.stringify(other)).toBe(false);
    }
  });
});

describe('sessions', () => {
  it('end after twelve hours without a call and seven days at most', () => {
    expect(sessionIdleMs).toBe(12 * 60 * minute);
    expect(sessionMaxMs).toBe(7 * 24 * 60 * minute);
    const times = { createdAt: start, lastUsedAt: start };
    expect(sessionExpired(times, later(sessionIdleMs - 1))).toBe(false);
    expect(sessionExpired(times, later(sessionIdleMs))).toBe(true);
    const busy = { createdAt: start, lastUsedAt: later(sessionMaxMs - 1) };
    expect(sessionExpired(busy, later(sessionMaxMs - 1))).toBe(false);
    expect(sessionExpired(busy, later(sessionMaxMs))).toBe(true);
  });

  it('never outlive seven days, and once expired stay so, however they are used', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 * sessionIdleMs }), { maxLength: 40 }), (pauses) => {
        let at = 0;
        const times = { createdAt: start, lastUsedAt: start };
        for (const pause of pauses) {
          at += pause;
          if (sessionExpired(times, later(at))) {
            expect(pause >= sessionIdleMs || at >= sessionMaxMs).toBe(true);
            expect(sessionExpired(times, later(at + 1))).toBe(true);
            return;
          }
          expect(at).toBeLessThan(sessionMaxMs);
          times.lastUsedAt = later(at);
        }
      }),
    );
  });

  it('write their last use once a minute', () => {
    const times = { createdAt: start, lastUsedAt: start };
    expect(touchIsDue(times, later(touchEveryMs - 1))).toBe(false);
    expect(touchIsDue(times, later(touchEveryMs))).toBe(true);
  });
});

describe('locks', () => {
  const fail = (times: number, from?: Failures): Failures => {
    let known = from;
    for (let i = 0; i < times; i += 1) known = afterFailure(known, start);
    if (!known) throw new Error('no failure');
    return known;
  };

  it('come with the fifth failure, a minute first', () => {
    expect(fail(freeFailures - 1).lockedUntil).toBeNull();
    const fifth = fail(freeFailures);
    expect(fifth.lockedUntil).toEqual(later(minute));
    expect(isLocked(fifth, later(minute - 1))).toBe(true);
    expect(isLocked(fifth, later(minute))).toBe(false);
    expect(isLocked(undefined, start)).toBe(false);
  });

  it('grow with each failure, to an hour', () => {
    const lengths = Array.from({ length: 12 }, (_, i) => {
      const { lockedUntil } = fail(freeFailures + i);
      return ((lockedUntil?.getTime() ?? 0) - start.getTime()) / minute;
    });
    expect(lengths.slice(0, 7)).toEqual([1, 2, 4, 8, 16, 32, 60]);
    expect(Math.max(...lengths)).toBe(60);
  });

  it('never shrink while failures go on, and are forgotten a day after the last', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), (failures) => {
        const known = { failures, lastFailedAt: start, lockedUntil: null };
        const next = afterFailure(known, start);
        const after = afterFailure(next, start);
        expect((after.lockedUntil ?? start).getTime()).toBeGreaterThanOrEqual(
          (next.lockedUntil ?? start).getTime(),
        );
        expect(afterFailure(known, later(failuresKeptMs)).failures).toBe(1);
        expect(afterFailure(known, later(failuresKeptMs - 1)).failures).toBe(failures + 1);
      }),
    );
  });
});

describe('passwords', () => {
  it('have 6 to 12 characters with a letter, a digit and a symbol', () => {
    for (const good of ['abc12!', 'Пароль1!', 'a1!a1!a1!a1!', 'geheim 1€'])
      expect(isPassword(good), good).toBe(true);
    for (const bad of ['', 'ab12!', 'a1!a1!a1!a1!a', 'abcdef1', 'abcdef!', '123456!', 'abc 123', '!!!!!!']) {
      expect(isPassword(bad), bad).toBe(false);
    }
  });

  it('made up here satisfy the rule: eleven characters and a symbol', () => {
    const seen = new Set(Array.from({ length: 500 }, () => generatePassword((below) => randomInt(below))));
    expect(seen.size).toBe(500);
    for (const password of seen) {
      expect(isPassword(password), password).toBe(true);
      expect(password).toMatch(/^[A-Za-z0-9]{11}[^A-Za-z0-9]$/);
    }
  });

  it('made up here satisfy it whatever is drawn', () => {
    fc.assert(
      fc.property(
        fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
        (stream) => {
          const password = generatePassword((below) => Math.floor((stream.next().value ?? 0) * below));
          expect(isPassword(password), password).toBe(true);
        },
      ),
    );
  });
});

it('a person has an address and names of 1 to 30 characters', () => {
  const good = { email: 'ana@example.com', firstName: 'A', lastName: 'x'.repeat(30) };
  expect(problemsOf(good)).toEqual([]);
  for (const wrong of [
    { email: 'ana' },
    { email: `${'x'.repeat(250)}@example.com` },
    { firstName: '' },
    { lastName: 'x'.repeat(31) },
  ]) {
    expect(problemsOf({ ...good, ...wrong }), JSON.stringify(wrong)).toHaveLength(1);
  }
});

it('addresses are compared trimmed and in lower case', () => {
  expect(normalEmail('  Ana.Li@Example.COM ')).toBe('ana.li@example.com');
});

it('a stored locale that is not offered falls back to the default', () => {
  expect(languageOf('zh-TW')).toBe('zh-TW');
  expect(languageOf('fr-FR')).toBe('en-US');
});
