import type { BundleSpec } from '@simcube/contract/bundle';
import { isCovered } from '../bundle/index.ts';
import { type BundlePrices, type TariffVersion, zoneOf } from './price.rules.ts';

/** A record as it counts in its cycle. */
export interface RatedFacts {
  bundle: Pick<BundleSpec, 'overage_policy' | 'out_of_coverage_policy' | 'coverage_countries'>;
  prices: BundlePrices;
  /** Of the record; null when it is not known. */
  country: string | null;
  /** What its cycle had used with it, without what counted for shared pools. */
  byCountry: readonly { country: string | null; bytes: bigint }[];
  limitBytes: bigint | null;
  /** Of a record that counted for a shared pool: whether usage of the pool is charged by then. */
  pool: { isCharged: boolean } | null;
}

export interface Rate {
  tariff: string;
  /** First day of the version. */
  tariff_from: string;
  /** What the tariff calls where the record is of. */
  zone: string | null;
  /** Within the bundle or the shared pool: nothing is charged for it. */
  included: boolean;
  /** In millionths of the currency, for each started unit; null when nothing is charged. */
  price_micros: number | null;
  unit: 'MB' | 'block';
  currency: string;
}

/**
 * At which price usage like that of a record counts. The amount is the cycle's: charges are a function of its totals
 * (`chargesOf`), never of single records.
 */
export const rateOf = (version: TariffVersion, facts: RatedFacts): Rate => {
  const { bundle, prices, country, byCountry, limitBytes, pool } = facts;
  const chargedZone = (of: string | null) =>
    bundle.out_of_coverage_policy === 'billing' && !isCovered(bundle.coverage_countries, of)
      ? zoneOf(version, of)
      : undefined;
  const within = byCountry.reduce((sum, used) => (chargedZone(used.country) ? sum : sum + used.bytes), 0n);
  const zone = chargedZone(country);
  const isBeyond =
    pool?.isCharged ?? (limitBytes !== null && bundle.overage_policy !== 'stop' && within > limitBytes);
  const isByBlock = !zone && !pool && bundle.overage_policy === 'billing and threshold';
  const beyond = pool ? version.poolOverMicros : prices.overMicros;
  const price = zone?.usageMicros ?? (isBeyond ? beyond : null);
  return {
    tariff: version.tariff.name,
    tariff_from: version.startsOn,
    zone: zoneOf(version, country)?.name ?? null,
    included: !zone && !isBeyond,
    price_micros: price === null ? null : Number(price),
    unit: isByBlock ? 'block' : 'MB',
    currency: version.currency,
  };
};
