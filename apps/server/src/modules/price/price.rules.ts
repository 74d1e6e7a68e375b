import type { BundleSpec } from '@simcube/contract/bundle';
import type { poolPolicies } from '@simcube/contract/pool';
import {
  type ChargeKind,
  type ChargeLine,
  minorDigits,
  type PoolUsage as ShownPoolUsage,
} from '@simcube/contract/price';
import { isCovered } from '../bundle/index.ts';

/** Money is exact: prices in millionths of a currency, amounts in its minor units, both as bigint. */

const microDigits = 6;
const bytesPerMb = 2n ** 20n;

export const isCurrency = (code: string): boolean => Intl.supportedValuesOf('currency').includes(code);

/** A price in millionths as it is written, without needless zeros. */
export const amountText = (micros: number): string => {
  const digits = String(micros).padStart(microDigits + 1, '0');
  const part = digits.slice(-microDigits).replace(/0+$/, '');
  return part === '' ? digits.slice(0, -microDigits) : `${digits.slice(0, -microDigits)}.${part}`;
};

/** Half away from zero. */
const dividedRounded = (amount: bigint, by: bigint): bigint => {
  const size = amount < 0n ? -amount : amount;
  const rounded = (2n * size + by) / (2n * by);
  return amount < 0n ? -rounded : rounded;
};

/** The amount of a line in minor units: its exact price, rounded once. */
export const lineAmount = (line: { quantity: bigint; priceMicros: bigint; currency: string }): bigint =>
  dividedRounded(line.quantity * line.priceMicros, 10n ** BigInt(microDigits - minorDigits(line.currency)));

/** An amount in minor units as millionths of its currency. */
export const amountMicros = ({ currency, total_minor }: { currency: string; total_minor: number }): number =>
  total_minor * 10 ** (microDigits - minorDigits(currency));

/** How many pieces of a size are begun by so many bytes: each started one counts whole. */
export const startedPieces = (bytes: bigint, size: bigint): bigint =>
  bytes <= 0n ? 0n : (bytes + size - 1n) / size;

export interface Named {
  code: string;
  name: string;
}

export interface BundlePrices {
  activationMicros: bigint;
  cycleMicros: bigint;
  overMicros: bigint;
}

export interface ZonePrice extends Named {
  /** Null: the rest of the world. */
  countries: readonly string[] | null;
  usageMicros: bigint;
}

/** The prices that are in force from a business day on. */
export interface TariffVersion {
  id: number;
  tariff: Named;
  currency: string;
  startsOn: string;
  zones: readonly ZonePrice[];
  smsMtMicros: bigint;
  smsMoMicros: bigint;
  /** A pool for each cycle, and each started MB beyond its limit. */
  poolCycleMicros: bigint;
  poolOverMicros: bigint;
}

/**
 * The zone that usage in a country is charged at: the one that names it, else that of the rest of the world. Undefined
 * where the tariff prices no zones, or the country is not known.
 */
export const zoneOf = (
  { zones }: Pick<TariffVersion, 'zones'>,
  country: string | null,
): ZonePrice | undefined =>
  country === null
    ? undefined
    : (zones.find(({ countries }) => countries?.includes(country)) ??
      zones.find(({ countries }) => countries === null));

type Coverage = Pick<BundleSpec, 'out_of_coverage_policy' | 'coverage_countries'>;

interface CountryUsage {
  country: string | null;
  bytes: bigint;
}

export interface CycleFacts {
  bundle: Named & Coverage & Pick<BundleSpec, 'overage_policy' | 'threshold_bytes' | 'stop_after_bytes'>;
  prices: BundlePrices;
  /** All usage of the cycle, and its limit. */
  usedBytes: bigint;
  limitBytes: bigint | null;
  /** The cycle began while the SIM was the organisation's. */
  isBegun: boolean;
  /** Orders activated in the cycle. */
  activations: readonly (Named & { prices: BundlePrices })[];
  /** Usage of the cycle by country; of it, what was used while the SIM was the organisation's. */
  byCountry: readonly (CountryUsage & { ownBytes: bigint })[];
  /** Of all usage of the cycle, what was counted for shared pools. */
  pooledByCountry: readonly CountryUsage[];
}

export interface PoolCycleFacts {
  bundle: Coverage;
  policy: (typeof poolPolicies)[number];
  usedBytes: bigint;
  limitBytes: bigint;
  /** Usage of the members in the cycle. */
  byCountry: readonly CountryUsage[];
}

interface Charge {
  kind: ChargeKind;
  bundle: Named | null;
  zone: Named | null;
  quantity: bigint;
  unit: ChargeLine['unit'];
  bytes: bigint | null;
  priceMicros: bigint;
}

const named = ({ code, name }: Named): Named => ({ code, name });

