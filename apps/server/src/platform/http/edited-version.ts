import { fail } from './failure.ts';

/** @throws Failure CB-00-0409 when the edited version is not the stored one */
export const requireVersion = (stored: { version: number }, edited: number | undefined): void => {
  if (edited !== undefined && edited !== stored.version) fail('CB-00-0409');
};
