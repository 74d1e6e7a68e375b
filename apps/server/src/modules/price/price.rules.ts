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

/** A price in millionths as people write it, without trailing zeros. */
export const formatMicros = (micros: number): string => {
  const digits = String(micros).padStart(microDigits + 1, '0');
  const part = digits.slice(-microDigits).replace(/0+$/, '');
  return part === '' ? digits.slice(0, -microDigits) : `${digits.slice(0, -microDigits)}.${part}`;
};

/** Divides, rounding half away from zero. */
const divideRounded = (amount: bigint, by: bigint): bigint => {
  const size = amount < 0n ? -amount : amount;
  const rounded = (2n * size + by) / (2n * by);
  return amount < 0n ? -rounded : rounded;
};

/** The amount of a line in minor units: its exact price, rounded once. */
export const lineAmount = (line: { quantity: bigint; priceMicros: bigint; currency: string }): bigint =>
  divideRounded(line.quantity * line.priceMicros, 10n ** BigInt(microDigits - minorDigits(line.currency)));

/** An amount in minor units as millionths of its currency. */
export const amountMicros = ({ currency, total_minor }: { currency: string; total_minor: number }): number =>
  total_minor * 10 ** (microDigits - minorDigits(currency));

/** The number of pieces of a size that the bytes begin: each started one counts fully. */
export const startedUnits = (bytes: bigint, size: bigint): bigint =>
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

/** The prices in force from a business day on. */
export interface TariffVersion {
  id: number;
  tariff: Named;
  currency: string;
  startsOn: string;
  zones: readonly ZonePrice[];
  smsMtMicros: bigint;
  smsMoMicros: bigint;
  /** Price of a pool per cycle, and per started MB beyond its limit. */
  poolCycleMicros: bigint;
  poolOverMicros: bigint;
}

/**
 * The zone for usage in a country: the one that contains it, else that of the rest of the world. Undefined if
 * the tariff prices no zones, or the country is unknown.
 */
export const zoneOf = (
  { zones }: Pick<TariffVersion, 'zones'>,
  country: string | null,
): ZonePrice | undefined =>
  country === null
    ? undefined
    : (zones.find(({ countries }) => countries?.includes(country)) ??
      zones.find(({ countries }) => countries === null));

export type Coverage = Pick<BundleSpec, 'out_of_coverage_policy' | 'coverage_countries'>;

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
  /** Whether the cycle began while the SIM belonged to the organisation. */
  ownsCycleStart: boolean;
  /** Orders activated in the cycle. */
  activations: readonly (Named & { prices: BundlePrices })[];
  /** Usage of the cycle by country, and the part used while the SIM belonged to the organisation. */
  byCountry: readonly (CountryUsage & { ownBytes: bigint })[];
  /** The part of all usage of the cycle that counted for shared pools. */
  pooledByCountry: readonly CountryUsage[];
}

