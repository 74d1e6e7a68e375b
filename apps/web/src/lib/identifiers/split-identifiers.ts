/** Separators between numbers, in addition to blanks: line breaks, commas, semicolons, tabs, bars, quotes. */
const separators = /[\n\r\v\f\u0085\u2028\u2029,;|\t"'`，；、]+/;
/** One number in groups, as printed on cards and in phone books: each group is shorter than any identifier. */
const inGroups = /^\+?\d{1,6}(?:\s+\d{1,6})+$/;
/** At least as long as phone numbers with a country code, at most as long as ICCIDs. */
const wholeNumber = /^\d{11,22}$/;

/** The identifiers of a pasted text, in order, with duplicates: the server counts those. */
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
