import { normaliseWidth } from '@simcube/contract';
import { normaliseIdentifier } from '../sim.rules.ts';

/**
 * How a text is searched in `sims.search_text`, where each field is a line that starts with a line break. The
 * index has trigrams: of a word's letters and digits, and of its start and end with the adjacent blank. A text
 * without any trigram would have to be compared with every SIM. If it is ASCII, it is only matched at the start
 * of a field, which has a separate index; otherwise, such as two Chinese characters, which are a word, it is
 * matched anywhere. Punctuation alone finds nothing.
 */
export type SimSearch =
  | { kind: 'everything' }
  | { kind: 'nothing' }
  | {
      kind: 'pattern';
      /** For the index. */
      like: string;
      /** An additional condition, checked row by row; undefined if `like` is sufficient. */
      recheck: string | undefined;
    }
  | {
      /** Looked up as a short text. */
      kind: 'short';
      /** A pattern that the text of every matching SIM has. */
      like: string;
    };

/**
 * Only the end of long numbers is looked up: it distinguishes them, while the start (issuer, country) is shared
 * by many SIMs, and reading the index for those common trigrams takes longer than all the rest.
 */
const distinctiveDigits = 6;

const word = /[\p{L}\p{N}]/u;
/** The length of identifiers searched as a whole: M2M phone numbers, IMSIs, ICCIDs. */
const wholeNumber = /^\d{13,22}$/;
/** In international format (ITU-T E.164). */
const phoneNumber = /^\d{7,15}$/;
/** What phone numbers may contain in addition to blanks and dashes. */
const phoneMarks = /[.()/]/g;

/** The text as a complete ICCID, IMSI or MSISDN, if it can be one; only that SIM is then found. */
export const wholeIdentifier = (text: string): string | undefined => {
  const trimmed = normaliseWidth(text).trim();
  const digits = normaliseIdentifier(trimmed.replaceAll(phoneMarks, ''));
  const isWhole = wholeNumber.test(digits) || (trimmed.startsWith('+') && phoneNumber.test(digits));
  return isWhole ? digits : undefined;
};

/** Three letters in a row, a word's first letter, or a word's last two. */
const hasTrigram = /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]|[\p{L}\p{N}]{2}[^\p{L}\p{N}]/u;

export const searchPattern = (text: string): SimSearch => {
  const term = normaliseWidth(text).trim();
  if (term === '') return { kind: 'everything' };
  if (!word.test(term)) return { kind: 'nothing' };
  if (!hasTrigram.test(term) || [...term].length < 3) {
    return { kind: 'short', like: `%${isPlain(term) ? '\n' : ''}${escapeLike(term)}%` };
  }
  const whole = `%${escapeLike(term)}%`;
  if (!/^\d+$/.test(term) || term.length <= distinctiveDigits) {
    return { kind: 'pattern', like: whole, recheck: undefined };
  }
  return { kind: 'pattern', like: `%${term.slice(-distinctiveDigits)}%`, recheck: whole };
};

/** How a text is searched in a single field. */
export interface FieldSearch {
  like: string;
  atStart: boolean;
  /** What the index of all fields can look up; undefined for short texts. */
  indexed: string | undefined;
}

/** @returns undefined for texts that match nothing */
export const fieldPattern = (text: string): FieldSearch | undefined => {
  const search = searchPattern(text);
  if (search.kind !== 'short' && search.kind !== 'pattern') return undefined;
  const part = escapeLike(normaliseWidth(text).trim());
  const atStart = search.kind === 'short' && isPlain(part);
  const indexed = search.kind === 'pattern' ? search.like : undefined;
  return { like: atStart ? `${part}%` : `%${part}%`, atStart, indexed };
};

/** Matches texts that contain the part. */
export const containsPattern = (text: string): string => `%${escapeLike(normaliseWidth(text))}%`;

/** Only ASCII, in the lower-case form that is searched. */
const isPlain = (text: string): boolean => /^\p{ASCII}*$/u.test(text.toLowerCase());

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');
