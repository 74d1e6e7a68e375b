import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { mailedCodeFrom } from '../attempts/attempts.rules.ts';
import { type Attempts, type Counter, counters } from '../attempts/attempts.service.ts';
import { deleteMailedCode } from '../attempts/mailed-codes.queries.ts';
import type { Hasher } from '../passwords/passwords.hasher.ts';
import { unlessBusy } from '../passwords/unless-busy.ts';
import { findUserByEmail, type UserRow, updatePasswordHash } from '../people/people.queries.ts';
import { normaliseEmail } from '../people/people.rules.ts';
import type { Factor, SecondFactor } from '../two-factor/second-factor.service.ts';
import type { MailedCodes } from './mailed-codes.service.ts';
import { findInvitedHash } from './sign-in.queries.ts';

export interface IdentityRequest {
  email: string;
  password: string;
  code?: string | undefined;
  /** The caller's network address. */
  address: string | null;
  /** This call accepts an invitation, so none has to be accepted first. */
  acceptsInvitation?: boolean;
}

export interface VerifyIdentityDeps {
  pool: pg.Pool;
  clock: Clock;
  hasher: Hasher;
  attempts: Attempts;
  mailedCodes: MailedCodes;
  secondFactor: SecondFactor;
}

/** The state of one attempt. */
interface Attempt extends IdentityRequest {
  /** Counters that were incremented beforehand; the address's first. */
  counted: readonly [Counter, ...Counter[]];
  addressKey: Buffer;
  /** After repeated failures of the address a code is required, and verified before the password. */
  guarded: boolean;
}

/**
 * Proof of identity by password and, where required, a code. Responses and work are the same for an unknown
 * address and for a wrong password or code; whether an account is disabled, invited or has a second factor is
 * revealed only after the correct password.
 */
export const createVerifyIdentity = (deps: VerifyIdentityDeps) => {
  const { pool, clock, hasher, attempts, mailedCodes, secondFactor } = deps;

  /** Counts the attempt; an attempt without the required code guesses nothing, but has a code mailed. */
  const begin = async (request: IdentityRequest): Promise<Attempt> => {
    const email = normaliseEmail(request.email);
    // Apps show codes in two groups.
    const code = request.code?.replaceAll(/\s/g, '');
    const byAddress = counters.signIn(email);
    const counted: Attempt['counted'] = request.address
      ? [byAddress, counters.network(request.address)]
      : [byAddress];
    const addressKey = byAddress.key;
    const guarded = await inTransaction(pool, async (tx) => {
      const previous = await attempts.checkLocks(tx, counted);
      const isGuarded = (previous[0]?.failures ?? 0) >= mailedCodeFrom;
      if (!isGuarded || code) await attempts.count(tx, counted, previous);
      else await mailedCodes.send(tx, { email, addressKey });
      return isGuarded;
    });
    if (guarded && !code) fail('CB-07-0004');
    return { ...request, email, code, counted, addressKey, guarded };
  };

  const uncount = (counted: readonly Counter[]): Promise<void> =>
    inTransaction(pool, (tx) => attempts.uncount(tx, counted));

  /** The code required after repeated failures: the mailed one, or the person's own second factor instead. */
  const verifyGuardCode = async (
    attempt: Attempt,
    user: UserRow | undefined,
  ): Promise<Factor | undefined> => {
    const code = attempt.code ?? '';
    const [{ factor }, isMailed] = await Promise.all([
      secondFactor.verifyCode(user, code),
      mailedCodes.matches(attempt.addressKey, code),
    ]);
    if (user?.totpEnabledAt ? !factor : !isMailed) fail('CB-07-0010');
    return factor;
  };

  /**
   * The response to an invitation's first password is the same whether or not the address has an account: the person who set the
   * password must not learn this by trying it.
   */
  const checkPassword = async (attempt: Attempt, user: UserRow | undefined): Promise<UserRow> => {
    const { email, password, counted, acceptsInvitation = false } = attempt;
    const invitedHash = acceptsInvitation ? undefined : await findInvitedHash(pool, email, clock.now());
    const matches = (stored: string | undefined): Promise<boolean> =>
      unlessBusy(hasher.verify(stored, password), () => uncount(counted));
    const isOwn = await matches(user?.passwordHash);
    const isInvited = !isOwn && invitedHash !== undefined && (await matches(invitedHash));
    if (user && isOwn && !user.disabledAt) return user;
    if (!isOwn && !isInvited) fail('CB-07-0001');
    await uncount(counted);
    return fail(isOwn ? 'CB-07-0007' : 'CB-07-0009');
  };

  /**
   * Guesses at the second factor are counted for the person, separately from those at the password, which is
   * proven.
   */
  const requireSecondFactor = async (attempt: Attempt, user: UserRow): Promise<Factor> => {
    const [byAddress, ...byNetwork] = attempt.counted;
    await uncount([byAddress]);
    if (!attempt.code) {
      await uncount(byNetwork);
      return fail('CB-07-0004');
    }
    await attempts.begin([counters.secondFactor(user.id)]);
    return secondFactor.requireFactor(user, attempt.code);
  };

  return async (request: IdentityRequest): Promise<UserRow> => {
    const attempt = await begin(request);
    const person = await findUserByEmail(pool, attempt.email);
    const guard = attempt.guarded ? await verifyGuardCode(attempt, person) : undefined;
    const user = await checkPassword(attempt, person);
    const factor = guard ?? (user.totpEnabledAt ? await requireSecondFactor(attempt, user) : undefined);
    const newHash = hasher.isOutdated(user.passwordHash)
      ? await unlessBusy(hasher.hash(attempt.password), () => uncount(attempt.counted))
      : undefined;
    const [byAddress, ...byNetwork] = attempt.counted;
    await inTransaction(pool, async (tx) => {
      const wasUnused = factor
        ? await secondFactor.consume(tx, user.id, factor)
        : !attempt.guarded || (await mailedCodes.consume(tx, attempt.addressKey, attempt.code ?? ''));
      if (!wasUnused) fail('CB-07-0010');
      const expected = user.passwordHash;
      if (newHash && !(await updatePasswordHash(tx, user.id, { passwordHash: newHash, expected }))) {
        fail('CB-07-0001');
      }
      await attempts.clear(tx, factor ? [byAddress, counters.secondFactor(user.id)] : [byAddress]);
      await deleteMailedCode(tx, attempt.addressKey);
      await attempts.uncount(tx, byNetwork);
    });
    return newHash ? { ...user, passwordHash: newHash } : user;
  };
};
