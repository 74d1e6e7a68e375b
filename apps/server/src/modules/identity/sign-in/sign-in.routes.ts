import { endpoints } from '@simcube/contract';
import { type Route, route } from '../../../platform/http/index.ts';
import type { SessionService } from '../sessions/sessions.service.ts';
import type { SignInService } from './sign-in.service.ts';

export const signInRoutes = (deps: { signIn: SignInService; sessions: SessionService }): Route[] => [
  route(endpoints.identity.signIn, ({ body, actor, userAgent }) =>
    deps.signIn.signIn({ ...body, actor, userAgent }),
  ),
  route(endpoints.identity.signOut, async ({ principal, actor }) => {
    await deps.sessions.signOut(principal, actor);
    return null;
  }),
];
