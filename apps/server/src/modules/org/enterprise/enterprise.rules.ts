import { allows, isAdmin, type PermissionMap, type Role } from '@simcube/contract';

/** How a caller can access an organisation. */
export type Reach = 'current' | 'below' | 'member';

export interface OrganisationAccess {
  /** The organisation and all above it. */
  lineage: readonly { id: number }[];
  id: number;
  /** The caller's role in it, if a member. */
  ownRole: Role | null;
}

/**
 * The organisations that a caller may see: that of the call, those below it for its admins, and those in which
 * the person is a member. Undefined for any other: for the caller it does not exist.
 */
export const reachOf = (
  organisation: OrganisationAccess,
  current: { id: number; role: Role },
): Reach | undefined => {
  if (organisation.id === current.id) return 'current';
  if (isAdmin(current.role) && organisation.lineage.some(({ id }) => id === current.id)) return 'below';
  return organisation.ownRole ? 'member' : undefined;
};

/** What a caller is in an organisation that they may see. */
export const standingThere = (
  reach: Reach,
  organisation: OrganisationAccess,
  current: { role: Role; permissions: PermissionMap },
): { role: Role; seesAccounts: boolean } => {
  const role = roleThere(reach, organisation, current);
  return {
    role,
    seesAccounts: reach === 'member' ? isAdmin(role) : allows(current.permissions, 'account', 'read'),
  };
};

/** An admin of a higher organisation is an admin in those below; elsewhere the membership's role applies. */
export const roleThere = (reach: Reach, organisation: OrganisationAccess, current: { role: Role }): Role => {
  switch (reach) {
    case 'current':
      return current.role;
    case 'below':
      return organisation.ownRole && isAdmin(organisation.ownRole) ? organisation.ownRole : 'admin';
    case 'member':
      return organisation.ownRole ?? 'user';
  }
};
