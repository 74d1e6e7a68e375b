import { useSyncExternalStore } from 'react';

/** Why the current organisation can't be used: it requires two-factor sign-in, or does not allow this network. */
export type ClosedReason = 'twoFactor' | 'network';

let closed: ClosedReason | null = null;
const listeners = new Set<() => void>();

const set = (next: ClosedReason | null): void => {
  if (closed === next) return;
  closed = next;
  for (const listener of listeners) listener();
};

/** Every call of the organisation is refused for this reason; one page shows it in place of all their failures. */
export const closeOrganisation = (reason: ClosedReason): void => set(reason);

/** Try again: two-factor sign-in was enabled, another person signed in, or the person asked to. */
export const reopenOrganisation = (): void => set(null);

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useClosedOrganisation = (): ClosedReason | null => useSyncExternalStore(subscribe, () => closed);
