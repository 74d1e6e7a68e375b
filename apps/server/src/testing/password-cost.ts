import type { PasswordCost } from '../modules/identity/index.ts';

/**
 * The minimum cost of argon2, because tests sign in thousands of times. passwords.hasher.test.ts checks the
 * production cost.
 */
export const leastPasswordCost: PasswordCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };
