import { type DataThreshold, dataUnits, type Overshoot } from '@simcube/contract/autoflow';

const share = 0.04;

const amountOf = ({ unit, amount }: DataThreshold): number =>
  unit === '%' ? amount : amount * dataUnits[unit];

/** Usage may pass the threshold by so much that another one should be set: by a twenty-fifth of it, or no threshold is low enough. */
export const isNotable = ({ threshold, safer }: Pick<Overshoot, 'threshold' | 'safer'>): boolean =>
  safer === null || amountOf(safer) <= amountOf(threshold) * (1 - share);
