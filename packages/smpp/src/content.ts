import { type DataBody, esmClass, type MessageBody } from './pdu.ts';
import { decodeGsm } from './text/gsm-alphabet.ts';
import { readTlv, tlv } from './tlvs.ts';

/** `ascii` includes IA5; `binary` is shown as hexadecimal. */
export type Alphabet = 'gsm7' | 'ascii' | 'latin1' | 'ucs2' | 'cyrillic' | 'hebrew' | 'binary';

/** An SMSC's meaning of `data_coding` values where it deviates from the standard: `{ 0: 'latin1' }`. */
export type Alphabets = Readonly<Record<number, Alphabet>>;

/** Position of a message among the parts of a longer one. */
export interface PartNumber {
  /** The same in all parts; reused by later messages. */
  readonly reference: number;
  /** Parts whose references have different origins never belong to one message. */
  readonly origin: 'udh8' | 'udh16' | 'sar';
  readonly total: number;
  /** From 1. */
  readonly sequence: number;
}

export interface MessageContent {
  readonly dataCoding: number;
  /** Without the user data header: a view of the PDU. */
  readonly octets: Uint8Array;
  /** Absent in a message of one part. */
  readonly part?: PartNumber;
}

/** The payload of `deliver_sm`, `submit_sm` or `data_sm`, in whichever field it is. Never throws. */
export function readContent(message: MessageBody | DataBody): MessageContent {
  const { dataCoding, tlvs } = message;
  const short = 'shortMessage' in message ? message.shortMessage : empty;
  const octets = short.length > 0 ? short : (readTlv(tlvs, tlv.messagePayload) ?? empty);
  const sar = partOf(
    'sar',
    readTlv(tlvs, tlv.sarMsgRefNum),
    readTlv(tlvs, tlv.sarTotalSegments),
    readTlv(tlvs, tlv.sarSegmentSeqnum),
  );
  const headerEnd = (message.esmClass & esmClass.userDataHeader) === 0 ? 0 : 1 + (octets[0] ?? 0);
  // A header longer than the message is not a header: the whole text is shown.
  if (headerEnd === 0 || headerEnd > octets.length) return { dataCoding, octets, ...(sar && { part: sar }) };
  const part = partOfHeader(octets.subarray(1, headerEnd)) ?? sar;
  return { dataCoding, octets: octets.subarray(headerEnd), ...(part && { part }) };
}

const empty = new Uint8Array(0);

/** Concatenation with an 8-bit reference (identifier 0) or a 16-bit one (8): 3GPP TS 23.040, §9.2.3.24. */
function partOfHeader(header: Uint8Array): PartNumber | undefined {
  let part: PartNumber | undefined;
  for (let at = 0; at + 2 <= header.length; at += 2 + (header[at + 1] ?? 0)) {
    const [a, b, c, d] = header.subarray(at + 2, at + 2 + (header[at + 1] ?? 0));
    // If there are several, the last one counts (§9.2.3.24).
    if (header[at] === 0 && header[at + 1] === 3) part = partOf('udh8', a, b, c) ?? part;
    if (header[at] === 8 && header[at + 1] === 4) {
      part = partOf('udh16', 256 * (a ?? 0) + (b ?? 0), c, d) ?? part;
    }
  }
  return part;
}

/** Impossible numbers must be ignored (§9.2.3.24.1). */
function partOf(
  origin: PartNumber['origin'],
  reference: number | undefined,
  total = 0,
  sequence = 0,
): PartNumber | undefined {
  if (reference === undefined || sequence < 1 || sequence > total) return undefined;
  return { reference, origin, total, sequence };
}

