/** Whatever people put between numbers, besides blanks: lines, commas, semicolons, tabs, bars, quotes. */
const separators = /[\n\r\v\f\u0085\u2028\u2029,;|\t"'`，；、]+/;
/** One number in groups, as cards and phone books have it: each of them is shorter than any identifier. */
const inGroups = /^\+?\d{1,6}(?:\s+\d{1,6})+$/;
/** As long as phone numbers with their country, and no longer than ICCIDs. */
const wholeNumber = /^\d{11,22}$/;

/** The identifiers of a pasted text, in order, repeats included: the server counts those. */
export const splitIdentifiers = (text: string): string[] =>
  text
    .split(separators)
    .flatMap((part) => numbersOf(part.trim()))
    .map((part) => part.replace(/^\+/, ''))
    .filter((part) => part !== '');

const numbersOf = (part: string): string[] => {
  const digits = part.replaceAll(/\D/g, '');
  return inGroups.test(part) && wholeNumber.test(digits) ? [digits] : part.split(/\s+/);
};
