import { type ByteUnit, inUnit, unitOf } from '../../lib/format/index.ts';

/** Rounds to 1, 2 or 5 times a power of ten, for readable figures in a legend. */
const nice = (amount: number): number => {
  if (amount <= 0) return 0;
  const power = 10 ** Math.floor(Math.log10(amount));
  const first = amount / power;
  return (first >= 5 ? 5 : first >= 2 ? 2 : 1) * power;
};

/** Shares of the largest amount at which the next shade begins. */
const parts = { countries: [0.03, 0.12, 0.3, 0.6], hexagons: [0.02, 0.1, 0.4] } as const;

export interface Levels {
  /** The lowest amount of each shade except the first. */
  bounds: readonly number[];
  levelOf: (amount: number) => number;
}

/** Shades by amount. Bytes are rounded in their own unit, so that the legend shows 5 GB, not 4.66. */
export const levelsOf = (kind: keyof typeof parts, amounts: Iterable<number>, isBytes: boolean): Levels => {
  let most = 0;
  for (const amount of amounts) most = Math.max(most, amount);
  const rounded = (amount: number) => {
    if (!isBytes) return Math.max(1, nice(amount));
    const unit: ByteUnit = unitOf(amount);
    return (amount / (inUnit(amount, unit) || 1)) * nice(inUnit(amount, unit)) || 0;
  };
  const bounds = [...new Set(parts[kind].map((part) => rounded(most * part)))];
  return { bounds, levelOf: (amount) => bounds.filter((bound) => amount >= bound).length };
};
