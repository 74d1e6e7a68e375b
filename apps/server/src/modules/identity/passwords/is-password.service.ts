import type { Sql } from '../../../platform/db/index.ts';
import { findUserByEmail } from '../people/people.queries.ts';
import { createHasher } from './passwords.hasher.ts';

/** Whether a person who may sign in has this password. */
export const isPassword = async (sql: Sql, email: string, password: string): Promise<boolean> => {
  const user = await findUserByEmail(sql, email);
  return !!user && user.disabledAt === null && (await createHasher().verify(user.passwordHash, password));
};
