import type { Language } from '@simcube/contract';
import type { Profile } from '@simcube/contract/identity';
import type pg from 'pg';
import type { Actor, Principal } from '../../../platform/access/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { changedFields } from '../../audit/index.ts';
import { recordPersonAudit } from '../people/people.audit.ts';
import { lockUser, updatePerson } from '../people/people.queries.ts';
import type { SessionService } from '../sessions/sessions.service.ts';
import { findProfile } from './profile.views.ts';

export interface ProfileUpdate {
  first_name: string;
  last_name: string;
  language: Language;
}

export type ProfileService = ReturnType<typeof createProfile>;

/** One's own name and language. */
export const createProfile = (deps: { pool: pg.Pool; clock: Clock; sessions: SessionService }) => {
  const { pool, clock, sessions } = deps;
  const get = async (sql: Sql, userId: string): Promise<Profile> =>
    (await findProfile(sql, userId)) ?? fail('CB-00-0401');
  return {
    get: ({ userId }: Principal): Promise<Profile> => get(pool, userId),

    async update(
      { userId }: Principal,
      { changes, actor }: { changes: ProfileUpdate; actor: Actor },
    ): Promise<Profile> {
      const profile = await inTransaction(pool, async (tx) => {
        const user = (await lockUser(tx, userId)) ?? fail('CB-00-0401');
        const before = { first_name: user.firstName, last_name: user.lastName, language: user.locale };
        const person = {
          firstName: changes.first_name,
          lastName: changes.last_name,
          locale: changes.language,
        };
        const { first_name, last_name, language } = changes;
        const changed = changedFields<Record<string, string>>(before, { first_name, last_name, language });
        if (changed) {
          await updatePerson(tx, userId, person);
          await recordPersonAudit(tx, {
            user: { id: userId, ...person },
            actor,
            at: clock.now(),
            ...changed,
          });
        }
        return get(tx, userId);
      });
      // Cached sessions contain the person's name.
      sessions.forgetPerson(userId);
      return profile;
    },
  };
};
