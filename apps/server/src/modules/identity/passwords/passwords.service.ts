import { defaultLanguage, limits } from '@simcube/contract';
import { phrase } from '@simcube/phrases';
import type pg from 'pg';
import type { Actor, SessionPrincipal } from '../../../platform/access/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import type { Mail } from '../../../platform/mail/index.ts';
import { type Attempts, counters } from '../attempts/attempts.service.ts';
import { deleteMailedCode } from '../attempts/mailed-codes.queries.ts';
import { recordPersonAudit } from '../people/people.audit.ts';
import {
  findUser,
  findUserByEmail,
  lockUser,
  type UserRow,
  updatePasswordHash,
} from '../people/people.queries.ts';
import { languageOf, nameOf, normaliseEmail } from '../people/people.rules.ts';
import { endSessionsExcept } from '../sessions/sessions.queries.ts';
import type { SessionService } from '../sessions/sessions.service.ts';
import type { Hasher } from './passwords.hasher.ts';
import { normalisePassword } from './passwords.rules.ts';
import type { Reauthenticate } from './reauthentication.service.ts';
import { invalidateResets } from './resets.queries.ts';
import { unlessBusy } from './unless-busy.ts';

/** The password does not satisfy the specification's rule (section 5), whose text is the message. */
export class PasswordRefused extends Error {
  override readonly message = phrase(defaultLanguage, 'errors.issues.passwordRule', limits.password);
}

export interface PasswordsDeps {
  pool: pg.Pool;
  clock: Clock;
  hasher: Hasher;
  attempts: Attempts;
  sessions: SessionService;
  reauthenticate: Reauthenticate;
  mail: Mail;
}

export type Passwords = ReturnType<typeof createPasswords>;

export const createPasswords = (deps: PasswordsDeps) => {
  const { pool, clock, hasher, attempts, sessions, reauthenticate, mail } = deps;

  /**
   * @param onBusy uncounts the attempt when too many are waiting
   * @throws PasswordRefused; Failure CB-99-0503
   */
  const hash = async (password: string, onBusy?: () => Promise<void>): Promise<string> => {
    const normal = normalisePassword(password);
    if (normal === undefined) throw new PasswordRefused();
    return unlessBusy(hasher.hash(normal), onBusy);
  };

  /**
   * Replaces the password: all sessions end, mailed links and codes become void, the address is unlocked (a
   * lock caused by others must not keep the owner of the new password out), and the person is notified. The
   * counters of the second factor are kept, because setting a password does not prove it.
   * @returns false when the password was changed concurrently
   */
  const replace = async (tx: Sql, user: UserRow, passwordHash: string): Promise<boolean> => {
    const now = clock.now();
    const expected = user.passwordHash;
    if (!(await updatePasswordHash(tx, user.id, { passwordHash, expected }))) return false;
    await endSessionsExcept(tx, null, { userId: user.id, reason: 'password changed', now });
    await invalidateResets(tx, user.id, now);
    const bySignIn = counters.signIn(normaliseEmail(user.email));
    await attempts.clear(tx, [bySignIn]);
    await deleteMailedCode(tx, bySignIn.key);
    await mail.queue(tx, {
      to: user.email,
      language: languageOf(user.locale),
      template: 'password-changed',
      values: { name: nameOf(user) },
    });
    return true;
  };

  return {
    hash,
    replace,

    /**
     * Changes one's own password; the session of the call ends with the others.
     * @throws Failure CB-07-0006, CB-07-0014, CB-07-0031
     */
    async change(request: {
      principal: SessionPrincipal;
      oldPassword: string;
      password: string;
      actor: Actor;
    }): Promise<void> {
      const { principal, oldPassword, password, actor } = request;
      const user = (await findUser(pool, principal.userId)) ?? fail('CB-00-0401');
      await reauthenticate(user, oldPassword, actor.address);
      if (password === oldPassword) fail('CB-07-0031');
      const passwordHash = await hash(password);
      await inTransaction(pool, async (tx) => {
        if (!(await replace(tx, user, passwordHash))) fail('CB-07-0014');
        await recordPersonAudit(tx, { user, actor, at: clock.now() });
      });
      // This process need not wait for its own notifications.
      sessions.forgetPerson(user.id);
    },

    /**
     * Sets a password for a person, as the operator.
     * @returns false when the address is unknown
     * @throws PasswordRefused
     */
    async setFor(request: { email: string; password: string; actor: Actor }): Promise<boolean> {
      const passwordHash = await hash(request.password);
      const found = await findUserByEmail(pool, normaliseEmail(request.email));
      if (!found) return false;
      await inTransaction(pool, async (tx) => {
        const user = (await lockUser(tx, found.id)) ?? fail('CB-00-0404');
        await replace(tx, user, passwordHash);
        const { actor } = request;
        await recordPersonAudit(tx, { user, actor, at: clock.now(), action: 'account.password-reset' });
      });
      sessions.forgetPerson(found.id);
      return true;
    },
  };
};
