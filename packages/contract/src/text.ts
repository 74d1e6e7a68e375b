import { z } from 'zod';
import type { IssueKey } from './issues.ts';

/**
 * Texts written by people: names, notes, tags, searches. Each is normalised (NFC; spaces are collapsed and trimmed, except in
 * messages). Texts with control characters, without visible characters, or with broken characters are refused; in searches,
 * control characters are ignored.
 */

/** U+0000, unpaired surrogates, and the replacement character of broken UTF-8 (U+FFFD). */
const broken = /[\0\uFFFD\p{Surrogate}]/u;
const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/gu;
/** Characters that change the direction of text (Unicode TR36, 2.7). */
const direction = /[\u202A-\u202E\u2066-\u2069]/g;
/** Control characters, noncharacters, and characters that change the direction of text. */
const control = /[\p{Control}\p{Noncharacter_Code_Point}\u202A-\u202E\u2066-\u2069]/u;
/** Letters, digits, punctuation and symbols; the blank Braille pattern is a symbol but invisible. */
const visible = /(?!\u2800|\p{Default_Ignorable_Code_Point})[\p{L}\p{N}\p{P}\p{S}]/u;
const blanks = /\p{Zs}+/gu;
/** Text for which folding only converts to lower case. */
const ascii = /^\p{ASCII}*$/u;
const ignorable = /\p{Default_Ignorable_Code_Point}/gu;

/** Whether a text can't be stored or was damaged in transit; checked for every text of every call. */
export const isBrokenText = (text: string): boolean => broken.test(text);

/** The beginning of a text, at most `maxLength` code units; never ends with half a surrogate pair, which could not be stored. */
export const truncate = (text: string, maxLength: number): string =>
  text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '');

/** Removes differences of width and invisible characters from a text, for searching. */
export const normaliseWidth = (text: string): string => text.normalize('NFKC').replaceAll(ignorable, '');

/**
 * Two texts are the same name if their folded forms are equal: width, case and invisible characters are ignored (NFKC and full
 * case folding, via upper case). The database function `folded` is equivalent. The capital ẞ, which is its own upper case, is not
 * the same as ß and SS.
 */
export const folded = (text: string): string =>
  ascii.test(text)
    ? text.toLowerCase()
    : normaliseWidth(text).toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKC');

/** A range in UTF-16 code units: start inclusive, end exclusive. */
export interface TextRange {
  from: number;
  to: number;
}

/** First position of a part in a text, compared as names are; undefined if not found. */
export const findRange = (text: string, part: string): TextRange | undefined => {
  const foldedPart = folded(part);
  const position = folded(text).indexOf(foldedPart);
  if (foldedPart === '' || position < 0) return undefined;
  // Folding may change the number of characters, so the origin of each is tracked.
  const origins: TextRange[] = [];
  let foldedText = '';
  let from = 0;
  for (const character of text) {
    const to = from + character.length;
    const foldedCharacter = folded(character);
    for (let index = 0; index < foldedCharacter.length; index += 1) origins.push({ from, to });
    foldedText += foldedCharacter;
    from = to;
  }
  const [first, last] = [origins[position], origins[position + foldedPart.length - 1]];
  // Characters that fold only in combination (Hangul, separate marks) have no individual positions.
  return foldedText === folded(text) && first && last
    ? { from: first.from, to: last.to }
    : { from: 0, to: text.length };
};

/** Removes duplicates, keeping the first spelling of each text. */
export const uniqueTexts = (texts: readonly string[]): string[] => {
  const seen = new Set<string>();
  return texts.filter((text) => {
    const key = folded(text);
    return !seen.has(key) && seen.add(key);
  });
};

const normaliseLine = (text: string): string => text.normalize('NFC').replaceAll(blanks, ' ').trim();

const normaliseLines = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(lineBreak, '\n')
    .replaceAll('\t', ' ')
    .replaceAll(blanks, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .trim();

/** Keeps all spaces, also at the ends, because they may be part of a command to a device; each becomes a plain space. */
const normaliseMessage = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(lineBreak, '\n')
    .replaceAll('\t', ' ')
    .replaceAll(/\p{Zs}/gu, ' ');

/** The issue of a normalised text, if any; a line break is an issue only where it is not allowed. */
const issueOf = (text: string, lines: boolean): IssueKey | undefined => {
  if (isBrokenText(text)) return 'brokenText';
  if (!lines && new RegExp(lineBreak).test(text)) return 'lineBreak';
  if (control.test(lines ? text.replaceAll('\n', '') : text)) return 'controlCharacter';
  return text === '' || visible.test(text) ? undefined : 'invisibleText';
};

export interface TextLength {
  /** Default 1: the text is required. */
  min?: number;
  max: number;
}

/**
 * What is copied from a table or a dialog often contains tabs, line breaks and direction marks, which can't be seen where it was
 * pasted. Without visible characters, there is nothing to search for.
 */
const normaliseSearch = (text: string): string => {
  const line = normaliseLine(
    text
      .replaceAll(direction, '')
      .replaceAll(lineBreak, ' ')
      .replaceAll(/(?!\0)\p{Control}/gu, ' '),
  );
  return isBrokenText(line) || visible.test(line) ? line : '';
};

const normalisers = {
  line: normaliseLine,
  lines: normaliseLines,
  message: normaliseMessage,
  search: normaliseSearch,
} as const;

const normalisedText = ({ min = 1, max }: TextLength, form: keyof typeof normalisers) =>
  z
    .string()
    .overwrite(normalisers[form])
    .superRefine((text, context) => {
      const message = issueOf(text, form === 'lines' || form === 'message');
      if (message) context.addIssue({ code: 'custom', message });
    })
    .min(min)
    .max(max)
    // Appears in the OpenAPI document, and marks fields with text by people for the tests.
    .meta({ 'x-text': form });

/** A text of one line. */
export const textSchema = (length: TextLength) => normalisedText(length, 'line');

/** A text that may have several lines. */
export const linesSchema = (length: TextLength) => normalisedText(length, 'lines');

/** A text that is sent as typed and may have several lines. */
export const messageSchema = (length: TextLength) => normalisedText(length, 'message');

/** A search text; empty means no search. */
export const searchSchema = (max: number) => normalisedText({ min: 0, max }, 'search');
