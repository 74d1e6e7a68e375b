import type { BundleSpec } from '@simcube/contract/bundle';
import { type BundlePrices, chargedZone, type TariffVersion, zonedBytes, zoneOf } from './price.rules.ts';

/** A record as it counts in its cycle. */
export interface RatedFacts {
  bundle: Pick<
    BundleSpec,
    'overage_policy' | 'out_of_coverage_policy' | 'coverage_countries' | 'stop_after_bytes'
  >;
  prices: BundlePrices;
  /** The record's country; null if unknown. */
  country: string | null;
  bytes: bigint;
  /** Usage of its cycle up to and including it, without what counted for shared pools. */
  byCountry: readonly { country: string | null; bytes: bigint }[];
  limitBytes: bigint | null;
  /** For a record that counted for a shared pool: whether usage of the pool was charged at that point. */
  pool: { isCharged: boolean } | null;
}

export interface Rate {
  tariff: string;
  /** First day of the version. */
  tariff_from: string;
  /** The tariff's name for the zone of the record's country. */
  zone: string | null;
  /** Within the bundle or the shared pool: nothing is charged for it. */
  included: boolean;
  /** In millionths of the currency, per started unit; null when nothing is charged. */
  price_micros: number | null;
  unit: 'MB' | 'block';
  currency: string;
}

/**
 * The price at which usage like that of a record counts. An amount exists only for the cycle: charges are a
 * function of its totals (`chargesOf`), never of single records.
 */
export const rateOf = (version: TariffVersion, facts: RatedFacts): Rate => {
  const { bundle, prices, country, byCountry, limitBytes, pool } = facts;
  const within =
    byCountry.reduce((sum, { bytes }) => sum + bytes, 0n) - zonedBytes(version, bundle, byCountry);
  const zone = chargedZone(version, bundle, country);
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

/**
 * Whether usage beyond the quota is charged: not if data stops there, nor usage beyond the amount after which
 * it stops.
 */
const isCharged = (used: {
  bundle: RatedFacts['bundle'];
  limitBytes: bigint | null;
  within: bigint;
  /** Without the record. */
  before: bigint;
}): boolean => {
  const { bundle, limitBytes, within, before } = used;
  const { overage_policy: policy, stop_after_bytes: stopAfter } = bundle;
  if (limitBytes === null || policy === 'stop' || within <= limitBytes) return false;
  return (
    policy !== 'billing then stop after' || stopAfter === null || before < limitBytes + BigInt(stopAfter)
  );
};
