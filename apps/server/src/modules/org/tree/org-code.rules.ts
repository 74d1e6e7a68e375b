/** Leaves room for a suffix within the 40 characters of a code. */
const maxBaseLength = 32;

/**
 * A recognisable code for an organisation: the name's letters and digits without accents, in upper case. For a
 * name in another script, the country is used.
 */
export const codeFromName = (name: string, country: string): string => {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return (plain.slice(0, maxBaseLength).replace(/-+$/, '') || `ORG-${country}`).toUpperCase();
};

/** Letters and digits, without those that look alike. */
const suffixCharacters = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const suffixLength = 4;

/** The code with a random suffix; `random` returns an integer below its argument. */
export const withSuffix = (code: string, random: (below: number) => number): string =>
  `${code}-${Array.from({ length: suffixLength }, () => suffixCharacters[random(suffixCharacters.length)]).join('')}`;
