import { type DataThreshold, type DataUnit, dataUnits } from '@simcube/contract/autoflow';

/** Measurements of a rule's SIMs, in bits per second and seconds. */
export interface Measurement {
  fastest: number | null;
  median: number | null;
  interval: number;
  delay: number | null;
  /** The smallest limit of the measured SIMs; null if none has one. */
  smallestLimit: number | null;
}

/**
 * Octets past a threshold. Worst case: the fastest SIM crosses it just after a report and is not reported again for
 * an interval. Typically, it is crossed half way.
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
/** A smaller unit is used if the whole amount would have fewer digits than this. */
const minAmount = 100;

/** The largest amount at which even the worst case stays below the threshold; null if there is none. */
export const saferThreshold = (
  threshold: DataThreshold,
  { worst, smallestLimit }: { worst: number; smallestLimit: number | null },
): DataThreshold | null => {
  if (threshold.unit === '%') {
    if (smallestLimit === null || smallestLimit === 0) return null;
    const amount = Math.floor(threshold.amount - (worst * 100) / smallestLimit);
    return amount < 1 ? null : { unit: '%', amount };
  }
  const bytes = threshold.amount * dataUnits[threshold.unit] - worst;
  const candidates = units.filter((unit) => dataUnits[unit] <= dataUnits[threshold.unit]);
  const unit = candidates.findLast((one) => bytes / dataUnits[one] >= minAmount) ?? 'KB';
  const amount = Math.floor(bytes / dataUnits[unit]);
  return amount < 1 ? null : { unit, amount };
};
