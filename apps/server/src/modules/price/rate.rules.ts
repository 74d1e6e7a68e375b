import type { BundleSpec } from '@simcube/contract/bundle';
import { isCovered } from '../bundle/index.ts';
import { type BundlePrices, type TariffVersion, zoneOf } from './price.rules.ts';

/** A record as it counts in its cycle. */
export interface RatedFacts {
  bundle: Pick<
    BundleSpec,
    'overage_policy' | 'out_of_coverage_policy' | 'coverage_countries' | 'stop_after_bytes'
  >;
  prices: BundlePrices;
  /** Of the record; null when it is not known. */
  country: string | null;
  bytes: bigint;
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
  const isBeyond = pool?.isCharged ?? isCharged({ bundle, limitBytes, within, before: within - facts.bytes });
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

/** Whether usage beyond the quota is charged: not where it stops there, nor all that went on beyond the amount after which it stops. */
const isCharged = (used: {
  bundle: RatedFacts['bundle'];
  limitBytes: bigint | null;
  within: bigint;
  /** Without the record. */
  before: bigint;
}): boolean => {
  const { bundle, limitBytes, within, before } = used;
  const { overage_policy: policy, stop_after_bytes: most } = bundle;
  if (limitBytes === null || policy === 'stop' || within <= limitBytes) return false;
  return policy !== 'billing then stop after' || most === null || before < limitBytes + BigInt(most);
};
