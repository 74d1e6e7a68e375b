import type { BundlePrice } from '@simcube/contract/price';
import type { Sql } from '../../platform/db/index.ts';

/** What bundles cost an organisation that orders them now, by code; what prices know, which stand above. */
export type FindBundlePrices = (wanted: {
  orgId: number;
  codes: readonly string[];
  now: Date;
  /** A transaction to read in. */
  tx?: Sql;
}) => Promise<ReadonlyMap<string, BundlePrice>>;

/** Lines of a preview with what each of the bundle costs; null without a price. */
export const priced = async <L extends { bundle: { code: string } }>(
  lines: readonly L[],
  { bundlePrices, ...when }: { bundlePrices: FindBundlePrices; orgId: number; now: Date; tx?: Sql },
): Promise<(L & { price: BundlePrice | null })[]> => {
  const prices = await bundlePrices({ ...when, codes: lines.map(({ bundle: { code } }) => code) });
  return lines.map((line) => ({ ...line, price: prices.get(line.bundle.code) ?? null }));
};
