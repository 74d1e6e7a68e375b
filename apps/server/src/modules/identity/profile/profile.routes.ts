import { endpoints } from '@simcube/contract';
import { type Route, route } from '../../../platform/http/index.ts';
import type { ProfileService } from './profile.service.ts';

export const profileRoutes = ({ profile }: { profile: ProfileService }): Route[] => [
  route(endpoints.identity.getProfile, ({ principal }) => profile.get(principal)),
  route(endpoints.identity.updateProfile, ({ body, principal, actor }) =>
    profile.update(principal, { changes: body, actor }),
  ),
];
