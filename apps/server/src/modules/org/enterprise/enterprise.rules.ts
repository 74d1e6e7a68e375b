import { isAdmin, type Role } from '@simcube/contract';

/** How a caller can access an organisation. */
export type Reach = 'current' | 'below' | 'member';

export interface Seen {
  /** The organisation and all above it. */
  line: readonly { id: number }[];
  id: number;
  /** The caller's role in it, if a member. */
  ownRole: Role | null;
}

/**
 * The organisations that a caller may see: that of the call, those below it for its admins, and those in which
 * the person is a member. Undefined for any other: for the caller it does not exist.
 */
export const reachOf = (seen: Seen, current: { id: number; role: Role }): Reach | undefined => {
  if (seen.id === current.id) return 'current';
  if (isAdmin(current.role) && seen.line.some(({ id }) => id === current.id)) return 'below';
  return seen.ownRole ? 'member' : undefined;
};

/** An admin of a higher organisation is an admin in those below; elsewhere the membership's role applies. */
export const roleThere = (reach: Reach, seen: Seen, current: { role: Role }): Role => {
  switch (reach) {
    case 'current':
      return current.role;
    case 'below':
      return seen.ownRole && isAdmin(seen.ownRole) ? seen.ownRole : 'admin';
    case 'member':
      return seen.ownRole ?? 'user';
  }
};
