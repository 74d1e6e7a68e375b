import { gsmSeptets, isGsmText } from './gsm-alphabet.ts';
import { type GsmReplacement, gsmReplacement } from './gsm-replacements.ts';

export type TextEncoding = 'gsm7' | 'ucs2';

/** Units in a single message, and in each part of a split one, whose header takes 6 octets. */
export const unitsOf = {
  gsm7: { alone: 160, part: 153 },
  ucs2: { alone: 70, part: 67 },
} as const;

/** A character that forces UCS-2. */
export interface ForcingCharacter {
  readonly character: string;
  /** Position in the text, in UTF-16 code units. */
  readonly index: number;
  /** Replacement in GSM 7-bit, if there is one. */
  readonly cure: GsmReplacement | undefined;
}

export interface TextCount {
  readonly encoding: TextEncoding;
  /** Code points: characters as people count them, except composed emoji. */
  readonly characters: number;
  /** Septets (GSM 7-bit; € and brackets take two) or UTF-16 code units (UCS-2; emoji take two). */
  readonly units: number;
  /** Messages that the network carries and charges: 0 for an empty text. */
  readonly parts: number;
  /** Units left in the last part. */
  readonly unitsLeft: number;
  /** Every character that forces UCS-2, in order; empty when the text is GSM 7-bit. */
  readonly forcing: readonly ForcingCharacter[];
}

/** Counts a text as `segmentText` would send it. */
export function countText(text: string): TextCount {
  const encoding: TextEncoding = isGsmText(text) ? 'gsm7' : 'ucs2';
  const pieces = splitText(text, encoding);
  const limits = unitsOf[encoding];
  const last = pieces.at(-1)?.units ?? 0;
  return {
    encoding,
    characters: characterCount(text),
    units: pieces.reduce((sum, { units }) => sum + units, 0),
    parts: pieces.length,
    unitsLeft: (pieces.length > 1 ? limits.part : limits.alone) - last,
    forcing: encoding === 'gsm7' ? [] : forcingCharacters(text),
  };
}

export interface TextPiece {
  readonly text: string;
  readonly units: number;
}

/** Splits between characters only: an escape stays with its septet, a surrogate with its other half. */
export function splitText(text: string, encoding: TextEncoding): TextPiece[] {
  if (text === '') return [];
  const limits = unitsOf[encoding];
  const units = unitsIn(text, encoding);
  if (units <= limits.alone) return [{ text, units }];
  const pieces: TextPiece[] = [];
  let start = 0;
  let end = 0;
  let taken = 0;
  for (const character of text) {
    const more = unitsIn(character, encoding);
    if (taken + more > limits.part) {
      pieces.push({ text: text.slice(start, end), units: taken });
      start = end;
      taken = 0;
    }
    taken += more;
    end += character.length;
  }
  return [...pieces, { text: text.slice(start), units: taken }];
}

function unitsIn(text: string, encoding: TextEncoding): number {
  if (encoding === 'ucs2') return text.length;
  let units = 0;
  for (const character of text) units += gsmSeptets(character)?.length ?? 0;
  return units;
}

function characterCount(text: string): number {
  let count = 0;
  for (const _character of text) count += 1;
  return count;
}

function forcingCharacters(text: string): ForcingCharacter[] {
  const found: ForcingCharacter[] = [];
  let index = 0;
  for (const character of text) {
    if (gsmSeptets(character) === undefined)
      found.push({ character, index, cure: gsmReplacement(character) });
    index += character.length;
  }
  return found;
}
