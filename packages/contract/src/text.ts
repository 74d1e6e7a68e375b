import { z } from 'zod';
import type { IssueKey } from './issues.ts';

/**
 * Texts that people write: names, notes, tags, searches. Each is normalised (NFC; blanks collapsed and ends trimmed, but for
 * messages) and refused where it holds what is never intended: control characters, nothing visible, halves of characters.
 */

/** U+0000, halves of surrogate pairs, and what is left of broken UTF-8 (U+FFFD). */
const broken = /[\0\uFFFD\p{Surrogate}]/u;
const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/gu;
/** Besides control characters and what is no character, those that turn the direction of a text (Unicode TR36, 2.7). */
const control = /[\p{Control}\p{Noncharacter_Code_Point}\u202A-\u202E\u2066-\u2069]/u;
/** Letters, digits, punctuation and symbols; the blank of Braille only looks like one. */
const visible = /(?!\u2800|\p{Default_Ignorable_Code_Point})[\p{L}\p{N}\p{P}\p{S}]/u;
const blanks = /\p{Zs}+/gu;
/** Of which folding makes lower case, and nothing else. */
const plain = /^\p{ASCII}*$/u;
const ignorable = /\p{Default_Ignorable_Code_Point}/gu;

/** Whether a text can't be stored or was damaged on its way; asked of every text of every call, whatever it means. */
export const isBrokenText = (text: string): boolean => broken.test(text);

/** The beginning of a text, so many units long at most, and no half of a character at its end: that could not be stored. */
export const beginningOf = (text: string, most: number): string =>
  text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');

/** A text without regard to width and to what is invisible: before a part of it is looked for. */
export const widthless = (text: string): string => text.normalize('NFKC').replaceAll(ignorable, '');

/**
 * Two texts are the same name when their folded forms are equal: width, case and invisible characters tell none apart
 * (NFKC and full case folding, by way of the upper case). The database's `folded` says the same.
 */
export const folded = (text: string): string =>
  plain.test(text)
    ? text.toLowerCase()
    : widthless(text).toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKC');

/** From where to before where, in UTF-16 code units. */
export interface Place {
  from: number;
  to: number;
}

/** Where a part first stands in a text, told apart as names are; undefined when it does not. */
export const placeOf = (text: string, part: string): Place | undefined => {
  const wanted = folded(part);
  const at = folded(text).indexOf(wanted);
  if (wanted === '' || at < 0) return undefined;
  // Folding may change the number of characters: each is followed to where it came from.
  const origins: Place[] = [];
  let read = '';
  let from = 0;
  for (const character of text) {
    const to = from + character.length;
    const form = folded(character);
    for (let index = 0; index < form.length; index += 1) origins.push({ from, to });
    read += form;
    from = to;
  }
  const [first, last] = [origins[at], origins[at + wanted.length - 1]];
  // Characters that fold only together (Hangul, marks on their own) have no places of their own.
  return read === folded(text) && first && last
    ? { from: first.from, to: last.to }
    : { from: 0, to: text.length };
};

/** Each text once, in the spelling that comes first. */
export const eachOnce = (texts: readonly string[]): string[] => {
  const seen = new Set<string>();
  return texts.filter((text) => {
    const key = folded(text);
    return !seen.has(key) && seen.add(key);
  });
};

const inOneLine = (text: string): string => text.normalize('NFC').replaceAll(blanks, ' ').trim();

const inLines = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(lineBreak, '\n')
    .replaceAll('\t', ' ')
    .replaceAll(blanks, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .trim();

/** Blanks stay, at the ends too, as they may be part of a command to a device: each as the plain one. */
const asTyped = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(lineBreak, '\n')
    .replaceAll('\t', ' ')
    .replaceAll(/\p{Zs}/gu, ' ');

/** What is wrong with a text that was normalised; a line break is reported separately only where it is not allowed. */
const wrongWith = (text: string, lines: boolean): IssueKey | undefined => {
  if (isBrokenText(text)) return 'brokenText';
  if (!lines && new RegExp(lineBreak).test(text)) return 'lineBreak';
  if (control.test(lines ? text.replaceAll('\n', '') : text)) return 'controlCharacter';
  return text === '' || visible.test(text) ? undefined : 'invisibleText';
};

export interface TextLength {
  /** 1 when not said: a text that must be there. */
  min?: number;
  max: number;
}

const forms = { line: inOneLine, lines: inLines, message: asTyped } as const;

const textOf = ({ min = 1, max }: TextLength, form: keyof typeof forms) =>
  z
    .string()
    .overwrite(forms[form])
    .superRefine((text, context) => {
      const message = wrongWith(text, form !== 'line');
      if (message) context.addIssue({ code: 'custom', message });
    })
    .min(min)
    .max(max)
    // Stands in the documents, and marks for the tests that a field takes a text of people.
    .meta({ 'x-text': form });

/** A text of one line. */
export const textSchema = (length: TextLength) => textOf(length, 'line');

/** A text that may have several lines. */
export const linesSchema = (length: TextLength) => textOf(length, 'lines');

/** A text that is sent as it was typed, and may have several lines. */
export const messageSchema = (length: TextLength) => textOf(length, 'message');

/** What is looked for; nothing when empty. */
export const searchSchema = (max: number) => textSchema({ min: 0, max });
