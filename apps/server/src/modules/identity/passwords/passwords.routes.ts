import { endpoints, headers } from '@simcube/contract';
import { type Route, route } from '../../../platform/http/index.ts';
import type { Passwords } from './passwords.service.ts';
import type { Resets } from './resets.service.ts';

export const passwordRoutes = (deps: { passwords: Passwords; resets: Resets }): Route[] => [
  route(endpoints.identity.sendPasswordReset, async (call) => {
    await deps.resets.request({ email: call.headers[headers.email], actor: call.actor });
    return null;
  }),
  route(endpoints.identity.resetPassword, async ({ body, actor, ...call }) => {
    await deps.resets.reset({ ...body, email: call.headers[headers.email], actor });
    return null;
  }),
  route(endpoints.identity.changePassword, async ({ body, principal, actor }) => {
    await deps.passwords.change({ ...body, principal, actor });
    return null;
  }),
];
