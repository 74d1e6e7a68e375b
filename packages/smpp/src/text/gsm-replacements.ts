import { isGsmText } from './gsm-alphabet.ts';

/** GSM text → the typographic characters that it replaces without a change of meaning. */
const typography: readonly (readonly [replacement: string, characters: string])[] = [
  ['"', '\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u301d\u301e\u02ba'],
  ["'", '\u2018\u2019\u201a\u201b\u2032\u0060\u00b4\u02b9\u02bb\u02bc\u02c8\u2035'],
  ['<', '\u2039\u2329\u27e8'],
  ['>', '\u203a\u232a\u27e9'],
  ['-', '\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2043\u2500\u02d7\ufe58'],
  ['*', '\u2022\u2023\u2217\u25cf\u25aa'],
  ['.', '\u00b7\u2024\u2027\u22c5'],
  ['...', '\u2026'],
  ['/', '\u2044\u2215'],
  ['|', '\u00a6\u2223'],
  ['~', '\u02dc\u223c'],
  ['^', '\u02c6'],
  ['x', '\u00d7'],
  [':', '\u2236'],
  ['(c)', '\u00a9'],
  ['(R)', '\u00ae'],
  ['<=', '\u2264'],
  ['>=', '\u2265'],
  ['<-', '\u2190'],
  ['->', '\u2192'],
  [' ', '\t\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000'],
  ['\n', '\u000b\u0085\u2028\u2029'],
  // Invisible characters, including those that only change the direction of text.
  ['', '\u00ad\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\ufeff\ufe0e\ufe0f'],
  ['', '\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069'],
];

/** Letters that Unicode does not decompose. */
const letters: readonly (readonly [replacement: string, characters: string])[] = [
  ['l', 'ł'],
  ['L', 'Ł'],
  ['d', 'đð'],
  ['D', 'ĐÐ'],
  ['h', 'ħ'],
  ['H', 'Ħ'],
  ['i', 'ı'],
  ['oe', 'œ'],
  ['OE', 'Œ'],
  ['th', 'þ'],
  ['Th', 'Þ'],
  ['SS', 'ẞ'],
  // GSM has only the capital.
  ['Ç', 'ç'],
];

export interface GsmReplacement {
  /** GSM text; empty for an invisible character. */
  readonly replacement: string;
  /** `same`: only typography changes; `similar`: a letter loses its accent or shape, which may change a word. */
  readonly meaning: 'same' | 'similar';
}

const replacements = new Map<string, GsmReplacement>([
  ...typography.flatMap(([replacement, characters]) =>
    [...characters].map((character): [string, GsmReplacement] => [
      character,
      { replacement, meaning: 'same' },
    ]),
  ),
  ...letters.flatMap(([replacement, characters]) =>
    [...characters].map((character): [string, GsmReplacement] => [
      character,
      { replacement, meaning: 'similar' },
    ]),
  ),
]);

/** The GSM 7-bit replacement for a character that it lacks; `undefined` if there is none. */
export function gsmReplacement(character: string): GsmReplacement | undefined {
  const known = replacements.get(character);
  if (known !== undefined) return known;
  // Removes accents and compatibility forms such as fullwidth, ligatures and superscripts (UAX #15).
  const plain = character.normalize('NFKD').replace(/\p{Mn}/gu, '');
  if (plain !== character && isGsmText(plain)) return { replacement: plain, meaning: 'similar' };
  return undefined;
}

/**
 * Applies all available replacements to a text; `same` applies only those that do not change words. Combining accents are
 * composed with their letters first, so that é stays é.
 */
export function replaceWithGsm(text: string, meaning: 'same' | 'similar' = 'similar'): string {
  let replaced = '';
  for (const character of text.normalize('NFC')) {
    const found = isGsmText(character) ? undefined : gsmReplacement(character);
    const isApplied = found !== undefined && (meaning === 'similar' || found.meaning === 'same');
    replaced += isApplied ? found.replacement : character;
  }
  return replaced;
}
