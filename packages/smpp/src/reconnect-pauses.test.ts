import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReconnectPauses } from './reconnect-pauses.ts';

const longest = { random: () => 1 };
const taken = (pauses: ReconnectPauses, count: number) => Array.from({ length: count }, () => pauses.next(0));

describe('pauses before reconnecting', () => {
  it('double up to the maximum', () => {
    const pauses = new ReconnectPauses({ ...longest, reconnectMs: 1_000, maxReconnectMs: 5_000 });
    expect(taken(pauses, 5)).toEqual([1_000, 2_000, 4_000, 5_000, 5_000]);
  });

  it('begin with a second and end with a minute by default', () => {
    expect(taken(new ReconnectPauses(longest), 8)).toEqual([
      ...[1_000, 2_000, 4_000, 8_000, 16_000, 32_000],
      ...[60_000, 60_000],
    ]);
  });

  it('are shortened at random, by up to half', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (share) => {
        const [first = 0, second = 0] = taken(new ReconnectPauses({ random: () => share }), 2);
        expect(first).toBeGreaterThanOrEqual(500);
        expect(first).toBeLessThanOrEqual(1_000);
        expect(second).toBe(2 * first);
      }),
    );
  });

  it('begin again after a connection that lasted longer than the next pause', () => {
    const pauses = new ReconnectPauses(longest);
    taken(pauses, 3);
    expect(pauses.next(8_000)).toBe(8_000);
    expect(pauses.next(16_001)).toBe(1_000);
  });
});
