import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { candidatesOf, type PartialUsage } from './candidates.rules.ts';

const usage = fc.dictionary(fc.integer({ min: 1, max: 40 }).map(String), fc.nat({ max: 50 }), {
  maxKeys: 40,
});

/** Omits SIMs with less than the rest, and some of those with exactly that. */
const partialUsageOf = (all: Record<string, number>, rest: number): PartialUsage => {
  const entries = Object.entries(all)
    .map(([sim, volume]) => ({ sim: Number(sim), volume }))
    .filter(({ sim, volume }) => volume > rest || rest === 0 || (volume === rest && sim % 2 === 0))
    .sort((a, b) => a.sim - b.sim);
  return {
    sims: Uint32Array.from(entries, ({ sim }) => sim),
    volumes: Float64Array.from(entries, ({ volume }) => volume),
    rest,
  };
};

describe('SIMs that may be among those with the most usage', () => {
  it('include all top SIMs, sorted, with their known usage', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(usage, fc.nat({ max: 10 })), { maxLength: 4 }),
        fc.integer({ min: 1, max: 10 }),
        (parts, most) => {
          const usages = parts.map(([all, rest]) => partialUsageOf(all, rest));
          const found = candidatesOf(usages, most);
          fc.pre(found !== undefined);
          const volumes = new Map<number, number>();
          for (const [sim, volume] of parts.flatMap(([all]) => Object.entries(all)))
            volumes.set(Number(sim), (volumes.get(Number(sim)) ?? 0) + volume);
          const greatest = [...volumes].sort(([, a], [, b]) => b - a);
          const least = greatest[most - 1]?.[1] ?? 0;
          const sims = [...(found?.sims ?? [])];
          expect(sims).toEqual(sims.toSorted((a, b) => a - b));
          for (const [sim, volume] of greatest) if (volume > least) expect(sims).toContain(sim);
          expect(
            greatest.filter(([sim, volume]) => volume === least && sims.includes(sim)).length,
          ).toBeGreaterThanOrEqual(
            Math.min(most, greatest.length) - greatest.filter(([, volume]) => volume > least).length,
          );
          sims.forEach((sim, place) => {
            const known = usages.reduce((sum, part) => sum + (part.volumes[part.sims.indexOf(sim)] ?? 0), 0);
            expect(found?.volumes[place]).toBe(known);
          });
        },
      ),
    );
  });

  it('are undefined if a SIM that no part contains may be among them', () => {
    const part = { sims: Uint32Array.of(3, 5, 6), volumes: Float64Array.of(9, 8, 7), rest: 7 };
    expect(candidatesOf([part], 2)?.sims).toEqual(Uint32Array.of(3, 5));
    expect(candidatesOf([part], 3)).toBeUndefined();
    expect(candidatesOf([part, { ...part, rest: 0 }], 2)?.sims).toEqual(Uint32Array.of(3, 5));
    const other = { sims: Uint32Array.of(5, 8), volumes: Float64Array.of(8, 8), rest: 8 };
    expect(candidatesOf([part, other], 2)).toBeUndefined();
    expect(candidatesOf([{ ...part, rest: 0 }], 5)?.sims).toEqual(part.sims);
  });
});
