import type { ErrorCode } from '@simcube/contract';
import type { MembershipInfo } from '@simcube/contract/identity';
import { Secret, TOTP } from 'otpauth';
import { createAttempts } from '../modules/identity/attempts/attempts.service.ts';
import { identityJobs } from '../modules/identity/identity.jobs.ts';
import {
  createHasher,
  type Hasher,
  type PasswordCost,
} from '../modules/identity/passwords/passwords.hasher.ts';
import { createPasswords } from '../modules/identity/passwords/passwords.service.ts';
import { createReauthenticate } from '../modules/identity/passwords/reauthentication.service.ts';
import { createResets } from '../modules/identity/passwords/resets.service.ts';
import { createPeople } from '../modules/identity/people/people.service.ts';
import { createSessions } from '../modules/identity/sessions/sessions.service.ts';
import { createMailedCodes } from '../modules/identity/sign-in/mailed-codes.service.ts';
import { createSignIn } from '../modules/identity/sign-in/sign-in.service.ts';
import { createVerifyIdentity } from '../modules/identity/sign-in/verify-identity.service.ts';
import { createSecondFactor } from '../modules/identity/two-factor/second-factor.service.ts';
import { createTwoFactor } from '../modules/identity/two-factor/two-factor.service.ts';
import type { Actor, SessionPrincipal } from '../platform/access/index.ts';
import { FixedClock } from '../platform/clock/index.ts';
import { Failure } from '../platform/http/index.ts';
import { createMail } from '../platform/mail/index.ts';
import { vaultOf } from '../platform/secrets/index.ts';
import { testDatabase } from './database.ts';
import { runJobs } from './jobs.ts';
import { takeMails } from './mail.ts';
import { leastPasswordCost } from './password-cost.ts';

export const personPassword = 'right1!';
export const wrongPassword = 'wrong1!';

/** An anonymous caller at a network address. */
export const callerFrom = (address: string): Actor => ({
  kind: 'person',
  id: null,
  name: '',
  address,
  traceId: null,
  action: undefined,
});

/** The services of sign-in on a separate database; they record what they verify and which mails they send. */
export const testIdentity = async ({
  cost = leastPasswordCost,
  hasherLimits = {},
}: {
  cost?: PasswordCost;
  /** Limits of the hasher. */
  hasherLimits?: { running?: number; waiting?: number };
} = {}) => {
  const database = await testDatabase();
  const { pool } = database;
  const clock = new FixedClock('2026-05-01T08:00:00Z');
  const vault = vaultOf(Buffer.alloc(32, 7));
  const from = { name: 'SimCube', address: 'simcube@example.test' };
  const mail = createMail({ vault, clock, from, publicUrl: () => 'https://console.example.test' });
  /** What was verified: the stored hash, or undefined for an unknown address. */
  const verified: (string | undefined)[] = [];
  const realHasher = createHasher({ cost, ...hasherLimits });
  const hasher: Hasher = {
    ...realHasher,
    verify: (stored, given) => {
      verified.push(stored);
      return realHasher.verify(stored, given);
    },
  };
  const dependencies = { pool, clock, vault, mail };
  const sessions = createSessions(dependencies);
  const attempts = createAttempts(dependencies);
  const mailedCodes = createMailedCodes(dependencies);
  const secondFactor = createSecondFactor(dependencies);
  const prove = createVerifyIdentity({ ...dependencies, hasher, attempts, mailedCodes, secondFactor });
  const memberships = new Map<string, MembershipInfo[]>();
  const signIn = createSignIn({
    ...dependencies,
    sessions,
    verifyIdentity: prove,
    memberships: async (userId) => memberships.get(userId) ?? [],
    sharedPools: async () => [],
  });
  const proof = createReauthenticate({ ...dependencies, hasher, attempts });
  const passwords = createPasswords({ ...dependencies, hasher, attempts, sessions, reauthenticate: proof });
  const resets = createResets({ ...dependencies, attempts, sessions, passwords });
  const twoFactor = createTwoFactor({ ...dependencies, attempts, reauthenticate: proof, secondFactor });
  const createUser = createPeople(passwords);
  const jobs = identityJobs({ ...dependencies, mailedCodes, resets });
  let people = 0;

  return {
    database,
    pool,
    clock,
    hasher,
    verified,
    sessions,
    signIn,
    passwords,
    resets,
    twoFactor,
    jobs,
    createUser,
    memberships,
    prove,
    mailedCodes,
    secondFactor,

    async makePerson(): Promise<{ userId: string; email: string; principal: SessionPrincipal }> {
      people += 1;
      const email = `person${people}@example.com`;
      const person = { email, firstName: 'Ana', lastName: 'Li', locale: 'zh-CN' };
      const userId = await createUser(pool, { ...person, password: personPassword });
      const session = { sessionId: '00000000-0000-4000-8000-000000000000', sessionBeganAt: clock.now() };
      const principal = { userId, email, name: 'Ana Li', ...session };
      return { userId, email, principal };
    },

    /** Mails that were sent, after the jobs that decide about them. */
    async mails() {
      await runJobs(database, jobs);
      return takeMails({ database, vault });
    },

    /**
     * Turns on two-factor.
     * @returns codes of the person's app, and the recovery codes
     */
    async enableTwoFactor({ principal }: { principal: SessionPrincipal }) {
      const { secret } = await twoFactor.begin({ principal, password: personPassword, actor });
      const code = (ms = 0) => totpCode(secret, clock.now().getTime() + ms);
      const enabled: Actor = { ...actor, id: principal.userId, action: 'two-factor.enabled' };
      const recoveryCodes = await twoFactor.confirm({ principal, code: code(), actor: enabled });
      return { secret, code, recoveryCodes };
    },
  };
};

const actor = callerFrom('192.0.2.1');

/** What an authenticator app shows. */
export const totpCode = (secret: string, timestamp: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });

/** The error code of an attempt, or `done`. */
export const outcomeOf = (attempt: Promise<unknown>): Promise<ErrorCode | 'done'> =>
  attempt.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof Failure) return error.code;
      throw error;
    },
  );
