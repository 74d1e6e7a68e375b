import type { Language } from '@simcube/contract';
import type { Sql } from '../../../platform/db/index.ts';

export interface Person {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  locale: Language;
}

/** Locks the person, so that two changes of the same fields tell what each of them found. */
export const lockPerson = async (tx: Sql, userId: string): Promise<Person | undefined> =>
  (
    await tx.query<Person>(
      `select id, email, first_name as "firstName", last_name as "lastName", locale
       from users where id = $1 for no key update`,
      [userId],
    )
  ).rows[0];

export const updatePerson = async (tx: Sql, person: Person): Promise<void> => {
  await tx.query('update users set first_name = $2, last_name = $3, locale = $4 where id = $1', [
    person.id,
    person.firstName,
    person.lastName,
    person.locale,
  ]);
};
