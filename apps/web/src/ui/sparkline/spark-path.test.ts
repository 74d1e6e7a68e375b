import { expect, test } from 'vitest';
import { sparkPaths } from './spark-path.ts';

const paths = (values: number[]) => sparkPaths({ values, width: 75, height: 18 });
const heights = (values: number[]): number[] => {
  const { until = '', last = '' } = paths(values) ?? {};
  return [...(until + last.replace(/^[^L]*/, '')).matchAll(/ ([\d.-]+)/g)].map(([, y]) => Number(y));
};

test('draws nothing where nothing happened', () => {
  expect(paths([0, 0, 0])).toBeUndefined();
  expect(paths([5])).toBeUndefined();
});

test('keeps calm days in the middle and uses the whole height for wild ones', () => {
  expect(heights([100, 100, 100])).toEqual([9, 9, 9]);
  expect(heights([0, 100])).toEqual([16.5, 1.5]);
  const calm = heights([95, 100]);
  expect(Math.max(...calm) - Math.min(...calm)).toBeLessThan(3);
});

test('the way to the last value goes on from the one before', () => {
  expect(paths([50, 100, 0])).toEqual({ until: 'M1.5 9L37.5 1.5', last: 'M37.5 1.5L73.5 16.5' });
});
