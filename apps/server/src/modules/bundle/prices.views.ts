import type { BundlePrice } from '@simcube/contract/price';
import type { Sql } from '../../platform/db/index.ts';

/** What bundles cost an organisation that orders them now, by code; provided by the higher module `price`. */
export type FindBundlePrices = (wanted: {
  orgId: number;
  codes: readonly string[];
  now: Date;
  /** A transaction to read in. */
  tx?: Sql;
}) => Promise<ReadonlyMap<string, BundlePrice>>;

/** Adds to lines of a preview the price of one bundle; null without a price. */
export const withPrices = async <L extends { bundle: { code: string } }>(
  lines: readonly L[],
  { bundlePrices, ...when }: { bundlePrices: FindBundlePrices; orgId: number; now: Date; tx?: Sql },
): Promise<(L & { price: BundlePrice | null })[]> => {
  const prices = await bundlePrices({ ...when, codes: lines.map(({ bundle: { code } }) => code) });
  return lines.map((line) => ({ ...line, price: prices.get(line.bundle.code) ?? null }));
};
