import type pg from 'pg';
import { inTransaction } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { type Attempts, type Counter, counters } from '../attempts/attempts.service.ts';
import type { UserRow } from '../people/people.queries.ts';
import type { Hasher } from './passwords.hasher.ts';
import { unlessBusy } from './unless-busy.ts';

export type Reauthenticate = ReturnType<typeof createReauthenticate>;

/**
 * Requests the password again in a session, before anything that a stolen session must not do.
 * @throws Failure CB-07-0014 when it is wrong, CB-07-0006 after too many
 */
export const createReauthenticate =
  ({ pool, hasher, attempts }: { pool: pg.Pool; hasher: Hasher; attempts: Attempts }) =>
  async (user: UserRow, password: string, address: string | null): Promise<void> => {
    const byPerson = counters.reauthentication(user.id);
    const byNetwork: Counter[] = address ? [counters.network(address)] : [];
    await attempts.begin([byPerson, ...byNetwork]);
    const uncount = () => inTransaction(pool, (tx) => attempts.uncount(tx, [byPerson, ...byNetwork]));
    if (!(await unlessBusy(hasher.verify(user.passwordHash, password), uncount))) fail('CB-07-0014');
    await inTransaction(pool, async (tx) => {
      await attempts.clear(tx, [byPerson]);
      await attempts.uncount(tx, byNetwork);
    });
  };
