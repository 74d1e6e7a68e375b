import { expect, test } from 'vitest';
import { dayRanges } from './zones.ts';

test.each([
  [[1, 2, 3, 4, 5, 6, 7], [[1, 7]]],
  [
    [1, 2, 3, 5],
    [
      [1, 3],
      [5, 5],
    ],
  ],
  [
    [2, 3, 6, 7],
    [
      [2, 2],
      [3, 3],
      [6, 6],
      [7, 7],
    ],
  ],
  [[], []],
])('days %j are shown as %j', (days, spans) => {
  expect(dayRanges(days)).toEqual(spans);
});
