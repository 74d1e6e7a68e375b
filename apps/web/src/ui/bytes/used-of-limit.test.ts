import { expect, test } from 'vitest';
import { unitNextToLimit } from './used-of-limit.ts';

const GB = 1024 ** 3;
const MB = 1024 ** 2;

test.each([
  [4.1 * GB, 5 * GB, 'GB'],
  [0, 5 * GB, 'GB'],
  [28.4 * MB, 8 * GB, 'MB'],
  [512 * MB, 5 * GB, 'GB'],
  [2048 * MB, 1000 * MB, 'MB'],
])('%d and %d are both shown in %s', (used, limit, unit) => {
  expect(unitNextToLimit(used, limit)).toBe(unit);
});
