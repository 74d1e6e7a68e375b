/** Base 32 without what is mistaken for something else when read from paper (RFC 4648, 6). */
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
const groups = 3;
const perGroup = 5;

/** 75 bits: too many for a brute-force attack on the stored hashes. */
export const recoveryCodeOf = (pick: (below: number) => number): string =>
  Array.from({ length: groups }, () =>
    Array.from({ length: perGroup }, () => alphabet.charAt(pick(alphabet.length))).join(''),
  ).join('-');

/** As it counts, however it is typed; undefined when it can't be one. */
export const normalRecoveryCode = (typed: string): string | undefined => {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '');
  return code.length === groups * perGroup && [...code].every((sign) => alphabet.includes(sign))
    ? code
    : undefined;
};