/** The alphabet of a `data_coding`: SMPP 3.4, §5.2.19, and from 0x10 the groups of 3GPP TS 23.038, §4. */
export function alphabetOf(dataCoding: number, alphabets: Alphabets = {}): Alphabet {
  const override = alphabets[dataCoding];
  if (override !== undefined) return override;
  if (dataCoding < 0x10) return standardAlphabets[dataCoding] ?? 'binary';
  const group = dataCoding >> 4;
  if (group === 0xf) return (dataCoding & 0x04) === 0 ? 'gsm7' : 'binary';
  if (group === 0xe) return 'ucs2';
  if (group >= 8) return 'gsm7';
  if ((dataCoding & 0x20) !== 0) return 'binary';
  return (['gsm7', 'binary', 'ucs2', 'gsm7'] as const)[(dataCoding >> 2) & 3] ?? 'gsm7';
}

const standardAlphabets: Alphabets = {
  0: 'gsm7',
  1: 'ascii',
  3: 'latin1',
  6: 'cyrillic',
  7: 'hebrew',
  8: 'ucs2',
};

/** Never fails. The text is well-formed and contains no NUL, so that it can be stored; `binary` becomes hexadecimal. */
export function decodeText(octets: Uint8Array, alphabet: Alphabet): string {
  return decoders[alphabet](octets).replaceAll('\0', '');
}

const with8859 = (part: 5 | 8) => {
  const decoder = new TextDecoder(`iso-8859-${part}`);
  return (octets: Uint8Array): string => decoder.decode(octets);
};
const bigEndian = new TextDecoder('utf-16be');
const littleEndian = new TextDecoder('utf-16le');
const latin1 = (octets: Uint8Array): string => Buffer.from(octets).toString('latin1');

const decoders: Record<Alphabet, (octets: Uint8Array) => string> = {
  gsm7: decodeGsm,
  ascii: latin1,
  latin1,
  cyrillic: with8859(5),
  hebrew: with8859(8),
  ucs2: (octets) => {
    const even = octets.subarray(0, octets.length & ~1);
    return (even[0] === 0xff && even[1] === 0xfe ? littleEndian : bigEndian).decode(even);
  },
  binary: (octets) => Buffer.from(octets).toString('hex').toUpperCase(),
};

/** The content of a part, stored until the others have arrived. */
export interface ReceivedPart {
  readonly sequence: number;
  readonly dataCoding: number;
  readonly octets: Uint8Array;
}

export interface JoinedText {
  /** Alphabet of the first part received. */
  readonly alphabet: Alphabet;
  /** The joined text, with `gap` in place of missing parts. */
  readonly text: string;
  /** Sequence numbers of missing parts. */
  readonly missing: readonly number[];
}

/**
 * Joins the parts of a message, in any order; duplicates count once. Adjacent parts are decoded together, because senders
 * split escape pairs and surrogate pairs between parts.
 * @param total expected number of parts
 * @param gap text in place of missing parts
 */
export function joinParts(input: {
  parts: readonly ReceivedPart[];
  total: number;
  gap: string;
  alphabets?: Alphabets;
}): JoinedText {
  const { total, gap, alphabets = {} } = input;
  const bySequence = new Map(input.parts.map((part) => [part.sequence, part]));
  const missing: number[] = [];
  const texts: string[] = [];
  let run: { alphabet: Alphabet; octets: Uint8Array[] } | undefined;
  let first: Alphabet | undefined;
  const endRun = (): void => {
    if (run !== undefined) texts.push(decodeText(Buffer.concat(run.octets), run.alphabet));
    run = undefined;
  };
  for (let sequence = 1; sequence <= total; sequence += 1) {
    const part = bySequence.get(sequence);
    if (part === undefined) {
      endRun();
      if (missing.at(-1) !== sequence - 1) texts.push(gap);
      missing.push(sequence);
      continue;
    }
    const alphabet = alphabetOf(part.dataCoding, alphabets);
    first ??= alphabet;
    if (run?.alphabet !== alphabet) endRun();
    run ??= { alphabet, octets: [] };
    run.octets.push(part.octets);
  }
  endRun();
  return { alphabet: first ?? 'gsm7', text: texts.join(''), missing };
}
