import type { MembershipInfo } from '@simcube/contract';
import type pg from 'pg';
import type { Clock } from '../../platform/clock/index.ts';
import type { Listener } from '../../platform/db/index.ts';
import type { LiveHub } from '../../platform/live/index.ts';
import { identityJobs } from './identity.jobs.ts';
import { createHasher } from './passwords/passwords.hasher.ts';
import { sessionsChannel } from './people/people.queries.ts';
import { liveRoutes } from './sessions/live.routes.ts';
import { createSessions } from './sessions/sessions.service.ts';
import { identityRoutes } from './sign-in/sign-in.routes.ts';
import { createIdentity } from './sign-in/sign-in.service.ts';

export { userCommands } from './identity.cli.ts';

export interface IdentityOptions {
  pool: pg.Pool;
  clock: Clock;
  /** The organisations of a person, the default one first; the org module answers. */
  memberships: (userId: string) => Promise<MembershipInfo[]>;
  live: Pick<LiveHub, 'subscribe' | 'endSession'>;
}

export const identityModule = ({ pool, clock, memberships, live }: IdentityOptions) => {
  const sessions = createSessions({ pool, clock });
  const identity = createIdentity({ pool, clock, hasher: createHasher(), sessions, memberships });
  return {
    routes: [...identityRoutes({ identity, sessions }), ...liveRoutes({ sessions, live })],
    jobs: identityJobs({ pool, clock }),
    authenticate: sessions.authenticate,
    createUser: identity.createUser,
    setPassword: identity.setPassword,
    /** From then on a session that ends anywhere stops in this process at once; without it nothing is cached. */
    async listen(listener: Listener): Promise<void> {
      await listener.on(sessionsChannel, (sessionId) => {
        sessions.heard(sessionId);
        if (sessionId) live.endSession(sessionId);
      });
      sessions.heard('');
    },
  };
};
