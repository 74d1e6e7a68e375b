import { limits } from '@simcube/contract';

/** Without look-alikes (0 O, 1 l I): passwords are also read out and typed. */
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const digits = '23456789';
const symbols = '!#$%&*+-=?@_';

/** Fills an array with uniform 32-bit integers; the browser's by default, tests pass their own. */
export type RandomSource = (values: Uint32Array<ArrayBuffer>) => unknown;

const browserRandom: RandomSource = (values) => crypto.getRandomValues(values);

/**
 * "An 11-character password plus one symbol" (specification, section 5): letters and digits, at least one of each, then the
 * symbol. All such passwords are equally likely.
 */
export const generatePassword = (random: RandomSource = browserRandom): string => {
  for (;;) {
    const body = Array.from({ length: limits.password.generated }, () => pick(letters + digits, random)).join(
      '',
    );
    // Discarded as a whole: inserting a missing digit would make some passwords more likely.
    if (/[2-9]/.test(body) && /[a-z]/i.test(body)) return body + pick(symbols, random);
  }
};

const range = 2 ** 32;

const pick = (characters: string, random: RandomSource): string => {
  // The last, incomplete multiple in the range would favour the first characters.
  const fair = range - (range % characters.length);
  const drawn = new Uint32Array(1);
  do random(drawn);
  while ((drawn[0] ?? 0) >= fair);
  return characters.charAt((drawn[0] ?? 0) % characters.length);
};
