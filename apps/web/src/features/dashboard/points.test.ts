import { expect, test } from 'vitest';
import { mayStillChange } from './points.ts';

const of = (...starts: string[]) => starts.map((at) => ({ at, bytes: 1, previous_bytes: null }));
const october = of('2026-09', '2026-10', '2026-11');
const days = of('2026-11-20T16:00:00.000Z', '2026-11-21T16:00:00.000Z', '2026-11-22T16:00:00.000Z');

// October ends at 16:00 UTC of its last day: UTC+8.
test.each([
  ['2026-10-31T15:59:59.000Z', october, [false, true, false]],
  ['2026-10-31T16:00:00.000Z', october, [false, false, false]],
  ['2026-11-21T15:59:59.000Z', days, [true, true, false]],
  ['2026-11-21T16:00:00.000Z', days, [false, true, false]],
])(
  'with usage provisional since %s, periods that ended before are final',
  (provisional_from, points, expected) => {
    expect(points.map((_, index) => mayStillChange({ points, provisional_from }, index))).toEqual(expected);
  },
);
