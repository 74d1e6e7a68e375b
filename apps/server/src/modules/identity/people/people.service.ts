import { accountNameSchema } from '@simcube/contract/identity';
import type { Sql } from '../../../platform/db/index.ts';
import { insertUser } from './people.queries.ts';
import { normaliseEmail, problemsOf } from './people.rules.ts';

export interface CreateUserRequest {
  email: string;
  firstName: string;
  lastName: string;
  locale: string;
  password: string;
}

export class EmailTaken extends Error {
  override readonly message = 'Another person has this address already';
}

/**
 * Creates a person; memberships belong to the org module, and the caller writes the audit entry.
 * @returns the id
 * @throws PasswordRefused, EmailTaken; Error if a name or the address is not valid
 */
export const createPeople =
  ({ hash }: { hash: (password: string) => Promise<string> }) =>
  async (tx: Sql, { password, ...person }: CreateUserRequest): Promise<string> => {
    const email = normaliseEmail(person.email);
    const problems = problemsOf({ ...person, email });
    if (problems.length > 0) throw new Error(problems.join('\n'));
    const passwordHash = await hash(password);
    const firstName = accountNameSchema.parse(person.firstName);
    const lastName = accountNameSchema.parse(person.lastName);
    const id = await insertUser(tx, { ...person, firstName, lastName, email, passwordHash });
    if (!id) throw new EmailTaken();
    return id;
  };
