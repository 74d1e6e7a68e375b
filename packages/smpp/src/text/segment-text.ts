import { splitText, type TextEncoding, type TextPiece, unitsOf } from './count-text.ts';
import { gsmSeptets, isGsmText } from './gsm-alphabet.ts';

/** Maximum parts of a concatenated message: their number is one octet (3GPP TS 23.040, §9.2.3.24.1). */
export const MAX_PARTS = 255;

/** What an SMSC understands by `data_coding` 0 (SMPP 3.4, §5.2.19). */
export type DefaultAlphabet = 'gsm7' | 'latin1' | 'ascii';

export interface TextSegment {
  readonly text: string;
  /** The octets of `short_message`, including the user data header. */
  readonly octets: Uint8Array;
}

export interface SegmentedText {
  /** By which the parts are counted: the network's, whatever the SMSC is written to in. */
  readonly encoding: TextEncoding;
  /** `data_coding`: 0 (default alphabet of the SMSC; GSM 7-bit has one septet per octet), 3 (Latin-1) or 8 (UCS-2). */
  readonly dataCoding: 0 | 3 | 8;
  /** Segments begin with a user data header: `esm_class` must say so. */
  readonly hasHeader: boolean;
  /** Empty for an empty text. */
  readonly segments: readonly TextSegment[];
}

/**
 * Encodes a text as messages, with the number of parts that `countText` returns.
 * @param reference distinguishes the parts of different messages to the same number (modulo 256)
 * @param defaultAlphabet of the SMSC; it changes how the parts are written, not their number
 * @throws RangeError if there would be more than 255 parts
 */
export function segmentText(
  text: string,
  reference: number,
  defaultAlphabet: DefaultAlphabet = 'gsm7',
): SegmentedText {
  const encoding: TextEncoding = isGsmText(text) ? 'gsm7' : 'ucs2';
  const pieces = splitText(text, encoding);
  if (pieces.length > MAX_PARTS) throw new RangeError(`a message has at most ${MAX_PARTS} parts`);
  const hasHeader = pieces.length > 1;
  const { dataCoding, encode } = encoding === 'ucs2' ? inUcs2 : codingOf(text, pieces, defaultAlphabet);
  return {
    encoding,
    dataCoding,
    hasHeader,
    segments: pieces.map((piece, index) => {
      // UDHL, then concatenation with an 8-bit reference: identifier 0, length 3.
      const header = hasHeader ? [5, 0, 3, reference & 0xff, pieces.length, index + 1] : [];
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

function encodeLatin1(text: string, header: readonly number[]): Uint8Array {
  return Uint8Array.from([...header, ...Array.from(text, (character) => character.charCodeAt(0))]);
}

interface Coding {
  readonly dataCoding: SegmentedText['dataCoding'];
  readonly encode: (text: string, header: readonly number[]) => Uint8Array;
}

const inSeptets: Coding = { dataCoding: 0, encode: encodeGsm };
const inUcs2: Coding = { dataCoding: 8, encode: encodeUcs2 };

/**
 * How a GSM 7-bit text is written to an SMSC with this default alphabet. € and the Greek capitals, which Latin-1 lacks, are written
 * in UCS-2 if each part has room for it; otherwise only septets keep the number of parts.
 */
function codingOf(text: string, pieces: readonly TextPiece[], alphabet: DefaultAlphabet): Coding {
  if (alphabet === 'gsm7') return inSeptets;
  const highest = Math.max(...Array.from(text, (character) => character.charCodeAt(0)));
  if (highest <= 0x7f || (alphabet === 'latin1' && highest <= 0xff))
    return { dataCoding: 0, encode: encodeLatin1 };
  if (highest <= 0xff) return { dataCoding: 3, encode: encodeLatin1 };
  const limit = unitsOf.ucs2[pieces.length > 1 ? 'part' : 'alone'];
  return pieces.every((piece) => piece.text.length <= limit) ? inUcs2 : inSeptets;
}
