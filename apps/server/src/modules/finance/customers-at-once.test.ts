import { setImmediate as nextTurn } from 'node:timers/promises';
import type pg from 'pg';
import { expect, it } from 'vitest';
import type { Customer } from './customers.views.ts';
import { eachCustomer } from './customers-at-once.ts';

const customers = ['A', 'B', 'C', 'D'].map((code) => ({ code }) as Customer);
const poolOf = (max: number) => ({ options: { max } }) as pg.Pool;

it.each([
  [2, 1],
  [3, 1],
  [4, 2],
  [16, 2],
])('with %i connections, %i at a time', async (max, atOnce) => {
  let [now, most] = [0, 0];
  await eachCustomer(poolOf(max), customers, async () => {
    now += 1;
    most = Math.max(most, now);
    await nextTurn();
    now -= 1;
  });
  expect(most).toBe(atOnce);
});

it('one that fails keeps no other from being done, and is thrown in the end', async () => {
  const done: string[] = [];
  const work = async ({ code }: Customer) => {
    if (code === 'B') throw new Error('B failed');
    done.push(code);
  };
  await expect(eachCustomer(poolOf(16), customers, work)).rejects.toThrow('B failed');
  expect(new Set(done)).toEqual(new Set(['A', 'C', 'D']));
});
