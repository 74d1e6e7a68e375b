import { splitText, type TextEncoding } from './count-text.ts';
import { gsmSeptets, isGsmText } from './gsm-alphabet.ts';

/** Maximum parts of a concatenated message: their number is one octet (3GPP TS 23.040, §9.2.3.24.1). */
export const MAX_PARTS = 255;

export interface TextSegment {
  readonly text: string;
  /** The octets of `short_message`, including the user data header. */
  readonly octets: Uint8Array;
}

export interface SegmentedText {
  readonly encoding: TextEncoding;
  /** `data_coding`: 0 (default alphabet of the SMSC, one septet per octet) or 8 (UCS-2). */
  readonly dataCoding: 0 | 8;
  /** Segments begin with a user data header: `esm_class` must say so. */
  readonly hasHeader: boolean;
  /** Empty for an empty text. */
  readonly segments: readonly TextSegment[];
}

/**
 * Encodes a text as messages, with the number of parts that `countText` returns.
 * @param reference distinguishes the parts of different messages to the same number (modulo 256)
 * @throws RangeError if there would be more than 255 parts
 */
export function segmentText(text: string, reference: number): SegmentedText {
  const encoding: TextEncoding = isGsmText(text) ? 'gsm7' : 'ucs2';
  const pieces = splitText(text, encoding);
  if (pieces.length > MAX_PARTS) throw new RangeError(`a message has at most ${MAX_PARTS} parts`);
  const hasHeader = pieces.length > 1;
  return {
    encoding,
    dataCoding: encoding === 'gsm7' ? 0 : 8,
    hasHeader,
    segments: pieces.map((piece, index) => {
      // UDHL, then concatenation with an 8-bit reference: identifier 0, length 3.
      const header = hasHeader ? [5, 0, 3, reference & 0xff, pieces.length, index + 1] : [];
      const encode = encoding === 'gsm7' ? encodeGsm : encodeUcs2;
      return { text: piece.text, octets: encode(piece.text, header) };
    }),
  };
}

function encodeGsm(text: string, header: readonly number[]): Uint8Array {
  const octets = [...header];
  for (const character of text) octets.push(...(gsmSeptets(character) ?? []));
  return Uint8Array.from(octets);
}

function encodeUcs2(text: string, header: readonly number[]): Uint8Array {
  const octets = new Uint8Array(header.length + 2 * text.length);
  octets.set(header);
  const view = new DataView(octets.buffer, header.length);
  for (let index = 0; index < text.length; index += 1) view.setUint16(2 * index, text.charCodeAt(index));
  return octets;
}
