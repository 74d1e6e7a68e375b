import { describe, expect, it } from 'vitest';
import { apiKeyBodySchema } from './schemas.ts';

describe('the name', () => {
  it('of an API key is optional, with 1 to 60 characters', () => {
    const accepts = (name?: string) => apiKeyBodySchema.safeParse({ name }).success;
    expect(accepts()).toBe(true);
    expect([0, 1, 60, 61].map((length) => accepts('n'.repeat(length)))).toEqual([false, true, true, false]);
  });
});
