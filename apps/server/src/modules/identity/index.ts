import type { MembershipInfo } from '@simcube/contract/identity';
import type pg from 'pg';
import type { Clock } from '../../platform/clock/index.ts';
import type { Listener } from '../../platform/db/index.ts';
import type { LiveHub } from '../../platform/live/index.ts';
import type { Mail } from '../../platform/mail/index.ts';
import type { Vault } from '../../platform/secrets/index.ts';
import { findPermissions } from '../org/index.ts';
import type { OnPermissionsChanged } from './accounts/account-change.service.ts';
import { accountsRoutes } from './accounts/accounts.routes.ts';
import { createAccounts, type OnLeaving } from './accounts/accounts.service.ts';
import { createPermissions } from './accounts/permissions.service.ts';
import { createAttempts } from './attempts/attempts.service.ts';
import { identityJobs } from './identity.jobs.ts';
import { createAcceptance } from './invitations/acceptance.service.ts';
import { invitationsRoutes } from './invitations/invitations.routes.ts';
import { createInvitations } from './invitations/invitations.service.ts';
import { createHasher, type PasswordCost } from './passwords/passwords.hasher.ts';
import { passwordRoutes } from './passwords/passwords.routes.ts';
import { createPasswords } from './passwords/passwords.service.ts';
import { createReauthenticate } from './passwords/reauthentication.service.ts';
import { createResets } from './passwords/resets.service.ts';
import { createPeople } from './people/people.service.ts';
import { profileRoutes } from './profile/profile.routes.ts';
import { createProfile } from './profile/profile.service.ts';
import { liveRoutes } from './sessions/live.routes.ts';
import { sessionsChannel } from './sessions/sessions.queries.ts';
import { sessionRoutes } from './sessions/sessions.routes.ts';
import { createSessions } from './sessions/sessions.service.ts';
import { createMailedCodes } from './sign-in/mailed-codes.service.ts';
import { signInRoutes } from './sign-in/sign-in.routes.ts';
import { createSignIn } from './sign-in/sign-in.service.ts';
import { createVerifyIdentity } from './sign-in/verify-identity.service.ts';
import { createSecondFactor } from './two-factor/second-factor.service.ts';
import { twoFactorRoutes } from './two-factor/two-factor.routes.ts';
import { createTwoFactor } from './two-factor/two-factor.service.ts';

export { identityCommands } from './identity.cli.ts';
export { isPassword } from './passwords/is-password.service.ts';
export type { PasswordCost } from './passwords/passwords.hasher.ts';
export { findSessionStart } from './sessions/sessions.queries.ts';
export { secondFactorSecrets } from './two-factor/two-factor.queries.ts';

export interface IdentityOptions {
  pool: pg.Pool;
  clock: Clock;
  vault: Vault;
  mail: Mail;
  /** The organisations of a person, the default one first; provided by the org module. */
  memberships: (userId: string) => Promise<MembershipInfo[]>;
  /** Ids of an organisation's shared pools; provided by the pool module. */
  sharedPools: (orgCode: string) => Promise<string[]>;
  live: Pick<LiveHub, 'subscribe' | 'endSession'>;
  /** Called for a person who leaves an organisation. */
  onLeaving: readonly OnLeaving[];
  onPermissionsChanged: readonly OnPermissionsChanged[];
  /** Cost of hashing a password; OWASP's recommendation by default. */
  passwordCost?: PasswordCost | undefined;
}

export const identityModule = ({ live, ...dependencies }: IdentityOptions) => {
  const services = createServices(dependencies);
  const { sessions } = services;
  return {
    routes: [
      ...signInRoutes(services),
      ...passwordRoutes(services),
      ...twoFactorRoutes(services),
      ...profileRoutes(services),
      ...sessionRoutes({ ...dependencies, sessions }),
      ...liveRoutes({
        sessions,
        live,
        permissionsOf: (account) => findPermissions(dependencies.pool, account),
      }),
      ...peopleRoutes(dependencies, services),
    ],
    jobs: identityJobs({ ...dependencies, ...services }),
    authenticate: sessions.authenticate,
    createUser: services.createUser,
    setPassword: services.passwords.setFor,
    resetTwoFactor: services.twoFactor.resetFor,
    /** From then on a session that ends in any process stops in this one immediately; until then nothing is cached. */
    async listen(listener: Listener): Promise<void> {
      await listener.on(sessionsChannel, (sessionId) => {
        sessions.onSessionEnded(sessionId);
        if (sessionId) live.endSession(sessionId);
      });
      sessions.onSessionEnded('');
    },
  };
};

type Dependencies = Omit<IdentityOptions, 'live'>;
type Services = ReturnType<typeof createServices>;

/** The services of identity, each built from the narrower ones below it. */
const createServices = (dependencies: Dependencies) => {
  const hasher = createHasher({ cost: dependencies.passwordCost });
  const sessions = createSessions(dependencies);
  const attempts = createAttempts(dependencies);
  const mailedCodes = createMailedCodes(dependencies);
  const secondFactor = createSecondFactor(dependencies);
  const verifyIdentity = createVerifyIdentity({
    ...dependencies,
    hasher,
    attempts,
    mailedCodes,
    secondFactor,
  });
  const signIn = createSignIn({ ...dependencies, sessions, verifyIdentity });
  const reauthenticate = createReauthenticate({ ...dependencies, hasher, attempts });
  const passwords = createPasswords({ ...dependencies, hasher, attempts, sessions, reauthenticate });
  const resets = createResets({ ...dependencies, attempts, sessions, passwords });
  const twoFactor = createTwoFactor({ ...dependencies, attempts, reauthenticate, secondFactor });
  const profile = createProfile({ ...dependencies, sessions });
  const createUser = createPeople(passwords);
  return {
    attempts,
    sessions,
    mailedCodes,
    verifyIdentity,
    signIn,
    passwords,
    resets,
    twoFactor,
    profile,
    createUser,
  };
};

/** Routes about other people: accounts of organisations, and invitations. */
const peopleRoutes = (
  dependencies: Dependencies,
  { attempts, verifyIdentity, signIn, passwords, resets }: Services,
) => {
  const invitations = createInvitations({ ...dependencies, attempts, hashPassword: passwords.hash });
  const { completeSignIn } = signIn;
  const acceptance = createAcceptance({
    ...dependencies,
    hashPassword: passwords.hash,
    verifyIdentity,
    completeSignIn,
  });
  const accounts = createAccounts({ ...dependencies, sendReset: resets.send });
  const permissions = createPermissions(dependencies);
  return [
    ...accountsRoutes({ ...dependencies, accounts, permissions, invitations }),
    ...invitationsRoutes({ invitations, acceptance }),
  ];
};
