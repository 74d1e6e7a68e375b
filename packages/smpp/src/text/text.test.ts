import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';
import fc from 'fast-check';
import { SegmentedMessage } from 'sms-segments-calculator';
import { describe, expect, it } from 'vitest';
import { countText, decodeGsm, gsmReplacement, isGsmText, replaceWithGsm, segmentText } from './index.ts';

const gsmCharacters = [
  ...'@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§',
  ...'¿abcdefghijklmnopqrstuvwxyzäöñüà\f^{}\\[~]|€',
];
const gsmText = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...gsmCharacters), maxLength, size: 'max' });
/** GSM characters, letters beyond them, and emoji of two code units. */
const anyText = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...gsmCharacters, ...'çáőЖ中“—', '😀', '🛰'), maxLength, size: 'max' });

const ucs2 = (octets: Uint8Array): string => new TextDecoder('utf-16be', { fatal: true }).decode(octets);
const textOf = (text: string): string => {
  const { encoding, hasHeader, segments } = segmentText(text, 7);
  const decode = encoding === 'gsm7' ? decodeGsm : ucs2;
  return segments.map(({ octets }) => decode(octets.subarray(hasHeader ? 6 : 0))).join('');
};

describe('the GSM 7-bit default alphabet', () => {
  it('has 127 characters and 10 of its extension table', () => {
    expect(new Set(gsmCharacters).size).toBe(137);
    expect(gsmCharacters.every(isGsmText)).toBe(true);
    expect(['ç', 'á', '`', '\t', '\0', '\u001b', '中'].some(isGsmText)).toBe(false);
  });

  it('is encoded as in 3GPP TS 23.038', () => {
    const [segment] = segmentText('@Δ €[ñ]à', 0).segments;
    expect(Buffer.from(segment?.octets ?? []).toString('hex')).toBe('0010201b651b3c7d1b3e7f');
  });

  it('is decoded leniently: unknown extensions as the septet, a final escape as a space', () => {
    expect(decodeGsm(Uint8Array.of(0x1b, 0x41, 0x1b, 0x1b, 0xc1, 0x1b))).toBe('A A ');
  });
});

describe('the parts of a text', () => {
  it.each([
    ['', 'gsm7', 0, 160],
    ['a'.repeat(160), 'gsm7', 1, 0],
    ['a'.repeat(161), 'gsm7', 2, 145],
    ['€'.repeat(80), 'gsm7', 1, 0],
    // 153 is odd: the escape of the 77th € goes with it to the next part.
    ['€'.repeat(81), 'gsm7', 2, 143],
    ['中'.repeat(70), 'ucs2', 1, 0],
    ['中'.repeat(71), 'ucs2', 2, 63],
    // 67 is odd too: 33 emoji of two code units in a part.
    ['😀'.repeat(36), 'ucs2', 2, 61],
  ] as const)('%# are counted', (text, encoding, parts, unitsLeft) => {
    expect(countText(text)).toMatchObject({ encoding, parts, unitsLeft });
  });

  it('are counted like another implementation does', () => {
    fc.assert(
      fc.property(anyText(500), (text) => {
        const judge = new SegmentedMessage(text);
        const { encoding, parts } = countText(text);
        // The reference implementation counts an empty text as one part, and CR LF as one character.
        fc.pre(text !== '' && !text.includes('\r\n'));
        expect({ encoding, parts }).toEqual({
          encoding: judge.getEncodingName() === 'GSM-7' ? 'gsm7' : 'ucs2',
          parts: judge.segmentsCount,
        });
      }),
    );
  });

  it('restore the text, and never split a character', () => {
    fc.assert(
      fc.property(fc.oneof(gsmText(600), anyText(400)), (text) => {
        const { segments, encoding } = segmentText(text, 7);
        expect(textOf(text)).toBe(text);
        expect(segments).toHaveLength(countText(text).parts);
        for (const { octets, text: piece } of segments) {
          expect(octets.length).toBeLessThanOrEqual(encoding === 'gsm7' ? 160 : 140);
          expect(Array.from(piece).every((one) => !/^[\ud800-\udfff]$/.test(one))).toBe(true);
        }
      }),
    );
  });

  it('have a header with an 8-bit reference', () => {
    const { segments, hasHeader, dataCoding } = segmentText('x'.repeat(400), 0x1a7);
    const headers = segments.map(({ octets }) => Buffer.from(octets.subarray(0, 6)).toString('hex'));
    expect({ headers, hasHeader, dataCoding }).toEqual({
      headers: ['050003a70301', '050003a70302', '050003a70303'],
      hasHeader: true,
      dataCoding: 0,
    });
  });

  it('are at most 255', () => {
    expect(segmentText('x'.repeat(255 * 153), 0).segments).toHaveLength(255);
    expect(() => segmentText('x'.repeat(255 * 153 + 1), 0)).toThrow(RangeError);
  });
});

describe('a character that forces UCS-2', () => {
  it('is reported with its position and replacement', () => {
    expect(countText('¡“Más” 😀!').forcing).toEqual([
      { character: '“', index: 1, cure: { replacement: '"', meaning: 'same' } },
      { character: 'á', index: 3, cure: { replacement: 'a', meaning: 'similar' } },
      { character: '”', index: 5, cure: { replacement: '"', meaning: 'same' } },
      { character: '😀', index: 7, cure: undefined },
    ]);
    expect(countText('all of GSM: é€').forcing).toEqual([]);
  });

  it.each([
    ['“It’s” – 3…', '"It\'s" - 3...'],
    ['a\u00a0b\u200bc\t', 'a bc '],
    ['\u2068Ana\u2069 \u061cOK', 'Ana OK'],
    ['ＡＢ ﬁ', 'AB fi'],
    ['Łódź, çà', 'Lodz, Çà'],
    // Joined first: GSM has é, and none of the accents alone.
    ['e\u0301', 'é'],
    ['中😀', '中😀'],
  ])('is replaced in %s', (text, replaced) => expect(replaceWithGsm(text)).toBe(replaced));

  it('keeps its accent when only typography is replaced', () => {
    expect(replaceWithGsm('“más”', 'same')).toBe('"más"');
  });

  it('is replaced by GSM characters only', () => {
    const replacements = Array.from({ length: 0xffff }, (_, code) =>
      gsmReplacement(String.fromCharCode(code)),
    ).flatMap((found) => found?.replacement ?? []);
    expect(replacements.length).toBeGreaterThan(1_000);
    expect(replacements.filter((replacement) => !isGsmText(replacement))).toEqual([]);
  });
});

describe('the entry for browsers', () => {
  it('runs without Node.js, in less than 6 kB', async () => {
    const { outputFiles } = await build({
      entryPoints: [join(import.meta.dirname, 'index.ts')],
      bundle: true,
      minify: true,
      write: false,
      platform: 'browser',
      format: 'iife',
      globalName: 'text',
    });
    const [file] = outputFiles;
    expect(file?.contents.length).toBeLessThan(6_144);
    const script = `${file?.text}; text.segmentText('—'.repeat(71), 1).segments.length`;
    expect(runInNewContext(script, {})).toBe(2);
  });
});
