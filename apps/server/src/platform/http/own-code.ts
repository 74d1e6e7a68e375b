import { fail } from './failure.ts';

/**
 * An address that names an organisation names the caller's own, in whatever case; any other is unknown to it.
 * @throws Failure CB-07-0029
 */
export const requireOwnCode = (org: { code: string }, code: string): void => {
  if (org.code.toLowerCase() !== code.toLowerCase()) fail('CB-07-0029');
};
