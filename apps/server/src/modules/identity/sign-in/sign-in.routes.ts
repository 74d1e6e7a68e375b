import { endpoints } from '@simcube/contract';
import { type Route, route } from '../../../platform/http/index.ts';
import type { SessionService } from '../sessions/sessions.service.ts';
import type { IdentityService } from './sign-in.service.ts';

export const identityRoutes = (deps: { identity: IdentityService; sessions: SessionService }): Route[] => [
  route(endpoints.identity.signIn, ({ body, address }) => deps.identity.signIn({ ...body, address })),
  route(endpoints.identity.signOut, async ({ principal }) => {
    await deps.sessions.signOut(principal);
    return null;
  }),
];
