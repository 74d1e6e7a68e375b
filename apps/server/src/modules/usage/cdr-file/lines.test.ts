import fc from 'fast-check';
import { expect, it } from 'vitest';
import { blocksOfLines, type FileLine } from './lines.ts';

const longest = 8_192;

async function* cut(octets: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let at = 0;
  for (const size of sizes) {
    if (at >= octets.length) return;
    yield octets.subarray(at, at + size);
    at += size;
  }
  if (at < octets.length) yield octets.subarray(at);
}

const wholeOf = (octets: Buffer): FileLine[] => {
  const texts = octets.toString('latin1').split('\n');
  if (texts.at(-1) === '') texts.pop();
  return texts.map((text, index) => ({
    number: index + 1,
    text: text.length > longest ? undefined : Buffer.from(text, 'latin1').toString('utf8').replace(/\r$/, ''),
  }));
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
const pieces = fc.array(fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 20_000 })), {
  maxLength: 60,
});

it('a file has the same lines wherever its pieces end, and from the end of each block on', async () => {
  await fc.assert(
    fc.asyncProperty(file, pieces, async (octets, sizes) => {
      const wanted = wholeOf(octets);
      const found: FileLine[] = [];
      const ends: { at: number; line: number }[] = [];
      for await (const { lines, endsAt } of blocksOfLines(cut(octets, sizes), { at: 0, line: 0 })) {
        found.push(...lines);
        ends.push({ at: endsAt, line: found.length });
      }
      expect(found).toEqual(wanted);
      expect(ends.at(-1)?.at ?? 0).toBe(octets.length);
      for (const end of ends) {
        const rest: FileLine[] = [];
        for await (const { lines } of blocksOfLines(cut(octets.subarray(end.at), sizes.toReversed()), end)) {
          rest.push(...lines);
        }
        expect(rest).toEqual(wanted.slice(end.line));
      }
    }),
    { numRuns: 400 },
  );
}, 60_000);
