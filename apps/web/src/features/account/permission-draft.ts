import { type Action, actions, allows, type PermissionKey, type PermissionMap } from '@simcube/contract';

/** The columns of the matrix; `all` means all of them. */
export const shownActions = actions.filter((action) => action !== 'all');
export type ShownAction = (typeof shownActions)[number];

/** Areas with permissions that were changed on screen but not saved yet. */
export type PermissionDraft = Partial<Record<PermissionKey, readonly ShownAction[]>>;

export const grantedActions = (map: PermissionMap, key: PermissionKey): ShownAction[] =>
  shownActions.filter((action) => allows(map, key, action));

/** The permissions as they would be once the draft is saved. */
export const draftActions = (
  { effective, draft }: { effective: PermissionMap; draft: PermissionDraft },
  key: PermissionKey,
): readonly ShownAction[] => draft[key] ?? grantedActions(effective, key);

/** Turns one permission on or off; an area restored to its original state counts as unchanged. */
export const toggled = (
  { effective, draft }: { effective: PermissionMap; draft: PermissionDraft },
  { key, action }: { key: PermissionKey; action: ShownAction },
): PermissionDraft => {
  const current = draftActions({ effective, draft }, key);
  const next = shownActions.filter((one) =>
    one === action ? !current.includes(one) : current.includes(one),
  );
  const { [key]: _before, ...others } = draft;
  return next.join() === grantedActions(effective, key).join() ? others : { ...others, [key]: next };
};

/** In the server's format. */
export const actionsOf = (granted: readonly ShownAction[]): Action[] =>
  granted.length === shownActions.length ? ['all'] : [...granted];
