import { createHash } from 'node:crypto';
import { type MembershipInfo, permissionsByRole, roles, type SignInResponse } from '@simcube/contract';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { type Hasher, HasherBusy } from '../passwords/passwords.hasher.ts';
import {
  clearFailures,
  countSignIn,
  endSessionsExcept,
  ensureFailures,
  findUserByEmail,
  insertUser,
  lockFailures,
  type UserRow,
  updatePasswordHash,
  writeFailures,
} from '../people/people.queries.ts';
import {
  afterFailure,
  isLocked,
  isPassword,
  languageOf,
  normalEmail,
  problemsOf,
} from '../people/people.rules.ts';
import type { SessionService } from '../sessions/sessions.service.ts';

export interface SignInRequest {
  email: string;
  password: string;
  agreement: boolean;
  address: string | undefined;
}

export interface CreateUserRequest {
  email: string;
  firstName: string;
  lastName: string;
  locale: string;
  password: string;
}

export interface IdentityDeps {
  pool: pg.Pool;
  clock: Clock;
  hasher: Hasher;
  sessions: SessionService;
  /** The organisations of a person, the default one first; the org module answers. */
  memberships: (userId: string) => Promise<MembershipInfo[]>;
}

export type IdentityService = ReturnType<typeof createIdentity>;

/** The password does not satisfy the specification's rule (section 5), whose words these are. */
export class PasswordRefused extends Error {
  override readonly message = 'Password must be 6-12 characters and contain letters, numbers and symbols';
}

/** The person can't be made; the message says why. */
class PersonRefused extends Error {}

export class EmailTaken extends Error {
  override readonly message = 'Somebody has this address already';
}

export const createIdentity = ({ pool, clock, hasher, sessions, memberships }: IdentityDeps) => {
  /**
   * Counts the attempt as a failure before the password is looked at, so that many at once can't all slip in before
   * the first is counted; a success takes it back.
   */
  const reserveAttempt = (addressKey: Buffer): Promise<void> =>
    inTransaction(pool, async (tx) => {
      const now = clock.now();
      await ensureFailures(tx, addressKey, now);
      const known = await lockFailures(tx, addressKey);
      if (isLocked(known, now)) fail('CB-07-0006');
      await writeFailures(tx, addressKey, afterFailure(known, now));
    });

  const verified = async (user: UserRow | undefined, password: string): Promise<UserRow> => {
    try {
      const fits = await hasher.verify(user?.passwordHash, password);
      return fits && user ? user : fail('CB-07-0001');
    } catch (error) {
      if (error instanceof HasherBusy) return fail('CB-99-0503');
      throw error;
    }
  };

  const checkedHash = async (password: string): Promise<string> => {
    if (!isPassword(password)) throw new PasswordRefused();
    return hasher.hash(password);
  };

  return {
    /**
     * Signs a person in. The answer, and the time it takes, is the same for a wrong password and for an address that
     * nobody has; that an account is disabled is told to its owner only.
     * @throws Failure CB-07-0001 to CB-07-0007; CB-99-0503 when too many sign in at once
     */
    async signIn(request: SignInRequest): Promise<SignInResponse> {
      const email = normalEmail(request.email);
      if (!email) fail('CB-07-0002');
      if (!request.password) fail('CB-07-0003');
      if (!request.agreement) fail('CB-07-0005');
      const addressKey = createHash('sha256').update(email).digest();
      await reserveAttempt(addressKey);
      const user = await verified(await findUserByEmail(pool, email), request.password);
      if (user.disabledAt) fail('CB-07-0007');
      const renewed = hasher.isOutdated(user.passwordHash) ? await hasher.hash(request.password) : undefined;
      const { token, loginsCount } = await inTransaction(pool, async (tx) => {
        await clearFailures(tx, addressKey);
        if (renewed) await updatePasswordHash(tx, user.id, renewed);
        return {
          loginsCount: await countSignIn(tx, user.id, clock.now()),
          token: await sessions.begin(tx, { userId: user.id, address: request.address }),
        };
      });
      const rolesInfo = await memberships(user.id);
      return {
        token,
        userId: user.id,
        username: nameOf(user),
        userEmail: user.email,
        lang: languageOf(user.locale),
        loginsCount,
        partnerCode: rolesInfo[0]?.code ?? null,
        tenantId: rolesInfo[0]?.tenantId ?? null,
        rolesInfo,
        permissionsInfo,
        // No organisation can have one before the shared pools are there.
        sharedPool: [],
      };
    },

    /**
     * Makes a person; memberships are the org module's.
     * @returns the id
     * @throws PersonRefused, PasswordRefused, EmailTaken
     */
    async createUser(tx: Sql, { password, ...person }: CreateUserRequest): Promise<string> {
      const email = normalEmail(person.email);
      const problems = problemsOf({ ...person, email });
      if (problems.length > 0) throw new PersonRefused(problems.join('\n'));
      const passwordHash = await checkedHash(password);
      const id = await insertUser(tx, { ...person, email, passwordHash });
      if (!id) throw new EmailTaken();
      return id;
    },

    /**
     * Sets a new password and ends the person's sessions, but the one given.
     * @returns false when nobody has the address
     * @throws PasswordRefused
     */
    async setPassword(request: {
      email: string;
      password: string;
      keptSessionId: string | null;
    }): Promise<boolean> {
      const email = normalEmail(request.email);
      const passwordHash = await checkedHash(request.password);
      return inTransaction(pool, async (tx) => {
        const user = await findUserByEmail(tx, email);
        if (!user) return false;
        await updatePasswordHash(tx, user.id, passwordHash);
        await endSessionsExcept(tx, request.keptSessionId, {
          userId: user.id,
          reason: 'password changed',
          now: clock.now(),
        });
        // A lock that somebody else caused must not keep the owner of the new password out.
        await clearFailures(tx, createHash('sha256').update(email).digest());
        return true;
      });
    },
  };
};

/** The whole map, not only the roles held: a membership that comes later needs no new sign-in. */
const permissionsInfo: SignInResponse['permissionsInfo'] = Object.fromEntries(
  roles.map((role) => [
    role,
    Object.fromEntries(Object.entries(permissionsByRole[role]).map(([key, granted]) => [key, [...granted]])),
  ]),
);

const nameOf = ({ firstName, lastName }: UserRow): string => `${firstName} ${lastName}`.trim();