export interface PoolCycleFacts {
  policy: (typeof poolPolicies)[number];
  usedBytes: bigint;
  limitBytes: bigint;
  /** The part that the members' own cycles are charged for by zone, each by its own version. */
  zonedBytes: bigint;
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

const toNamed = ({ code, name }: Named): Named => ({ code, name });

/**
 * What a cycle costs: a function of its totals, so that neither the order nor the arrival time of records
 * matters. Lines with an amount of zero are left out.
 * No byte is charged twice: usage charged by zone does not count beyond the quota, nor does usage that counted
 * for a pool.
 */
export const chargesOf = (version: TariffVersion, facts: CycleFacts): ChargeLine[] => {
  const zones = zoneUsage(version, facts);
  const outside = zones.reduce((sum, { bytes }) => sum + bytes, 0n);
  const pooled = sumOf(facts.pooledByCountry) - zonedBytes(version, facts.bundle, facts.pooledByCountry);
  const charges: Charge[] = [
    ...activationCharges(
      facts.activations.map((order) => ({ ...order, micros: order.prices.activationMicros })),
    ),
    ...(facts.ownsCycleStart ? [fixedCharge('cycle', facts.bundle, facts.prices.cycleMicros)] : []),
    overQuota(facts, facts.usedBytes - outside - pooled),
    ...zones.map(
      ({ zone, ownBytes }): Charge => ({
        kind: 'out-of-coverage',
        bundle: null,
        zone: toNamed(zone),
        quantity: startedUnits(ownBytes, bytesPerMb),
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
  /** The part that zones are charged for. */
  zonedBytes: bigint;
  limitBytes: bigint;
  /** What remains beyond the limit: usage charged by zone is not charged a second time. */
  beyondBytes: bigint;
}

export const poolUsageOf = ({
  usedBytes,
  limitBytes,
  zonedBytes: zoned,
}: Omit<PoolCycleFacts, 'policy'>): PoolUsage => {
  const beyond = usedBytes - zoned - limitBytes;
  return { usedBytes, zonedBytes: zoned, limitBytes, beyondBytes: beyond > 0n ? beyond : 0n };
};

/** The same in the contract's form. */
export const toPoolUsage = (usage: PoolUsage): ShownPoolUsage => ({
  used_bytes: Number(usage.usedBytes),
  zoned_bytes: Number(usage.zonedBytes),
  limit_bytes: Number(usage.limitBytes),
  beyond_bytes: Number(usage.beyondBytes),
});

/**
 * What a cycle of a shared pool costs. Usage beyond the limit is charged only if the policy lets it continue:
 * otherwise it should not have happened.
 */
export const poolChargesOf = (version: TariffVersion, facts: PoolCycleFacts): ChargeLine[] => {
  const beyond = facts.policy === 'no limit' ? poolUsageOf(facts).beyondBytes : 0n;
  const charges: Charge[] = [
    fixedCharge('pool-cycle', null, version.poolCycleMicros),
    {
      kind: 'over-pool-limit',
      bundle: null,
      zone: null,
      quantity: startedUnits(beyond, bytesPerMb),
      unit: 'MB',
      bytes: beyond,
      priceMicros: version.poolOverMicros,
    },
  ];
  return charges.flatMap((charge) => lineOf(charge, version.currency) ?? []);
};

const sumOf = (usage: readonly CountryUsage[]): bigint => usage.reduce((sum, { bytes }) => sum + bytes, 0n);

const fixedCharge = (kind: ChargeKind, bundle: Named | null, priceMicros: bigint, quantity = 1n): Charge => ({
  kind,
  bundle: bundle && toNamed(bundle),
  zone: null,
  quantity,
  unit: 'each',
  bytes: null,
  priceMicros,
});

/** Combines activations of one bundle into one line. */
const activationCharges = (orders: readonly (Named & { micros: bigint })[]): Charge[] => {
  const byCode = new Map<string, { order: (typeof orders)[number]; count: bigint }>();
  for (const order of orders) {
    const line = byCode.get(order.code);
    if (line) line.count += 1n;
    else byCode.set(order.code, { order, count: 1n });
  }
  return [...byCode.values()].map(({ order, count }) =>
    fixedCharge('activation', order, order.micros, count),
  );
};

interface ZoneUsage {
  zone: ZonePrice;
  bytes: bigint;
  ownBytes: bigint;
}

/** Whether any tariff can charge a bundle's usage by zone. */
export const mayChargeZones = ({
  out_of_coverage_policy: policy,
  coverage_countries: countries,
}: Coverage): boolean => policy === 'billing' && countries.length > 0;

/** Whether a version can charge a bundle's usage by zone at all. */
export const chargesZones = ({ zones }: Pick<TariffVersion, 'zones'>, bundle: Coverage): boolean =>
  mayChargeZones(bundle) && zones.length > 0;

/** The zone by which usage is charged: outside the bundle's coverage, if the bundle says so. */
export const chargedZone = (
  version: Pick<TariffVersion, 'zones'>,
  bundle: Coverage,
  country: string | null,
): ZonePrice | undefined =>
  bundle.out_of_coverage_policy !== 'billing' || isCovered(bundle.coverage_countries, country)
    ? undefined
    : zoneOf(version, country);

/** The part of usage that is charged by zone. */
export const zonedBytes = (
  version: Pick<TariffVersion, 'zones'>,
  bundle: Coverage,
  usage: readonly CountryUsage[],
): bigint => sumOf(usage.filter(({ country }) => chargedZone(version, bundle, country)));

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

const smallest = (one: bigint, other: bigint): bigint => (one < other ? one : other);

const overQuota = ({ bundle, prices, limitBytes }: CycleFacts, usedBytes: bigint): Charge => {
  const { overage_policy: policy, threshold_bytes: block, stop_after_bytes: stopAfter } = bundle;
  const beyond =
    limitBytes === null || policy === 'stop' || usedBytes < limitBytes ? 0n : usedBytes - limitBytes;
  const priced =
    policy === 'billing then stop after' && stopAfter !== null ? smallest(beyond, BigInt(stopAfter)) : beyond;
  const isByBlock = policy === 'billing and threshold' && block !== null;
  return {
    kind: 'over-quota',
    bundle: toNamed(bundle),
    zone: null,
    quantity: startedUnits(priced, isByBlock ? BigInt(block) : bytesPerMb),
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

/** Usage up to which a cycle costs the same, as long as only its usage changes; null: for any usage. */
export const costValidUpTo = (
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

/** Whether a line of a SIM's cycle is charged whatever the SIM uses. */
export const isFee = ({ kind }: Pick<ChargeLine, 'kind'>): boolean =>
  kind === 'activation' || kind === 'cycle';

/** A quantity charged at a price; lines that combine several quantities are rounded once for all of them. */
export type ChargedQuantity = Omit<ChargeLine, 'amount_minor'>;

const keyOf = ({ kind, bundle, zone, unit, price_micros }: ChargedQuantity): string =>
  JSON.stringify([kind, bundle?.code, zone?.code, unit, price_micros]);

/**
 * What remains to be charged for a cycle after some of it was: the current quantities less the charged ones. A
 * late record changes the total and so becomes a difference; equal quantities are left out. Charged quantities of
 * one thing are summed: a bundle or zone may have been renamed between them.
 */
export const chargeDifference = (
  now: readonly ChargedQuantity[],
  chargedBefore: readonly ChargedQuantity[],
): ChargedQuantity[] => {
  const before = new Map<string, ChargedQuantity>();
  for (const line of chargedBefore) {
    const same = before.get(keyOf(line));
    before.set(keyOf(line), same ? add(same, line) : line);
  }
  const changed = now.flatMap((line) => {
    const charged = before.get(keyOf(line));
    before.delete(keyOf(line));
    return charged ? subtract(line, charged) : [line];
  });
  const removed = [...before.values()].flatMap((removedLine) =>
    subtract({ ...removedLine, quantity: 0, bytes: 0 }, removedLine),
  );
  return [...changed, ...removed];
};

const add = (one: ChargedQuantity, other: ChargedQuantity): ChargedQuantity => ({
  ...one,
  quantity: one.quantity + other.quantity,
  bytes: one.bytes === null || other.bytes === null ? null : one.bytes + other.bytes,
});

const subtract = (line: ChargedQuantity, charged: ChargedQuantity): ChargedQuantity[] => {
  const quantity = line.quantity - charged.quantity;
  const bytes = line.bytes === null || charged.bytes === null ? null : line.bytes - charged.bytes;
  return quantity === 0 ? [] : [{ ...line, quantity, bytes }];
};
