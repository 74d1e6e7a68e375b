import { limits } from '@simcube/contract';
import { passwordSchema } from '@simcube/contract/identity';

/** The normalised password; undefined when it is invalid. */
export const normalisePassword = (typed: string): string | undefined => passwordSchema.safeParse(typed).data;

const symbols = '!#$%&*+-=?@^_~';
const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ';
const digits = '23456789';

/**
 * A password in the form of the specification's generator: eleven letters and digits, then one symbol.
 * @param pick a uniform random integer below its argument
 */
export const generatePassword = (pick: (below: number) => number): string => {
  const one = (from: string) => from.charAt(pick(from.length));
  const rest = Array.from({ length: limits.password.generated - 2 }, () => one(letters + digits));
  // The required letter and digit come first; the others are random enough.
  return [one(letters), one(digits), ...rest, one(symbols)].join('');
};
