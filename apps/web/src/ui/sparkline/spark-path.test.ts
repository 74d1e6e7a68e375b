import { expect, test } from 'vitest';
import { sparkPaths } from './spark-path.ts';

const paths = (values: number[], unfinished = false) =>
  sparkPaths({ values, unfinished, width: 75, height: 18 });
const heights = (values: number[], unfinished = false): number[] =>
  [...(paths(values, unfinished)?.line ?? '').matchAll(/ ([\d.-]+)/g)].map(([, y]) => Number(y));

test('a sparkline of zeros or of a single value is not drawn', () => {
  expect(paths([0, 0, 0])).toBeUndefined();
  expect(paths([5])).toBeUndefined();
  expect(paths([0, 0, 0], true)).toBeUndefined();
});

test('a sparkline centres steady values, and uses its full height for varying ones', () => {
  expect(heights([100, 100, 100])).toEqual([9, 9, 9]);
  expect(heights([0, 100])).toEqual([16.5, 1.5]);
  const calm = heights([95, 100]);
  expect(Math.max(...calm) - Math.min(...calm)).toBeLessThan(3);
});

test('a sparkline continues to an unfinished period, which does not flatten the line', () => {
  expect(paths([50, 100, 0])).toEqual({ line: 'M1.5 9L37.5 1.5L73.5 16.5', soFar: undefined });
  expect(paths([50, 100, 0], true)).toEqual({ line: 'M1.5 16.5L37.5 1.5', soFar: 'M37.5 1.5L73.5 16.5' });
  expect(heights([100, 100, 100, 1], true)).toEqual([9, 9, 9]);
  // Higher than any whole day: the others are scaled down.
  expect(paths([0, 50, 100], true)).toEqual({ line: 'M1.5 16.5L37.5 9', soFar: 'M37.5 9L73.5 1.5' });
});
