import { isAdmin, type Role } from '@simcube/contract';

/** How a caller gets at an organisation. */
export type Reach = 'current' | 'below' | 'member';

export interface Seen {
  /** It and all above it. */
  line: readonly { id: number }[];
  id: number;
  /** The caller's role in it, when a member. */
  ownRole: Role | null;
}

/**
 * Which organisations a caller may see: the one in whose name the call is, those below it for its admins, and those
 * that the person is a member of. Undefined for any other: for the caller it does not exist.
 */
export const reachOf = (seen: Seen, current: { id: number; role: Role }): Reach | undefined => {
  if (seen.id === current.id) return 'current';
  if (isAdmin(current.role) && seen.line.some(({ id }) => id === current.id)) return 'below';
  return seen.ownRole ? 'member' : undefined;
};

/** An admin above is one below; elsewhere people have the role of their membership. */
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
