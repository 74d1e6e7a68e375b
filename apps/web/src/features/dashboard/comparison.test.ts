import { expect, test } from 'vitest';
import { difference, growth } from './comparison.ts';

test('growth is relative to the previous figure', () => {
  expect(growth({ value: 102, compared_with: 100 })).toBeCloseTo(0.02);
  expect(growth({ value: 50, compared_with: 100 })).toBe(-0.5);
});

test('a missing figure can’t be compared', () => {
  expect(growth({ value: 5, compared_with: null })).toBeUndefined();
  expect(growth({ value: 5, compared_with: 0 })).toBeUndefined();
  expect(difference({ value: 5, compared_with: null })).toBeUndefined();
  expect(difference({ value: 5, compared_with: 0 })).toBe(5);
});
