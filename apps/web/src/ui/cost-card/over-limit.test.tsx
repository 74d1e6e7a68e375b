import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { OverLimit } from './over-limit.tsx';

const megabyte = 2 ** 20;
const usage = (used: number, zoned: number) => {
  const beyond = Math.max(0, used - zoned - 3);
  return {
    used_bytes: used * megabyte,
    zoned_bytes: zoned * megabyte,
    limit_bytes: 3 * megabyte,
    beyond_bytes: beyond * megabyte,
  };
};

test.each([
  [9, 0, '9 MB used − 3 MB limit = 6 MB beyond it'],
  [9, 1, '9 MB used − 1 MB charged by zone − 3 MB limit = 5 MB beyond it'],
  [2, 0, '2 MB used: within the limit of 3 MB'],
  [4, 2, '4 MB used − 2 MB charged by zone: within the limit of 3 MB'],
])('a pool that used %d MB, of which %d by zone, shows %s', async (used, zoned, text) => {
  renderScreen(<OverLimit usage={usage(used, zoned)} />);
  expect(await screen.findByText(text)).toBeVisible();
});
