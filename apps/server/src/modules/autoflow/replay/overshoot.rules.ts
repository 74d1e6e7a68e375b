import { type DataThreshold, type DataUnit, dataUnits } from '@simcube/contract/autoflow';

/** What was measured of a rule's SIMs. Bits a second, and seconds. */
export interface Measurement {
  fastest: number | null;
  median: number | null;
  interval: number;
  delay: number | null;
  /** Of the SIMs that were measured, the smallest limit; null where none has one. */
  smallestLimit: number | null;
}

/**
 * Octets past a threshold: at worst the fastest SIM crosses it right after it was heard of, and is not heard of for an interval;
 * typically it crosses half way.
 */
export const overshootOf = ({
  fastest,
  median,
  interval,
  delay,
}: Pick<Measurement, 'fastest' | 'median' | 'interval' | 'delay'>): {
  typical: number | null;
  worst: number | null;
} => ({
  typical: median === null ? null : Math.round((median / 8) * (interval / 2 + (delay ?? 0))),
  worst: fastest === null ? null : Math.round((fastest / 8) * (interval + (delay ?? 0))),
});

const units = ['KB', 'MB', 'GB'] as const satisfies readonly DataUnit[];
/** A smaller unit is taken where the whole amount would have fewer digits than these. */
const leastAmount = 100;

/** The largest amount of which the worst stays below the threshold; null where there is none. */
export const saferThan = (
  threshold: DataThreshold,
  { worst, smallestLimit }: { worst: number; smallestLimit: number | null },
): DataThreshold | null => {
  if (threshold.unit === '%') {
    if (smallestLimit === null || smallestLimit === 0) return null;
    const amount = Math.floor(threshold.amount - (worst * 100) / smallestLimit);
    return amount < 1 ? null : { unit: '%', amount };
  }
  const bytes = threshold.amount * dataUnits[threshold.unit] - worst;
  const fitting = units.filter((unit) => dataUnits[unit] <= dataUnits[threshold.unit]);
  const unit = fitting.findLast((one) => bytes / dataUnits[one] >= leastAmount) ?? 'KB';
  const amount = Math.floor(bytes / dataUnits[unit]);
  return amount < 1 ? null : { unit, amount };
};
