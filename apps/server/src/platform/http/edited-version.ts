import { fail } from './failure.ts';

/** @throws Failure CB-00-0409 when a change was made of another version than the one that is stored */
export const requireVersion = (stored: { version: number }, edited: number | undefined): void => {
  if (edited !== undefined && edited !== stored.version) fail('CB-00-0409');
};
