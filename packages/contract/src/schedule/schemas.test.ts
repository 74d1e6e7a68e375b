import { describe, expect, it } from 'vitest';
import { scheduleBodySchema, scheduleUpdateBodySchema } from './schemas.ts';

describe('the name', () => {
  it.each([
    ['created', scheduleBodySchema],
    ['edited', scheduleUpdateBodySchema],
  ])('of a scheduled SMS has 1 to 50 characters when it is %s', (_, { shape: { name } }) => {
    const accepts = (length: number) => name.safeParse('n'.repeat(length)).success;
    expect([0, 1, 50, 51].map(accepts)).toEqual([false, true, true, false]);
  });
});
