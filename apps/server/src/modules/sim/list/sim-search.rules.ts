import { widthless } from '@simcube/contract';
import { plainIdentifier } from '../sim.rules.ts';

/**
 * How a search text is looked for in `sims.search_text`, where each field is a line of its own, begun by a line
 * break. The index knows trigrams: of a word's letters and digits, and of its beginning and end with the blank beside
 * them. A text that has none would have to be compared with every SIM, so it is looked for at the start of a field,
 * which has an index of its own; when it is more than ASCII anywhere, as two Chinese characters are a word. Punctuation
 * alone finds nothing.
 */
export type SimSearch =
  | { kind: 'everything' }
  | { kind: 'nothing' }
  | {
      kind: 'pattern';
      /** For the index. */
      like: string;
      /** What must hold besides, checked row by row; undefined when `like` says it all. */
      recheck: string | undefined;
    }
  | {
      /** Looked up as a short text. */
      kind: 'short';
      /** What the text of every SIM is like that it finds. */
      like: string;
    };

/**
 * Of long numbers only the end is looked up: it distinguishes them, while their beginning (issuer, country) is that
 * of every other SIM, and reading the index for each of those common trigrams takes longer than all the rest.
 */
const tellingDigits = 6;

const word = /[\p{L}\p{N}]/u;
/** As long as the shortest numbers that are given whole: M2M phone numbers, IMSIs, ICCIDs. */
const wholeNumber = /^\d{13,22}$/;
/** In international format (ITU-T E.164). */
const phoneNumber = /^\d{7,15}$/;
/** What phone numbers have in them besides blanks and dashes. */
const phoneMarks = /[.()/]/g;

/** The text as one SIM's whole ICCID, IMSI or MSISDN, if it may be one, which then is all that is found. */
export const wholeIdentifier = (text: string): string | undefined => {
  const written = widthless(text).trim();
  const digits = plainIdentifier(written.replaceAll(phoneMarks, ''));
  const isWhole = wholeNumber.test(digits) || (written.startsWith('+') && phoneNumber.test(digits));
  return isWhole ? digits : undefined;
};

/** Three letters in a row, a word with its start, or two letters with their word's end. */
const hasTrigram = /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]|[\p{L}\p{N}]{2}[^\p{L}\p{N}]/u;

export const searchPattern = (text: string): SimSearch => {
  const wanted = widthless(text).trim();
  if (wanted === '') return { kind: 'everything' };
  if (!word.test(wanted)) return { kind: 'nothing' };
  if (!hasTrigram.test(wanted) || [...wanted].length < 3) {
    return { kind: 'short', like: `%${isPlain(wanted) ? '\n' : ''}${escapeLike(wanted)}%` };
  }
  const whole = `%${escapeLike(wanted)}%`;
  if (!/^\d+$/.test(wanted) || wanted.length <= tellingDigits) {
    return { kind: 'pattern', like: whole, recheck: undefined };
  }
  return { kind: 'pattern', like: `%${wanted.slice(-tellingDigits)}%`, recheck: whole };
};

/** How a text is looked for in one field alone. */
export interface FieldSearch {
  like: string;
  atStart: boolean;
  /** What the index of all fields can look up; undefined for short texts. */
  indexed: string | undefined;
}

/** @returns undefined for texts that are found nowhere */
export const fieldPattern = (text: string): FieldSearch | undefined => {
  const search = searchPattern(text);
  if (search.kind !== 'short' && search.kind !== 'pattern') return undefined;
  const part = escapeLike(widthless(text).trim());
  const atStart = search.kind === 'short' && isPlain(part);
  const indexed = search.kind === 'pattern' ? search.like : undefined;
  return { like: atStart ? `${part}%` : `%${part}%`, atStart, indexed };
};

/** Matches texts that have the part somewhere. */
export const containing = (text: string): string => `%${escapeLike(widthless(text))}%`;

/** ASCII alone, in lower case as it is looked for. */
const isPlain = (text: string): boolean => /^\p{ASCII}*$/u.test(text.toLowerCase());

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');
