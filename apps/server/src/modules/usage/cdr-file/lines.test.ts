import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countLines, type LineBlock, maxLineOctets as longest, readLineBlocks, textOf } from './lines.ts';

/** A line; undefined if it is too long. */
type Line = string | undefined;

async function* cut(octets: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let at = 0;
  for (const size of sizes) {
    if (at >= octets.length) return;
    yield octets.subarray(at, at + size);
    at += size;
  }
  if (at < octets.length) yield octets.subarray(at);
}

const limited = (text: string): Line =>
  text.length > longest ? undefined : textOf(Buffer.from(text, 'latin1'));

const wholeOf = (octets: Buffer): Line[] => {
  const texts = octets.toString('latin1').split('\n');
  if (texts.at(-1) === '') texts.pop();
  return texts.map(limited);
};

const linesOf = ({ octets, isTruncated }: LineBlock): Line[] => {
  if (octets.length === 0) return isTruncated ? [undefined] : [];
  const lines = wholeOf(octets);
  return isTruncated ? [undefined, ...lines.slice(1)] : lines;
};

const line = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: fc.constantFrom(...'abé漢,"\r'), maxLength: 40 }) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: longest - 2, max: longest + 2 }).map((length) => 'x'.repeat(length)),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: longest, max: 4 * longest }).map((length) => 'y'.repeat(length)),
  },
);
const file = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.boolean())
  .map(([lines, isEnded]) => Buffer.from(lines.join('\n') + (isEnded ? '\n' : '')));
const chunks = fc.array(fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 20_000 })), {
  maxLength: 60,
});

it('a file has the same lines wherever its chunks end, and from the end of each block on', async () => {
  await fc.assert(
    fc.asyncProperty(file, chunks, async (octets, sizes) => {
      const expected = wholeOf(octets);
      const found: Line[] = [];
      const ends: { at: number; line: number }[] = [];
      for await (const block of readLineBlocks(cut(octets, sizes), 0)) {
        const lines = linesOf(block);
        expect(countLines(block)).toBe(lines.length);
        found.push(...lines);
        ends.push({ at: block.endsAt, line: found.length });
      }
      expect(found).toEqual(expected);
      expect(ends.at(-1)?.at ?? 0).toBe(octets.length);
      for (const end of ends) {
        const rest: Line[] = [];
        for await (const block of readLineBlocks(cut(octets.subarray(end.at), sizes.toReversed()), end.at)) {
          rest.push(...linesOf(block));
        }
        expect(rest).toEqual(expected.slice(end.line));
      }
    }),
    { numRuns: 400 },
  );
}, 60_000);
