/** Base 32 (RFC 4648, 6): its digits can't be confused with letters on paper. */
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
const groups = 3;
const perGroup = 5;

/** 75 bits: too many for a brute-force attack on the stored hashes. */
export const recoveryCodeOf = (pick: (below: number) => number): string =>
  Array.from({ length: groups }, () =>
    Array.from({ length: perGroup }, () => alphabet.charAt(pick(alphabet.length))).join(''),
  ).join('-');

/** The normalised code; undefined when it can't be one. */
export const normaliseRecoveryCode = (typed: string): string | undefined => {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '');
  return code.length === groups * perGroup && [...code].every((sign) => alphabet.includes(sign))
    ? code
    : undefined;
};
