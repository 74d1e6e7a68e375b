import type pg from 'pg';
import type { Clock } from '../../platform/clock/index.ts';
import { createAdmission } from './admission.service.ts';
import { orgRoutes } from './org.routes.ts';
import { createOrg } from './org.service.ts';

export { plainAddress } from './admission.addresses.ts';
export { type Right, stillAllowed } from './admission.service.ts';
export {
  deleteMembership,
  endSessionsHere,
  hasMember,
  lockMemberships,
  type Membership,
  updateMembership,
} from './memberships/memberships.queries.ts';
export {
  type Elsewhere,
  findRights,
  findWithin,
  isDisabledEverywhere,
  isMember,
  listElsewhere,
  listPartners,
  type MembershipRights,
  nowhereElse,
  visiblePath,
} from './memberships/memberships.views.ts';
export { orgCommands } from './org.cli.ts';
export { insertMembership } from './org.queries.ts';
export { lockOrganisation } from './seats.queries.ts';
export { takePlace, takeSeat } from './seats.service.ts';

export const orgModule = ({ pool, clock }: { pool: pg.Pool; clock: Clock }) => ({
  routes: orgRoutes({ pool, clock }),
  ...createAdmission({ pool }),
  ...createOrg({ pool }),
});
