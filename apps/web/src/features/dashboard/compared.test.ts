import { expect, test } from 'vitest';
import { difference, growth } from './compared.ts';

test('growth is a ratio of the figure before', () => {
  expect(growth({ value: 102, compared_with: 100 })).toBeCloseTo(0.02);
  expect(growth({ value: 50, compared_with: 100 })).toBe(-0.5);
});

test('nothing can be compared with nothing', () => {
  expect(growth({ value: 5, compared_with: null })).toBeUndefined();
  expect(growth({ value: 5, compared_with: 0 })).toBeUndefined();
  expect(difference({ value: 5, compared_with: null })).toBeUndefined();
  expect(difference({ value: 5, compared_with: 0 })).toBe(5);
});
