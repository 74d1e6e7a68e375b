/** Whatever people put between numbers: lines, commas, semicolons, tabs, bars, quotes. */
const separators = /[\s,;|"'`，；、]+/;

/** The identifiers of a pasted text, in order, repeats included: the server counts those. */
export const splitIdentifiers = (text: string): string[] =>
  text
    .split(separators)
    .map((part) => part.replace(/^\+/, ''))
    .filter((part) => part !== '');
