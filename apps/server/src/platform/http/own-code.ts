import { fail } from './failure.ts';

/**
 * Requires that an organisation in an address is the caller's own, ignoring case; any other counts as unknown.
 * @throws Failure CB-07-0029
 */
export const requireOwnCode = (org: { code: string }, code: string): void => {
  if (org.code.toLowerCase() !== code.toLowerCase()) fail('CB-07-0029');
};
