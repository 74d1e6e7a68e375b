import { limits } from '@simcube/contract';
import { passwordSchema } from '@simcube/contract/identity';

/** As it counts, however it was typed; undefined for what is none. */
export const normalPassword = (typed: string): string | undefined => passwordSchema.safeParse(typed).data;

const symbols = '!#$%&*+-=?@^_~';
const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ';
const digits = '23456789';

/**
 * A password as the specification's generator makes it: eleven letters and digits, then one symbol.
 * @param pick a uniform random integer below its argument
 */
export const generatePassword = (pick: (below: number) => number): string => {
  const one = (from: string) => from.charAt(pick(from.length));
  const rest = Array.from({ length: limits.password.generated - 2 }, () => one(letters + digits));
  // The letter and the digit that the rule wants stand first; what is random about the others is enough.
  return [one(letters), one(digits), ...rest, one(symbols)].join('');
};
