import fc from 'fast-check';
import { cellToParent, latLngToCell } from 'h3-js';
import { expect, test } from 'vitest';
import { finestResolution, hexagonOf, indexOf } from './hexagon.rules.ts';

const places = fc.record({
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
});

test('a hexagon is that of H3, and its number without the last three bits is its parent', () => {
  fc.assert(
    fc.property(places, fc.integer({ min: 0, max: finestResolution }), (at, resolution) => {
      const finest = latLngToCell(at.latitude, at.longitude, finestResolution);
      const coarser = hexagonOf(at) >> (3 * (finestResolution - resolution));
      expect(indexOf(hexagonOf(at), finestResolution)).toBe(finest);
      expect(indexOf(coarser, resolution)).toBe(cellToParent(finest, resolution));
    }),
  );
});
