import type pg from 'pg';
import type { Actor, SessionPrincipal } from '../../../platform/access/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import type { Mail } from '../../../platform/mail/index.ts';
import { type Attempts, type Counter, counters } from '../attempts/attempts.service.ts';
import type { Reauthenticate } from '../passwords/reauthentication.service.ts';
import { recordPersonAudit } from '../people/people.audit.ts';
import { findUser, findUserByEmail, type UserRow } from '../people/people.queries.ts';
import { languageOf, nameOf, normaliseEmail } from '../people/people.rules.ts';
import type { SecondFactor } from './second-factor.service.ts';
import { disableTotp, enableTotp, writePendingSecret } from './two-factor.queries.ts';

export interface TwoFactorDeps {
  pool: pg.Pool;
  clock: Clock;
  mail: Mail;
  attempts: Attempts;
  reauthenticate: Reauthenticate;
  secondFactor: SecondFactor;
}

interface TwoFactorRequest {
  principal: SessionPrincipal;
  password: string;
  code: string;
  actor: Actor;
}

export type TwoFactor = ReturnType<typeof createTwoFactor>;

/** Two-factor sign-in of a person: turned on with a first code, turned off and renewed with password and code. */
export const createTwoFactor = (deps: TwoFactorDeps) => {
  const { pool, clock, mail, attempts, reauthenticate, secondFactor } = deps;

  const getUser = async ({ userId }: SessionPrincipal, expected: 'on' | 'off'): Promise<UserRow> => {
    const user = (await findUser(pool, userId)) ?? fail('CB-00-0401');
    if ((user.totpEnabledAt ? 'on' : 'off') !== expected) fail('CB-07-0025');
    return user;
  };

  /** Counts a guess at a code; if it is correct, forgets the failures together with the effect. */
  const withCode = async <T>(
    { user, actor }: { user: UserRow; actor: Actor },
    verify: () => Promise<(tx: Sql) => Promise<T>>,
  ): Promise<T> => {
    const byPerson = counters.secondFactor(user.id);
    const byNetwork: Counter[] = actor.address ? [counters.network(actor.address)] : [];
    await attempts.begin([byPerson, ...byNetwork]);
    const work = await verify();
    return inTransaction(pool, async (tx) => {
      const result = await work(tx);
      await attempts.clear(tx, [byPerson]);
      await attempts.uncount(tx, byNetwork);
      await recordPersonAudit(tx, { user, actor, at: clock.now() });
      return result;
    });
  };

  /** Requires password and code of a person with two-factor. */
  const withPasswordAndCode = async <T>(
    { principal, password, code, actor }: TwoFactorRequest,
    work: (tx: Sql, user: UserRow) => Promise<T>,
  ): Promise<T> => {
    const user = await getUser(principal, 'on');
    await reauthenticate(user, password, actor.address);
    return withCode({ user, actor }, async () => {
      const factor = await secondFactor.requireFactor(user, code);
      return async (tx) => {
        if (!(await secondFactor.consume(tx, user.id, factor))) fail('CB-07-0010');
        return work(tx, user);
      };
    });
  };

  const queueNotice = (tx: Sql, user: UserRow, state: 'enabled' | 'disabled'): Promise<void> =>
    mail.queue(tx, {
      to: user.email,
      language: languageOf(user.locale),
      template: 'two-factor-changed',
      values: { name: nameOf(user), state },
    });

  return {
    /**
     * Creates a secret that waits for its confirmation.
     * @throws Failure CB-07-0006, CB-07-0014, CB-07-0025
     */
    async begin(request: {
      principal: SessionPrincipal;
      password: string;
      actor: Actor;
    }): Promise<{ secret: string; uri: string }> {
      const user = await getUser(request.principal, 'off');
      await reauthenticate(user, request.password, request.actor.address);
      const { sealed, secret, uri } = secondFactor.make(user.email);
      if (!(await writePendingSecret(pool, user.id, sealed))) fail('CB-07-0025');
      return { secret, uri };
    },

    /**
     * Turns two-factor on.
     * @returns the recovery codes, only this once
     * @throws Failure CB-07-0006, CB-07-0010, CB-07-0025, CB-07-0040
     */
    async confirm({
      principal,
      code,
      actor,
    }: {
      principal: SessionPrincipal;
      code: string;
      actor: Actor;
    }): Promise<string[]> {
      const user = await getUser(principal, 'off');
      const sealed = user.totpSecret ?? fail('CB-07-0025');
      return withCode({ user, actor }, async () => {
        const step = secondFactor.confirm(sealed, code, user.totpLastStep);
        return async (tx) => {
          if (!(await enableTotp(tx, user.id, { sealed, step, now: clock.now() }))) fail('CB-07-0025');
          await queueNotice(tx, user, 'enabled');
          return secondFactor.renewRecoveryCodes(tx, user.id);
        };
      });
    },

    /** @throws Failure CB-07-0006, CB-07-0010, CB-07-0014, CB-07-0025, CB-07-0040 */
    disable: (request: TwoFactorRequest): Promise<void> =>
      withPasswordAndCode(request, async (tx, user) => {
        if (!(await disableTotp(tx, user.id))) fail('CB-07-0025');
        await queueNotice(tx, user, 'disabled');
      }),

    /** @throws Failure CB-07-0006, CB-07-0010, CB-07-0014, CB-07-0025, CB-07-0040 */
    renewRecoveryCodes: (request: TwoFactorRequest): Promise<string[]> =>
      withPasswordAndCode(request, (tx, user) => secondFactor.renewRecoveryCodes(tx, user.id)),

    /**
     * Turns it off, by the operator, for a person who lost phone and recovery codes.
     * @returns whether it was on; undefined when the address is unknown
     */
    async resetFor({ email, actor }: { email: string; actor: Actor }): Promise<boolean | undefined> {
      const user = await findUserByEmail(pool, normaliseEmail(email));
      if (!user) return undefined;
      return inTransaction(pool, async (tx) => {
        if (!(await disableTotp(tx, user.id))) return false;
        await attempts.clear(tx, [counters.secondFactor(user.id)]);
        await queueNotice(tx, user, 'disabled');
        await recordPersonAudit(tx, { user, actor, at: clock.now(), action: 'two-factor.disabled' });
        return true;
      });
    },
  };
};
