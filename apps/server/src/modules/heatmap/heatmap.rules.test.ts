import { dayMs } from '@simcube/contract/time';
import fc from 'fast-check';
import { latLngToCell } from 'h3-js';
import { describe, expect, test } from 'vitest';
import { daysFrom } from '../../platform/clock/business-day.ts';
import { hexagonsOfWorld, indexOf, shapeOf } from '../place/index.ts';
import { completeDays, isWithin, outlineOf, periodBefore, rangesOf, reachOf } from './heatmap.rules.ts';

describe('the previous period', () => {
  test.each([
    ['2026-11-01', '2026-11-22', '2026-10-01', '2026-10-22'],
    ['2026-03-01', '2026-03-31', '2026-02-01', '2026-02-28'],
    ['2028-03-01', '2028-03-30', '2028-02-01', '2028-02-29'],
    ['2026-02-01', '2026-02-28', '2026-01-01', '2026-01-28'],
    ['2026-11-10', '2026-11-10', '2026-11-09', '2026-11-09'],
    ['2026-11-16', '2026-11-22', '2026-11-09', '2026-11-15'],
    ['2026-10-20', '2026-11-02', '2026-10-06', '2026-10-19'],
    ['2026-01-01', '2026-01-05', '2025-12-01', '2025-12-05'],
  ])('of %s to %s is %s to %s', (from, to, first, last) => {
    expect(periodBefore({ from, to })).toEqual({ from: first, to: last });
  });

  test.each([
    ['2026-12-01', '2026-12-03', { from: '2026-12-01', to: '2026-12-02' }],
    ['2026-12-01', '2026-12-31', { from: '2026-12-01', to: '2026-12-02' }],
    ['2026-11-01', '2026-11-30', { from: '2026-11-01', to: '2026-11-30' }],
    ['2026-12-03', '2026-12-03', undefined],
    ['2026-12-04', '2026-12-05', undefined],
  ])('is compared with the days of %s to %s that are over', (from, to, compared) => {
    expect(completeDays({ from, to }, '2026-12-03')).toEqual(compared);
  });

  test('is never longer, and ends before the period begins', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 30 }), (day, length) => {
        const at = (number: number) => new Date(number * dayMs).toISOString().slice(0, 10);
        const period = { from: at(day), to: at(day + length) };
        const before = periodBefore(period);
        expect(before.to < period.from && before.from <= before.to).toBe(true);
        expect(daysFrom(before.from, before.to).length).toBeLessThanOrEqual(length + 1);
      }),
    );
  });
});

const place = fc.record({
  latitude: fc.double({ min: -89, max: 89, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
});

test('the ranges of a box contain the hexagon of every place in it', () => {
  const size = fc.double({ min: 0.5, max: 60, noNaN: true });
  fc.assert(
    fc.property(place, size, fc.integer({ min: 2, max: 5 }), (at, degrees, resolution) => {
      const turned = (longitude: number) => ((((longitude + 180) % 360) + 360) % 360) - 180;
      const box = {
        west: turned(at.longitude - degrees),
        east: turned(at.longitude + degrees),
        south: Math.max(-90, at.latitude - degrees),
        north: Math.min(90, at.latitude + degrees),
      };
      const index = latLngToCell(at.latitude, at.longitude, resolution);
      const bits = 3n * BigInt(15 - resolution);
      const hexagon = Number((BigInt(`0x${index}`) >> bits) & ((1n << BigInt(7 + 3 * resolution)) - 1n));
      const { from, before } = rangesOf(box, resolution);
      expect(from.some((low, place) => low <= hexagon && hexagon < (before[place] ?? 0))).toBe(true);
      expect(isWithin(shapeOf(index).centre, box, reachOf[resolution] ?? 0)).toBe(true);
    }),
  );
});

test('a hexagon is drawn from its centre and two corners, within a twelfth of its size', () => {
  fc.assert(
    fc.property(fc.constantFrom(...hexagonsOfWorld()), (hexagon) => {
      const { centre, corners } = shapeOf(indexOf(hexagon * 512, 4));
      fc.pre(corners.length === 6 && Math.abs(centre.latitude) < 75);
      const [x, y, x1, y1, x2, y2] = outlineOf(centre, corners);
      const drawn = [
        [x1, y1],
        [x2, y2],
        [x2 - x1, y2 - y1],
        [-x1, -y1],
        [-x2, -y2],
        [x1 - x2, y1 - y2],
      ];
      const shrunk = Math.cos((centre.latitude * Math.PI) / 180);
      for (const [index, [dx = 0, dy = 0]] of drawn.entries()) {
        const corner = corners[index] ?? centre;
        const aside =
          ((((corner.longitude * 1000 - x - dx + 180_000) % 360_000) + 360_000) % 360_000) - 180_000;
        const off = Math.hypot(aside * shrunk, corner.latitude * 1000 - y - dy);
        expect(off).toBeLessThan(Math.hypot(x1 * shrunk, y1) / 12 + 2);
      }
    }),
  );
});
