import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alphabetOf, decodeText, joinParts, readContent, tlv, writeTlv } from './index.ts';
import { sampleDelivery } from './testing/sample-messages.ts';
import { segmentText } from './text/index.ts';

const hex = (octets: string): Buffer => Buffer.from(octets.replaceAll(' ', ''), 'hex');
const shown = ({ part, octets }: ReturnType<typeof readContent>) => ({
  part,
  octets: Buffer.from(octets).toString('hex'),
});

describe('the content of a message', () => {
  const sar = [
    writeTlv(tlv.sarMsgRefNum, 0x1234),
    writeTlv(tlv.sarTotalSegments, 3),
    writeTlv(tlv.sarSegmentSeqnum, 2),
  ];

  it.each([
    ['one part', 0, '6869', { part: undefined, octets: '6869' }],
    [
      '8-bit reference',
      0x40,
      '05 00 03 a7 03 02 6869',
      { part: { origin: 'udh8', reference: 0xa7, total: 3, sequence: 2 }, octets: '6869' },
    ],
    [
      '16-bit reference after ports',
      0x40,
      '0c 05 04 0b84 23f0 08 04 01a7 03 02 6869',
      { part: { origin: 'udh16', reference: 0x1a7, total: 3, sequence: 2 }, octets: '6869' },
    ],
    ['sequence beyond the total', 0x40, '05 00 03 a7 03 04 6869', { part: undefined, octets: '6869' }],
    ['sequence 0', 0x40, '05 00 03 a7 03 00 6869', { part: undefined, octets: '6869' }],
    ['header longer than the message', 0x40, '30 00 03 a7', { part: undefined, octets: '300003a7' }],
    ['element longer than the header', 0x40, '05 00 30 a7 03 02 68', { part: undefined, octets: '68' }],
    ['header alone', 0x40, '00', { part: undefined, octets: '' }],
  ])('has part number and octets: %s', (_, esmClass, message, expected) => {
    expect(shown(readContent(sampleDelivery({ esmClass, shortMessage: hex(message) })))).toEqual(expected);
  });

  it('may be numbered by sar_* and carried in message_payload', () => {
    const tlvs = [...sar, writeTlv(tlv.messagePayload, hex('6869'))];
    const part = { origin: 'sar', reference: 0x1234, total: 3, sequence: 2 };
    expect(shown(readContent(sampleDelivery({ tlvs })))).toEqual({ part, octets: '6869' });
    const { shortMessage: _, ...data } = sampleDelivery({ tlvs });
    expect(shown(readContent(data))).toEqual({ part, octets: '6869' });
  });
});

describe('data_coding', () => {
  it.each([
    [0, 'gsm7'],
    [1, 'ascii'],
    [2, 'binary'],
    [3, 'latin1'],
    [4, 'binary'],
    [6, 'cyrillic'],
    [8, 'ucs2'],
    [9, 'binary'],
    [0x10, 'gsm7'],
    [0x18, 'ucs2'],
    [0x20, 'binary'],
    [0xc8, 'gsm7'],
    [0xe8, 'ucs2'],
    [0xf1, 'gsm7'],
    [0xf5, 'binary'],
  ] as const)('%d is %s', (dataCoding, alphabet) => expect(alphabetOf(dataCoding)).toBe(alphabet));

  it('can be overridden for an SMSC', () => {
    expect(alphabetOf(0, { 0: 'latin1' })).toBe('latin1');
  });

  it.each([
    ['gsm7', '41 00 1b65 11', 'A@€_'],
    ['latin1', 'a1e9 40', '¡é@'],
    ['ucs2', '4e2d d83d de00', '中😀'],
    ['ucs2', 'feff 0041', 'A'],
    ['ucs2', 'fffe 4100', 'A'],
    ['ucs2', '0041 d83d 0042 00', 'A\ufffdB'],
    ['ucs2', '0041 0000', 'A'],
    ['cyrillic', 'bfe0d8d2d5e2', 'Привет'],
    ['hebrew', 'f9ece5ed', 'שלום'],
    ['binary', '00ff7f', '00FF7F'],
  ] as const)('text of %s: %s', (alphabet, octets, text) => {
    expect(decodeText(hex(octets), alphabet)).toBe(text);
  });
});

describe('joined parts', () => {
  const partsOf = (text: string) => {
    const { segments, dataCoding } = segmentText(text, 1);
    return segments.map(({ octets }, index) => {
      const esmClass = segments.length > 1 ? 0x40 : 0;
      const content = readContent(
        sampleDelivery({ esmClass, dataCoding, shortMessage: Buffer.from(octets) }),
      );
      return { ...content, sequence: content.part?.sequence ?? index + 1 };
    });
  };
  const join = (parts: ReturnType<typeof partsOf>, total: number) =>
    joinParts({ parts, total, gap: ' [?] ' });

  it('give the original text, in any order, with duplicates', () => {
    const text = fc.string({ unit: fc.constantFrom(...'abñ€[中', '😀'), minLength: 1, maxLength: 400 });
    fc.assert(
      fc.property(
        text.chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray([...partsOf(all), ...partsOf(all)])),
        ),
        ([all, received]) => {
          const { length: total } = partsOf(all);
          const { text: joined, missing } = join(received, total);
          const there = new Set(received.map(({ sequence }) => sequence));
          expect(missing).toHaveLength(total - there.size);
          if (missing.length === 0) expect(joined).toBe(all);
        },
      ),
    );
  });

  it('show each gap once', () => {
    const parts = partsOf('a'.repeat(153) + 'b'.repeat(306) + 'c'.repeat(10));
    const received = parts.filter(({ sequence }) => sequence === 1 || sequence === 4);
    expect(join(received, 4)).toEqual({
      alphabet: 'gsm7',
      text: `${'a'.repeat(153)} [?] ${'c'.repeat(10)}`,
      missing: [2, 3],
    });
  });

  it('restore split escape and surrogate pairs', () => {
    const part = (dataCoding: number, ...pieces: string[]) =>
      joinParts({
        parts: pieces.map((piece, index) => ({ sequence: index + 1, dataCoding, octets: hex(piece) })),
        total: pieces.length,
        gap: '',
      }).text;
    expect(part(0, '41 1b', '65 42')).toBe('A€B');
    expect(part(8, '0041 d83d', 'de00')).toBe('A😀');
  });
});
