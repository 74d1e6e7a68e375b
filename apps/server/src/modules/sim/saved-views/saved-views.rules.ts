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
  const mayEdit = isOwner || (ownerId === null && viewer.administers);
  const mayWithdraw = shared && ownerId !== null && (isOwner || viewer.administers);
  return [
    ...(mayEdit ? (['change'] as const) : []),
    ...(mayEdit && !shared ? (['share'] as const) : []),
    ...(mayWithdraw ? (['withdraw'] as const) : []),
    ...(mayEdit ? (['remove'] as const) : []),
  ];
};