/**
 * What a cycle costs: a function of its totals, so that neither the order of records nor when they came matters. A line
 * that comes to nothing is left out.
 *
 * No byte is charged twice: usage that a zone is charged for is none beyond the quota, nor is what counted for a pool.
 */
export const chargesOf = (version: TariffVersion, facts: CycleFacts): ChargeLine[] => {
  const zones = zoneUsage(version, facts);
  const outside = zones.reduce((sum, { bytes }) => sum + bytes, 0n);
  const pooled = sumOf(facts.pooledByCountry) - zonedBytes(version, facts.bundle, facts.pooledByCountry);
  const charges: Charge[] = [
    ...counted(facts.activations.map((order) => ({ ...order, micros: order.prices.activationMicros }))),
    ...(facts.isBegun ? [once('cycle', facts.bundle, facts.prices.cycleMicros)] : []),
    overQuota(facts, facts.usedBytes - outside - pooled),
    ...zones.map(
      ({ zone, ownBytes }): Charge => ({
        kind: 'out-of-coverage',
        bundle: null,
        zone: named(zone),
        quantity: startedPieces(ownBytes, bytesPerMb),
        unit: 'MB',
        bytes: ownBytes,
        priceMicros: zone.usageMicros,
      }),
    ),
  ];
  return charges.flatMap((charge) => lineOf(charge, version.currency) ?? []);
};

export interface PoolUsage {
  usedBytes: bigint;
  /** Of it, what zones are charged for. */
  zonedBytes: bigint;
  limitBytes: bigint;
  /** What is left beyond the limit: usage that a zone is charged for is not charged a second time. */
  beyondBytes: bigint;
}

export const poolUsageOf = (
  version: TariffVersion,
  { usedBytes, limitBytes, bundle, byCountry }: Omit<PoolCycleFacts, 'policy'>,
): PoolUsage => {
  const zoned = zonedBytes(version, bundle, byCountry);
  const beyond = usedBytes - zoned - limitBytes;
  return { usedBytes, zonedBytes: zoned, limitBytes, beyondBytes: beyond > 0n ? beyond : 0n };
};

/** The same as contracts have it. */
export const shownPoolUsage = (usage: PoolUsage): ShownPoolUsage => ({
  used_bytes: Number(usage.usedBytes),
  zoned_bytes: Number(usage.zonedBytes),
  limit_bytes: Number(usage.limitBytes),
  beyond_bytes: Number(usage.beyondBytes),
});

/** What a cycle of a shared pool costs. Only where usage goes on beyond the limit is it charged: else it was not to be. */
export const poolChargesOf = (version: TariffVersion, facts: PoolCycleFacts): ChargeLine[] => {
  const beyond = facts.policy === 'no limit' ? poolUsageOf(version, facts).beyondBytes : 0n;
  const charges: Charge[] = [
    once('pool-cycle', null, version.poolCycleMicros),
    {
      kind: 'over-pool-limit',
      bundle: null,
      zone: null,
      quantity: startedPieces(beyond, bytesPerMb),
      unit: 'MB',
      bytes: beyond,
      priceMicros: version.poolOverMicros,
    },
  ];
  return charges.flatMap((charge) => lineOf(charge, version.currency) ?? []);
};

const sumOf = (usage: readonly CountryUsage[]): bigint => usage.reduce((sum, { bytes }) => sum + bytes, 0n);

const once = (kind: ChargeKind, bundle: Named | null, priceMicros: bigint, quantity = 1n): Charge => ({
  kind,
  bundle: bundle && named(bundle),
  zone: null,
  quantity,
  unit: 'each',
  bytes: null,
  priceMicros,
});

/** Activations of one bundle in one line. */
const counted = (orders: readonly (Named & { micros: bigint })[]): Charge[] => {
  const byCode = new Map<string, { order: (typeof orders)[number]; count: bigint }>();
  for (const order of orders) {
    const line = byCode.get(order.code);
    if (line) line.count += 1n;
    else byCode.set(order.code, { order, count: 1n });
  }
  return [...byCode.values()].map(({ order, count }) => once('activation', order, order.micros, count));
};

interface ZoneUsage {
  zone: ZonePrice;
  bytes: bigint;
  ownBytes: bigint;
}

/** Whether a bundle's usage may be charged by zone at all. */
export const chargesZones = (
  { zones }: Pick<TariffVersion, 'zones'>,
  { out_of_coverage_policy: policy, coverage_countries: countries }: Coverage,
): boolean => policy === 'billing' && countries.length > 0 && zones.length > 0;

/** The zone that usage is charged at: out of the bundle's coverage, where it says so. */
export const chargedZone = (
  version: Pick<TariffVersion, 'zones'>,
  bundle: Coverage,
  country: string | null,
): ZonePrice | undefined =>
  bundle.out_of_coverage_policy !== 'billing' || isCovered(bundle.coverage_countries, country)
    ? undefined
    : zoneOf(version, country);

