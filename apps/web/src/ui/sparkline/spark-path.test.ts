import { expect, test } from 'vitest';
import { sparkPath } from './spark-path.ts';

const heights = (values: number[]): number[] =>
  [...(sparkPath({ values, width: 75, height: 18 }) ?? '').matchAll(/ ([\d.-]+)/g)].map(([, y]) => Number(y));

test('draws nothing where nothing happened', () => {
  expect(sparkPath({ values: [0, 0, 0], width: 75, height: 18 })).toBeUndefined();
  expect(sparkPath({ values: [5], width: 75, height: 18 })).toBeUndefined();
});

test('keeps calm days in the middle and uses the whole height for wild ones', () => {
  expect(heights([100, 100, 100])).toEqual([9, 9, 9]);
  expect(heights([0, 100])).toEqual([16.5, 1.5]);
  const calm = heights([95, 100]);
  expect(Math.max(...calm) - Math.min(...calm)).toBeLessThan(3);
});
