import { expect, it } from 'vitest';
import { lazily } from './lazily.ts';

it('what fails to load is loaded again at the next use, and then kept', async () => {
  let loads = 0;
  const towns = lazily(async () => {
    loads += 1;
    if (loads === 1) throw new Error('too many open files');
    return loads;
  });
  await expect(Promise.all([towns(), towns()])).rejects.toThrow('too many open files');
  expect(loads).toBe(1);
  expect(await Promise.all([towns(), towns()])).toEqual([2, 2]);
  expect(await towns()).toBe(2);
});