const zonedBytes = (version: TariffVersion, bundle: Coverage, usage: readonly CountryUsage[]): bigint =>
  sumOf(usage.filter(({ country }) => chargedZone(version, bundle, country)));

const zoneUsage = (version: TariffVersion, { bundle, byCountry }: CycleFacts): ZoneUsage[] => {
  const byZone = new Map<string, ZoneUsage>();
  for (const { country, bytes, ownBytes } of byCountry) {
    const zone = chargedZone(version, bundle, country);
    if (!zone) continue;
    const sum = byZone.get(zone.code);
    byZone.set(zone.code, {
      zone,
      bytes: bytes + (sum?.bytes ?? 0n),
      ownBytes: ownBytes + (sum?.ownBytes ?? 0n),
    });
  }
  return [...byZone.values()].sort((one, other) => (one.zone.code < other.zone.code ? -1 : 1));
};

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);

const overQuota = ({ bundle, prices, limitBytes }: CycleFacts, usedBytes: bigint): Charge => {
  const { overage_policy: policy, threshold_bytes: block, stop_after_bytes: most } = bundle;
  const beyond =
    limitBytes === null || policy === 'stop' || usedBytes < limitBytes ? 0n : usedBytes - limitBytes;
  const priced = policy === 'billing then stop after' && most !== null ? least(beyond, BigInt(most)) : beyond;
  const isByBlock = policy === 'billing and threshold' && block !== null;
  return {
    kind: 'over-quota',
    bundle: named(bundle),
    zone: null,
    quantity: startedPieces(priced, isByBlock ? BigInt(block) : bytesPerMb),
    unit: isByBlock ? 'block' : 'MB',
    bytes: priced,
    priceMicros: prices.overMicros,
  };
};

const lineOf = (
  { bytes, priceMicros, quantity, ...charge }: Charge,
  currency: string,
): ChargeLine | undefined =>
  quantity === 0n || priceMicros === 0n
    ? undefined
    : {
        ...charge,
        quantity: Number(quantity),
        bytes: bytes === null ? null : Number(bytes),
        price_micros: Number(priceMicros),
        amount_minor: Number(lineAmount({ quantity, priceMicros, currency })),
      };

/**
 * Usage up to which what a cycle costs stays the same, as long as nothing but its usage changes; null: however much it is.
 */
export const costStandsTo = (
  version: Pick<TariffVersion, 'zones'>,
  { bundle, prices, usedBytes, limitBytes, pooledByCountry }: CycleFacts,
): bigint | null => {
  if (chargesZones(version, bundle)) return usedBytes;
  if (limitBytes === null || bundle.overage_policy === 'stop' || prices.overMicros === 0n) return null;
  const freeBytes = limitBytes + sumOf(pooledByCountry);
  return usedBytes < freeBytes ? freeBytes : usedBytes;
};

/** The sum of the lines, each of which is rounded. */
export const totalOf = (lines: readonly Pick<ChargeLine, 'amount_minor'>[]): number =>
  lines.reduce((sum, { amount_minor }) => sum + amount_minor, 0);

/** What is charged at a price; lines that are made of several are rounded once for all of them. */
export type ChargedQuantity = Omit<ChargeLine, 'amount_minor'>;

const keyOf = ({ kind, bundle, zone, unit, price_micros }: ChargedQuantity): string =>
  JSON.stringify([kind, bundle?.code, zone?.code, unit, price_micros]);

/**
 * What remains to be charged of a cycle after some of it was: the quantities of now less those of then. A late record changes
 * the total and so becomes a difference; where the quantity is the same there is nothing to charge, so none is said.
 */
export const chargeDifference = (
  now: readonly ChargedQuantity[],
  charged: readonly ChargedQuantity[],
): ChargedQuantity[] => {
  const before = new Map(charged.map((line) => [keyOf(line), line]));
  const changed = now.flatMap((line) => {
    const was = before.get(keyOf(line));
    before.delete(keyOf(line));
    return was ? less(line, was) : [line];
  });
  const gone = [...before.values()].flatMap((was) => less({ ...was, ...nothing(was) }, was));
  return [...changed, ...gone];
};

const nothing = ({ bytes }: ChargedQuantity) => ({ quantity: 0, bytes: bytes === null ? null : 0 });

const less = (line: ChargedQuantity, was: ChargedQuantity): ChargedQuantity[] => {
  const quantity = line.quantity - was.quantity;
  const bytes = line.bytes === null || was.bytes === null ? null : line.bytes - was.bytes;
  return quantity === 0 ? [] : [{ ...line, quantity, bytes }];
};
