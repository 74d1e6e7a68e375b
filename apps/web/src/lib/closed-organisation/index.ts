import { createStore } from '../store/index.ts';

/** Why the current organisation can't be used: it requires two-factor sign-in, or does not allow this network. */
export type ClosedReason = 'twoFactor' | 'network';

const closed = createStore<ClosedReason | null>(null);

/** Every call of the organisation is refused for this reason; one page shows it in place of all their failures. */
export const closeOrganisation = (reason: ClosedReason): void => closed.set(reason);

/** Try again: two-factor sign-in was enabled, another person signed in, or the person asked to. */
export const reopenOrganisation = (): void => closed.set(null);

export const useClosedOrganisation = closed.use;
