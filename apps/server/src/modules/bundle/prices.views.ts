import type { BundlePrice } from '@simcube/contract/price';
import type { Sql } from '../../platform/db/index.ts';

/**
 * What bundles cost an organisation in cycles that begin at the instants; provided by the higher module `price`.
 * @returns the price of a bundle by its code in a cycle that begins at one of the instants; null without a price
 */
export type FindBundlePrices = (wanted: {
  orgId: number;
  codes: readonly string[];
  cycleStarts: readonly Date[];
  /** A transaction to read in. */
  tx?: Sql;
}) => Promise<(code: string, cycleStart: Date) => BundlePrice | null>;
