import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodePdu, MAX_PDU_LENGTH, PduFramer } from './index.ts';
import { anyPdu } from './testing/any-pdu.ts';

const header = (length: number): Buffer => {
  const frame = Buffer.alloc(16);
  frame.writeUInt32BE(length);
  return frame;
};

describe('the framer', () => {
  it('returns the same PDUs for any chunking', () => {
    fc.assert(
      fc.property(
        fc.array(anyPdu, { maxLength: 6 }),
        fc.infiniteStream(fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 400 }))),
        (pdus, sizes) => {
          const frames = pdus.map(encodePdu);
          const stream = Buffer.concat(frames);
          const framer = new PduFramer();
          const found: Buffer[] = [];
          for (let at = 0; at < stream.length; ) {
            const size = sizes.next().value;
            found.push(...framer.push(stream.subarray(at, at + size)).map((frame) => Buffer.from(frame)));
            at += size;
          }
          expect(found).toEqual(frames);
          expect(framer.lost).toBeUndefined();
        },
      ),
    );
  });

  it('survives arbitrary octets', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 50 })), (chunks) => {
        const framer = new PduFramer();
        for (const chunk of chunks) {
          for (const frame of framer.push(Buffer.from(chunk)))
            expect(frame.readUInt32BE()).toBe(frame.length);
        }
      }),
    );
  });

  it.each([
    [0, 'length-too-small'],
    [15, 'length-too-small'],
    [MAX_PDU_LENGTH + 1, 'length-too-large'],
    [0xffffffff, 'length-too-large'],
  ] as const)('loses framing at a length of %d, and keeps earlier PDUs', (length, reason) => {
    for (const cut of [20, 19, 18, 16]) {
      const framer = new PduFramer();
      const stream = Buffer.concat([header(16), header(length), header(16)]);
      const found = [...framer.push(stream.subarray(0, cut)), ...framer.push(stream.subarray(cut))];
      expect(found).toEqual([header(16)]);
      expect(framer.lost).toEqual({ reason, length });
      expect(framer.push(header(16))).toEqual([]);
    }
  });

  it('reads the longest PDU byte by byte', () => {
    const framer = new PduFramer();
    const frame = Buffer.concat([header(MAX_PDU_LENGTH), Buffer.alloc(MAX_PDU_LENGTH - 16, 7)]);
    let found: Buffer[] = [];
    for (const octet of frame) found = found.concat(framer.push(Buffer.of(octet)));
    expect(found).toHaveLength(1);
    expect(found[0]?.equals(frame)).toBe(true);
  });
});
