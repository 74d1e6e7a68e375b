import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSessionId, sessionIdOctets } from './session-ids.ts';

const read = (octets: Uint8Array) => readSessionId(Buffer.from(octets), 0, octets.length);

describe('an Acct-Session-Id', () => {
  it.each([
    ['4F2A-001', '4F2A-001'],
    ['año', 'año'],
    ['rate=4F', 'rate=4F'],
    ['a=b', 'a=b'],
  ])('in UTF-8 is kept as text: %s', (text, id) => {
    expect(read(Buffer.from(text))).toBe(id);
    expect(sessionIdOctets(id).toString()).toBe(text);
  });

  it.each([
    ['ff', '=FF'],
    ['fe', '=FE'],
    ['61f13d62', 'a=F1=3Db'],
    ['00000100', '=00=00=01=00'],
    ['000001', '=00=00=01'],
    ['ff00', '=FF=00'],
    // Texts that look like those above.
    ['3d4646', '=3DFF'],
    ['3d33444646', '=3D3DFF'],
  ])('with the octets %s is %s', (hex, id) => {
    const octets = Buffer.from(hex, 'hex');
    expect(read(octets)).toBe(id);
    expect(sessionIdOctets(id)).toEqual(octets);
  });

  it('is stripped of trailing NULs', () => {
    expect(read(Buffer.from('abc\0\0'))).toBe('abc');
  });

  it('is decoded to its octets, so that it is unique', () => {
    const part = fc.oneof(
      fc.constantFrom('=', '=3D', '=FF', '=ff', 'F', '0', 'ñ').map((text) => Buffer.from(text)),
      fc.integer({ min: 0, max: 255 }).map((octet) => Buffer.of(octet)),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const octets = Buffer.concat([...parts, Buffer.of(1)]);
        const id = read(octets);
        expect(id).not.toContain('\0');
        expect(sessionIdOctets(id)).toEqual(octets);
      }),
      { numRuns: 5_000 },
    );
  });
});
