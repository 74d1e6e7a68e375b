/** Leaves room for a suffix within the 40 characters of a code. */
const longestBase = 32;

/**
 * A code that people recognise the organisation by: the name's letters and digits without accents, upper case. A name
 * of another script has none; its country stands for it.
 */
export const codeFromName = (name: string, country: string): string => {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return (plain.slice(0, longestBase).replace(/-+$/, '') || `ORG-${country}`).toUpperCase();
};

/** Without letters and digits that look alike. */
const suffixSigns = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const suffixLength = 4;

/** The same code with something that makes it another one; `random` gives a whole number below its argument. */
export const withSuffix = (code: string, random: (below: number) => number): string =>
  `${code}-${Array.from({ length: suffixLength }, () => suffixSigns[random(suffixSigns.length)]).join('')}`;
