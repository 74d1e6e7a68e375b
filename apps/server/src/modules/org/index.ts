import { createAdmission } from './admission/admission.service.ts';
import type { RemovalOptions } from './enterprise/enterprise-removal.service.ts';
import { createOrg } from './operator/org.service.ts';
import { orgRoutes } from './org.routes.ts';

export { normaliseAddress } from './admission/admission.addresses.ts';
export {
  findPermissions,
  lockAdmin,
  type RequiredPermission,
  requirePermission,
} from './admission/admission.service.ts';
export { findChargedQuotas } from './enterprise/enterprise.views.ts';
export {
  deleteMembership,
  endSessionsInOrganisation,
  lockMemberships,
  type Membership,
  updateMembership,
} from './memberships/memberships.queries.ts';
export {
  findInSubtree,
  findMembershipPermissions,
  isDisabledEverywhere,
  listOtherMemberships,
  listPartners,
  type MembershipPermissions,
  noOtherMemberships,
  type OtherMemberships,
  visiblePath,
} from './memberships/memberships.views.ts';
export { lockOrganisation } from './memberships/seats.queries.ts';
export { takeMembershipSlot, takeSeat } from './memberships/seats.service.ts';
export { orgCommands } from './operator/org.cli.ts';
export { countryCodes, unknownCountries } from './tree/countries.rules.ts';
export { getOrganisation, insertMembership } from './tree/org.queries.ts';
export { canOversee } from './tree/org.views.ts';
export type { ChargedQuota } from './tree/sms-quota.rules.ts';

export const orgModule = (options: RemovalOptions) => ({
  routes: orgRoutes(options),
  ...createAdmission(options),
  ...createOrg(options),
});
