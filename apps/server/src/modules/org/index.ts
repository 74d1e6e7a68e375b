import type pg from 'pg';
import type { Clock } from '../../platform/clock/index.ts';
import { createAdmission } from './admission/admission.service.ts';
import { createOrg } from './operator/org.service.ts';
import { orgRoutes } from './org.routes.ts';

export { plainAddress } from './admission/admission.addresses.ts';
export { findPermissions, type Right, stillAllowed } from './admission/admission.service.ts';
export { findChargedQuotas } from './enterprise/enterprise.views.ts';
export {
  deleteMembership,
  endSessionsHere,
  lockMemberships,
  type Membership,
  updateMembership,
} from './memberships/memberships.queries.ts';
export {
  type Elsewhere,
  findRights,
  findWithin,
  isDisabledEverywhere,
  listElsewhere,
  listPartners,
  type MembershipRights,
  nowhereElse,
  visiblePath,
} from './memberships/memberships.views.ts';
export { lockOrganisation } from './memberships/seats.queries.ts';
export { takePlace, takeSeat } from './memberships/seats.service.ts';
export { orgCommands } from './operator/org.cli.ts';
export { countryCodes, unknownCountries } from './tree/countries.rules.ts';
export { insertMembership } from './tree/org.queries.ts';
export type { ChargedQuota } from './tree/sms-quota.rules.ts';

export const orgModule = ({ pool, clock }: { pool: pg.Pool; clock: Clock }) => ({
  routes: orgRoutes({ pool, clock }),
  ...createAdmission({ pool }),
  ...createOrg({ pool }),
});
