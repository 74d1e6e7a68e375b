import { type DataThreshold, dataUnits, type Overshoot } from '@simcube/contract/autoflow';

const minShare = 0.04;

const amountOf = ({ unit, amount }: DataThreshold): number =>
  unit === '%' ? amount : amount * dataUnits[unit];

/**
 * Whether usage may exceed the threshold so far that another should be set: one lower by at least a twenty-fifth, or no threshold
 * is low enough.
 */
export const isNotable = ({ threshold, safer }: Pick<Overshoot, 'threshold' | 'safer'>): boolean =>
  safer === null || amountOf(safer) <= amountOf(threshold) * (1 - minShare);
