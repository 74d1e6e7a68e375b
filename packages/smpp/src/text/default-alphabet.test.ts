import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alphabetOf, decodeText } from '../index.ts';
import { countText, type DefaultAlphabet, segmentText } from './index.ts';

/** What an SMSC with this default alphabet reads. */
const readBy = (text: string, defaultAlphabet: DefaultAlphabet) => {
  const { segments, hasHeader, dataCoding } = segmentText(text, 7, defaultAlphabet);
  const alphabet = alphabetOf(dataCoding, { 0: defaultAlphabet });
  const pieces = segments.map(({ octets }) => octets.subarray(hasHeader ? 6 : 0));
  return {
    dataCoding,
    parts: segments.length,
    text: pieces.map((one) => decodeText(one, alphabet)).join(''),
  };
};

describe('a text to an SMSC whose data_coding 0 is not GSM 7-bit', () => {
  it.each([
    ['gsm7', 'a@b_c $5 [1]', 0],
    ['latin1', 'a@b_c $5 [1]', 0],
    ['latin1', 'à la Niño', 0],
    ['latin1', '5 € Ω', 8],
    ['latin1', '中', 8],
    ['ascii', 'a@b_c $5 [1]', 0],
    ['ascii', 'à la Niño', 3],
    ['ascii', '5 € Ω', 8],
    ['latin1', 'é'.repeat(161), 0],
    ['ascii', 'é'.repeat(161), 3],
  ] as const)('%s: "%s" is written with data_coding %i, and read as it is', (alphabet, text, dataCoding) => {
    expect(readBy(text, alphabet)).toEqual({ dataCoding, text, parts: countText(text).parts });
  });

  it('has as many parts as counted, and each fits', () => {
    const text = fc.string({ unit: fc.constantFrom(...'aZ@_$[{à€Ω'), minLength: 1, maxLength: 400 });
    fc.assert(
      fc.property(text, fc.constantFrom('latin1' as const, 'ascii' as const), (sample, alphabet) => {
        const { segments, dataCoding } = segmentText(sample, 7, alphabet);
        expect(segments).toHaveLength(countText(sample).parts);
        for (const { octets } of segments)
          expect(octets.length).toBeLessThanOrEqual(dataCoding === 8 ? 140 : 160);
        if (!/[€Ω]/.test(sample)) expect(readBy(sample, alphabet).text).toBe(sample);
      }),
    );
  });

  it('is written in septets if it has € or Greek capitals and UCS-2 would take more parts', () => {
    const { dataCoding, segments } = segmentText('€'.repeat(80), 7, 'latin1');
    expect([dataCoding, segments[0]?.octets.length]).toEqual([0, 160]);
  });
});
