import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deviceKindNames, deviceKinds } from './device-kinds.ts';
import { hourMs } from './time.ts';
import { capOctets, shareOfDay, shareOfInterval, splitOctets } from './volume.ts';

const kind = fc.constantFrom(...deviceKindNames).map((name) => deviceKinds[name]);
const hour = fc.double({ min: 0, max: 500, noNaN: true });

describe('daily curves', () => {
  it('have 24 hourly values that sum up to one', () => {
    for (const { curve } of Object.values(deviceKinds)) {
      expect(curve).toHaveLength(24);
      for (let day = 0; day < 3; day += 1)
        expect(shareOfDay(curve, day * 24, day * 24 + 24)).toBeCloseTo(1, 9);
    }
    const shares = Object.values(deviceKinds).reduce((sum, { share }) => sum + share, 0);
    expect(shares).toBeCloseTo(1, 9);
  });

  it('are additive and never negative', () => {
    fc.assert(
      fc.property(kind, hour, hour, hour, ({ curve }, ...hours) => {
        const [from = 0, middle = 0, to = 0] = hours.toSorted((left, right) => left - right);
        const parts = shareOfDay(curve, from, middle) + shareOfDay(curve, middle, to);
        expect(parts).toBeCloseTo(shareOfDay(curve, from, to), 9);
        expect(shareOfDay(curve, from, middle)).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 1_000 },
    );
  });

  it('follow the local hour and the weekend', () => {
    const share = (iso: string, utcOffsetHours: number): number => {
      const fromMs = Date.parse(iso);
      return shareOfInterval({ kind: deviceKinds.truck, fromMs, toMs: fromMs + hourMs, utcOffsetHours });
    };
    // A Wednesday and a Saturday; eight in the morning in Shanghai is midnight in UTC.
    expect(share('2025-06-04T00:00:00Z', 8)).toBeCloseTo(share('2025-06-04T08:00:00Z', 0), 9);
    expect(share('2025-06-07T08:00:00Z', 0)).toBeCloseTo(0.35 * share('2025-06-04T08:00:00Z', 0), 9);
  });
});

describe('counters', () => {
  it('are split into gigawords and restored', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger().map(Math.abs), (total) => {
        const { octets, gigawords } = splitOctets(total);
        expect(gigawords * 2 ** 32 + octets).toBe(total);
        expect(octets).toBeLessThan(2 ** 32);
      }),
    );
    expect(splitOctets(2 ** 32 - 1)).toEqual({ octets: 4_294_967_295, gigawords: 0 });
    expect(splitOctets(2 ** 32)).toEqual({ octets: 0, gigawords: 1 });
  });

  it('are capped by a rate, never increased', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(1_000_000), fc.nat(1_000), (octets, rate, seconds) => {
        const capped = capOctets(octets, rate, seconds);
        expect(capped).toBeLessThanOrEqual(Math.min(octets, (rate * seconds) / 8));
        expect(capOctets(octets, undefined, seconds)).toBe(octets);
      }),
    );
  });
});
