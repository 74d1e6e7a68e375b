import type { SavedViewAction } from '@simcube/contract/sim';

export interface ViewFacts {
  /** Null: the person who saved it has left, and it is the organisation's. */
  ownerId: string | null;
  shared: boolean;
}

export interface Viewer {
  userId: string;
  /** Administers the organisation: may write its accounts. */
  administers: boolean;
}

/** A view is its owner's. What administrators may do besides keeps the organisation's tabs in order. */
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
