import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inParts } from './in-parts.ts';

it('the parts of a file are its content, and large enough except the last', async () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 9 }).map((octets) => Buffer.from(octets)));
  await fc.assert(
    fc.asyncProperty(pieces, fc.integer({ min: 1, max: 20 }), async (content, minBytes) => {
      const parts: Buffer[] = [];
      for await (const part of inParts(Readable.from(content, { objectMode: true }), minBytes))
        parts.push(part);
      expect(Buffer.concat(parts)).toEqual(Buffer.concat(content));
      expect(parts.every(({ length }) => length > 0)).toBe(true);
      expect(parts.slice(0, -1).every(({ length }) => length >= minBytes)).toBe(true);
    }),
  );
});
