import { endpoints } from '@simcube/contract';
import { type Route, route } from '../../platform/http/index.ts';
import type { IdentityService } from './identity.service.ts';
import type { SessionService } from './sessions.service.ts';

export const identityRoutes = (deps: { identity: IdentityService; sessions: SessionService }): Route[] => [
  route(endpoints.identity.signIn, ({ body, address }) => deps.identity.signIn({ ...body, address })),
  route(endpoints.identity.signOut, async ({ principal }) => {
    await deps.sessions.signOut(principal);
    return null;
  }),
];
