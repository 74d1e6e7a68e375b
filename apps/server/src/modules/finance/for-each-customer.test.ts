import { setImmediate as nextTurn } from 'node:timers/promises';
import type pg from 'pg';
import { expect, it } from 'vitest';
import type { Customer } from './customers.views.ts';
import { forEachCustomer } from './for-each-customer.ts';

const customers = ['A', 'B', 'C', 'D'].map((code) => ({ code }) as Customer);
const poolOf = (max: number) => ({ options: { max } }) as pg.Pool;

it.each([
  [2, 1],
  [3, 1],
  [4, 2],
  [16, 2],
])('with %i connections, %i at a time', async (max, atOnce) => {
  let [now, most] = [0, 0];
  await forEachCustomer(poolOf(max), customers, async () => {
    now += 1;
    most = Math.max(most, now);
    await nextTurn();
    now -= 1;
  });
  expect(most).toBe(atOnce);
});

it('failures do not stop the others, and are thrown at the end, each with its customer', async () => {
  const done: string[] = [];
  const work = async ({ code }: Customer) => {
    if (code === 'B') throw new Error('B-17 is too long');
    if (code === 'D') throw new Error('D 2026-10: not ready');
    done.push(code);
  };
  const failed = forEachCustomer(poolOf(2), customers, work);
  await expect(failed).rejects.toThrow('B: B-17 is too long\nD 2026-10: not ready');
  expect(done).toEqual(['A', 'C']);
});
