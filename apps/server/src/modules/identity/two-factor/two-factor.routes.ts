import { endpoints } from '@simcube/contract';
import { type Route, route } from '../../../platform/http/index.ts';
import type { TwoFactor } from './two-factor.service.ts';

export const twoFactorRoutes = ({ twoFactor }: { twoFactor: TwoFactor }): Route[] => [
  route(endpoints.identity.beginTwoFactor, ({ body, principal, actor }) =>
    twoFactor.begin({ ...body, principal, actor }),
  ),
  route(endpoints.identity.confirmTwoFactor, async ({ body, principal, actor }) => ({
    recovery_codes: await twoFactor.confirm({ ...body, principal, actor }),
  })),
  route(endpoints.identity.disableTwoFactor, async ({ body, principal, actor }) => {
    await twoFactor.disable({ ...body, principal, actor });
    return null;
  }),
  route(endpoints.identity.renewRecoveryCodes, async ({ body, principal, actor }) => ({
    recovery_codes: await twoFactor.renewRecoveryCodes({ ...body, principal, actor }),
  })),
];
