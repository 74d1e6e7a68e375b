import type { SavedViewAction } from '@simcube/contract/sim';

export interface ViewFacts {
  /** Null: the person who saved it has left, and it belongs to the organisation. */
  ownerId: string | null;
  shared: boolean;
}

export interface Viewer {
  userId: string;
  /** Whether the person administers the organisation: may write its accounts. */
  administers: boolean;
}

/** A view belongs to its owner. Administrators have a few further rights, to tidy up what the organisation shares. */
export const allowedActions = ({ ownerId, shared }: ViewFacts, viewer: Viewer): SavedViewAction[] => {
  const isOwner = ownerId === viewer.userId;
  const keeps = isOwner || (ownerId === null && viewer.administers);
  const withdraws = shared && ownerId !== null && (isOwner || viewer.administers);
  return [
    ...(keeps ? (['change'] as const) : []),
    ...(keeps && !shared ? (['share'] as const) : []),
    ...(withdraws ? (['withdraw'] as const) : []),
    ...(keeps ? (['remove'] as const) : []),
  ];
};
