import type { PasswordCost } from '../modules/identity/index.ts';

/** The least that argon2 takes: tests sign in by the thousand. What production takes, passwords.hasher.test.ts checks. */
export const leastPasswordCost: PasswordCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };
